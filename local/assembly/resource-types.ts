import { cloudFrontTypes } from './cloudfront-types.ts';
import { operationsTypes } from './operations-types.ts';
import { queueUrl } from '../sqs/queue-url.ts';
import {
  arn,
  globalArn,
  REGION,
  type NamedResource,
  type ResourceType,
  secretArn,
  stableName,
} from './resource-type.ts';

function table(resource: NamedResource, ref: string): Record<string, string> {
  const tableArn = arn('dynamodb', `table/${ref}`);
  return {
    Arn: tableArn,
    StreamArn: `${tableArn}/stream/2025-01-01T00:00:00.000`,
    TableId: resource.logicalId,
  };
}

function functionUrlHost(resource: NamedResource): string {
  const target = String(resource.property('TargetFunctionArn'));
  return `${target.split(':').at(-1) ?? target}.lambda-url.${REGION}.on.aws`;
}

const storage: Record<string, ResourceType> = {
  'AWS::DynamoDB::Table': {
    local: 'local/dynamodb',
    properties: [
      'TableName',
      'KeySchema',
      'AttributeDefinitions',
      'BillingMode',
      'GlobalSecondaryIndexes',
      'StreamSpecification',
      'TimeToLiveSpecification',
      'PointInTimeRecoverySpecification',
      'SSESpecification',
      'DeletionProtectionEnabled',
      'Tags',
    ],
    ref: (resource) => stableName(resource, 'TableName', 255),
    attributes: table,
  },
  'AWS::S3::Bucket': {
    local: 'local/s3',
    properties: [
      'BucketName',
      'CorsConfiguration',
      'LifecycleConfiguration',
      'BucketEncryption',
      'PublicAccessBlockConfiguration',
      'OwnershipControls',
      'Tags',
    ],
    ref: (resource) => stableName(resource, 'BucketName', 63).toLowerCase(),
    attributes: (_, ref) => ({
      Arn: `arn:aws:s3:::${ref}`,
      DomainName: `${ref}.s3.amazonaws.com`,
      RegionalDomainName: `${ref}.s3.${REGION}.amazonaws.com`,
    }),
  },
  'AWS::S3::BucketPolicy': { local: 'local/iam', properties: ['Bucket', 'PolicyDocument'] },
  'AWS::SecretsManager::Secret': {
    local: 'local/secrets',
    properties: ['Name', 'Description', 'GenerateSecretString', 'SecretString', 'Tags'],
    ref: secretArn,
    attributes: (_, ref) => ({ Id: ref }),
  },
};

const compute: Record<string, ResourceType> = {
  'AWS::Lambda::Function': {
    local: 'local/lambda',
    properties: [
      'FunctionName',
      'Code',
      'Handler',
      'Role',
      'Environment',
      'Timeout',
      'MemorySize',
      'ReservedConcurrentExecutions',
      'Runtime',
      'Architectures',
      'Description',
      'TracingConfig',
      'LoggingConfig',
      'Tags',
    ],
    ref: (resource) => stableName(resource, 'FunctionName', 64),
    attributes: (_, ref) => ({ Arn: arn('lambda', `function:${ref}`) }),
  },
  'AWS::Lambda::Permission': {
    local: 'local/iam: who may call a function',
    properties: [
      'Action',
      'FunctionName',
      'Principal',
      'SourceArn',
      'FunctionUrlAuthType',
      'InvokedViaFunctionUrl',
    ],
  },
  'AWS::Lambda::Url': {
    local: 'local/functions/lambda-url.ts',
    properties: ['AuthType', 'TargetFunctionArn', 'InvokeMode'],
    ref: (resource) => String(resource.property('TargetFunctionArn')),
    attributes: (resource) => ({
      FunctionUrl: `https://${functionUrlHost(resource)}/`,
      FunctionArn: String(resource.property('TargetFunctionArn')),
    }),
  },
  'AWS::Lambda::EventSourceMapping': {
    local: 'local/dynamodb: table streams; local/sqs: queues',
    properties: 'by the part',
    attributes: (resource) => ({ Id: resource.logicalId }),
  },
  'AWS::Events::Rule': {
    local: 'local/time/schedule.ts',
    properties: ['Name', 'Description', 'ScheduleExpression', 'State', 'Targets', 'Tags'],
    ref: (resource) => stableName(resource, 'Name', 64),
    attributes: (_, ref) => ({ Arn: arn('events', `rule/${ref}`) }),
  },
  'AWS::SQS::Queue': {
    local: 'local/sqs',
    properties: 'by the part',
    ref: (resource) => queueUrl(stableName(resource, 'QueueName', 80)),
    attributes: (resource, ref) => ({
      Arn: arn('sqs', stableName(resource, 'QueueName', 80)),
      QueueName: stableName(resource, 'QueueName', 80),
      QueueUrl: ref,
    }),
  },
};

