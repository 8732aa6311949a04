import { cloudFrontTypes, apiGatewayTypes } from './web-types.ts';
import { operationsTypes } from './operations-types.ts';
import { queueUrl } from '../sqs/queue-url.ts';
import {
  arn,
  globalArn,
  type NamedResource,
  REGION,
  type ResourceType,
  secretArn,
  stableName,
} from './resource-type.ts';
import type { Resource } from './resource.ts';

function functionUrlHost(resource: NamedResource): string {
  const target = String(resource.property('TargetFunctionArn'));
  return `${target.split(':').at(-1) ?? target}.lambda-url.${REGION}.on.aws`;
}

const storage: Record<string, ResourceType> = {
  'AWS::DynamoDB::Table': {
    handledBy: 'local/dynamodb',
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
    ],
    ref: (resource) => stableName(resource, 'TableName', 255),
    attributes: (_, ref) => ({
      Arn: arn('dynamodb', `table/${ref}`),
      StreamArn: arn('dynamodb', `table/${ref}/stream/2025-01-01T00:00:00.000`),
    }),
  },
  'AWS::S3::Bucket': {
    handledBy: 'local/s3',
    properties: [
      'BucketName',
      'CorsConfiguration',
      'LifecycleConfiguration',
      'VersioningConfiguration',
      'BucketEncryption',
      'PublicAccessBlockConfiguration',
      'OwnershipControls',
    ],
    ref: (resource) => stableName(resource, 'BucketName', 63).toLowerCase(),
    attributes: (_, ref) => ({
      Arn: `arn:aws:s3:::${ref}`,
      RegionalDomainName: `${ref}.s3.${REGION}.amazonaws.com`,
    }),
  },
  'AWS::S3::BucketPolicy': { handledBy: 'local/iam', properties: ['Bucket', 'PolicyDocument'] },
  'AWS::SecretsManager::Secret': {
    handledBy: 'local/secrets',
    properties: ['Name', 'Description', 'GenerateSecretString', 'SecretString'],
    ref: secretArn,
  },
};

const compute: Record<string, ResourceType> = {
  'AWS::Lambda::Function': {
    handledBy: 'local/lambda',
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
    ],
    ref: (resource) => stableName(resource, 'FunctionName', 64),
    attributes: (_, ref) => ({ Arn: arn('lambda', `function:${ref}`) }),
  },
  'AWS::Lambda::Permission': {
    handledBy: 'local/iam: permissions to call functions',
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
    handledBy: 'local/functions/lambda-url.ts',
    properties: ['AuthType', 'TargetFunctionArn', 'InvokeMode'],
    ref: (resource) => String(resource.property('TargetFunctionArn')),
    attributes: (resource) => ({ FunctionUrl: `https://${functionUrlHost(resource)}/` }),
  },
  'AWS::Lambda::EventInvokeConfig': {
    handledBy: 'local/lambda/async-invocations.ts',
    properties: 'by the module',
  },
  'AWS::Lambda::EventSourceMapping': {
    handledBy: 'local/dynamodb: table streams; local/sqs: queues',
    properties: 'by the module',
  },
  'AWS::Events::Rule': {
    handledBy: 'local/time/schedule.ts',
    properties: ['Name', 'Description', 'ScheduleExpression', 'State', 'Targets'],
    ref: (resource) => stableName(resource, 'Name', 64),
    attributes: (_, ref) => ({ Arn: arn('events', `rule/${ref}`) }),
  },
  'AWS::SQS::Queue': {
    handledBy: 'local/sqs',
    properties: 'by the module',
    ref: (resource) => queueUrl(stableName(resource, 'QueueName', 80)),
    attributes: (resource) => ({ Arn: arn('sqs', stableName(resource, 'QueueName', 80)) }),
  },
};

const identity: Record<string, ResourceType> = {
  'AWS::IAM::Role': {
    handledBy: 'local/iam',
    properties: ['AssumeRolePolicyDocument', 'ManagedPolicyArns', 'RoleName'],
    ref: (resource) => stableName(resource, 'RoleName', 64),
    attributes: (_, ref) => ({ Arn: globalArn('iam', `role/${ref}`) }),
  },
  'AWS::IAM::Policy': {
    handledBy: 'local/iam',
    properties: ['PolicyDocument', 'PolicyName', 'Roles'],
  },
  'AWS::SES::EmailIdentity': {
    handledBy: 'local/ses',
    properties: ['EmailIdentity'],
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

/** Every resource type that the local cloud supports; any other type stops the start. */
export const resourceTypes: Readonly<Record<string, ResourceType>> = {
  ...storage,
  ...compute,
  ...identity,
  ...apiGatewayTypes,
  ...cloudFrontTypes,
  ...operationsTypes,
};

function named({ stack, logicalId, properties }: Resource): NamedResource {
  return { stack, logicalId, property: (name) => properties[name] };
}

/** The value of `Ref` for a resolved resource: its name, id, URL or ARN, depending on the type. */
export function physicalId(resource: Resource): string {
  return resourceTypes[resource.type]?.ref?.(named(resource)) ?? resource.logicalId;
}

/** The `Arn` attribute of a resolved resource. */
export function arnOf(resource: Resource): string {
  const attributes = resourceTypes[resource.type]?.attributes?.(
    named(resource),
    physicalId(resource),
  );
  return attributes?.['Arn'] ?? '';
}