const identity: Record<string, ResourceType> = {
  'AWS::IAM::Role': {
    local: 'local/iam',
    properties: [
      'AssumeRolePolicyDocument',
      'Description',
      'ManagedPolicyArns',
      'MaxSessionDuration',
      'Path',
      'Policies',
      'RoleName',
      'Tags',
    ],
    ref: (resource) => stableName(resource, 'RoleName', 64),
    attributes: (resource, ref) => ({
      Arn: globalArn('iam', `role/${ref}`),
      RoleId: resource.logicalId,
    }),
  },
  'AWS::IAM::Policy': {
    local: 'local/iam',
    properties: ['PolicyDocument', 'PolicyName', 'Roles'],
  },
  'AWS::IAM::ManagedPolicy': {
    local: 'local/iam',
    properties: ['Description', 'ManagedPolicyName', 'Path', 'PolicyDocument', 'Roles'],
    ref: (resource) => globalArn('iam', `policy/${stableName(resource, 'ManagedPolicyName', 128)}`),
  },
  'AWS::SES::EmailIdentity': {
    local: 'local/ses',
    properties: [
      'DkimAttributes',
      'EmailIdentity',
      'FeedbackAttributes',
      'MailFromAttributes',
      'Tags',
    ],
    ref: (resource) => String(resource.property('EmailIdentity')),
    attributes: (_, ref) =>
      Object.fromEntries(
        [1, 2, 3].flatMap((n) => [
          [`DkimDNSTokenName${n}`, `token${n}._domainkey.${ref}`],
          [`DkimDNSTokenValue${n}`, `token${n}.dkim.amazonses.com`],
        ]),
      ),
  },
};

function apiType(more: Partial<ResourceType> = {}): ResourceType {
  return { local: 'local/gateway', properties: 'by the part', ...more };
}

const restApi: Record<string, ResourceType> = {
  'AWS::ApiGateway::RestApi': apiType({
    ref: (resource) => resource.logicalId.toLowerCase(),
    attributes: (resource, ref) => ({
      RestApiId: ref,
      RootResourceId: `${resource.logicalId}-root`,
    }),
  }),
  'AWS::ApiGateway::Resource': apiType({
    attributes: (_, ref) => ({ ResourceId: ref }),
  }),
  'AWS::ApiGateway::Method': apiType(),
  'AWS::ApiGateway::Authorizer': apiType({ attributes: (_, ref) => ({ AuthorizerId: ref }) }),
  'AWS::ApiGateway::Deployment': apiType({ attributes: (_, ref) => ({ DeploymentId: ref }) }),
  'AWS::ApiGateway::Stage': apiType({ ref: (resource) => String(resource.property('StageName')) }),
  'AWS::ApiGateway::GatewayResponse': apiType(),
};

/** Every resource type that the local cloud knows; an unknown one stops the start. */
export const resourceTypes: Readonly<Record<string, ResourceType>> = {
  ...storage,
  ...compute,
  ...identity,
  ...restApi,
  ...cloudFrontTypes,
  ...operationsTypes,
};
