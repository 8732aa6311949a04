import { type CheckedResource, listOf, objectAt } from './template.ts';

/**
 * Every action that Slipway grants. IAM accepts any text as an action, so an action that is missing
 * here is either a typo or must be added on purpose.
 */
const knownActions = new Set([
  'acm:AddTagsToCertificate',
  'acm:DeleteCertificate',
  'acm:DescribeCertificate',
  'acm:RequestCertificate',
  'cloudfront:CreateDistributionTenant',
  'cloudfront:DeleteDistributionTenant',
  'cloudfront:GetDistributionTenant',
  'cloudfront:TagResource',
  'cloudfront:UpdateDistributionTenant',
  'cloudfront:CreateInvalidationForDistributionTenant',
  'dynamodb:BatchGetItem',
  'dynamodb:BatchWriteItem',
  'dynamodb:ConditionCheckItem',
  'dynamodb:DeleteItem',
  'dynamodb:DescribeStream',
  'dynamodb:GetItem',
  'dynamodb:GetRecords',
  'dynamodb:GetShardIterator',
  'dynamodb:ListStreams',
  'dynamodb:PutItem',
  'dynamodb:Query',
  'dynamodb:UpdateItem',
  'lambda:InvokeFunction',
  'lambda:InvokeFunctionUrl',
  'logs:CreateLogStream',
  'logs:PutLogEvents',
  's3:AbortMultipartUpload',
  's3:DeleteObject',
  's3:GetObject',
  's3:ListBucket',
  's3:ListBucketMultipartUploads',
  's3:ListMultipartUploadParts',
  's3:PutObject',
  'secretsmanager:GetSecretValue',
  'secretsmanager:PutSecretValue',
  'ses:SendRawEmail',
  'sns:Publish',
  'sqs:DeleteMessage',
  'sqs:GetQueueAttributes',
  'sqs:ReceiveMessage',
  'sqs:SendMessage',
  'sts:AssumeRole',
  'xray:PutTelemetryRecords',
  'xray:PutTraceSegments',
]);

/** Actions that AWS accepts for the resource `*` only. */
const wildcardOnlyActions = new Set([
  'acm:RequestCertificate',
  'cloudfront:CreateDistributionTenant',
  'xray:PutTelemetryRecords',
  'xray:PutTraceSegments',
]);

/** Finds unknown actions and grants on all resources. */
export function checkPermissions(resource: CheckedResource): string[] {
  if (resource.type === 'AWS::Lambda::Permission') {
    return unknownActions(resource.properties.Action);
  }
  return statementsOf(resource).flatMap(checkStatement);
}

function checkStatement(statement: Record<string, unknown>): string[] {
  // A denial may cover every resource.
  if (statement.Effect === 'Deny') return [];
  const tooWide = listOf(statement.Resource).some((resource) => resource === '*')
    ? listOf(statement.Action)
        .map(String)
        .filter((action) => !wildcardOnlyActions.has(action))
        .map((action) => `${action} is allowed on every resource`)
    : [];
  return [...unknownActions(statement.Action), ...tooWide];
}

function unknownActions(actions: unknown): string[] {
  return listOf(actions)
    .map(String)
    .filter((action) => !knownActions.has(action))
    .map((action) => `${action} is not a known action`);
}

/** Statements of policy resources, of policies within a role and of trust policies. */
function statementsOf({ properties }: CheckedResource): Record<string, unknown>[] {
  const documents = [
    properties.PolicyDocument,
    properties.AssumeRolePolicyDocument,
    properties.ResourcePolicy,
    ...listOf(properties.Policies).map((policy) => objectAt(policy).PolicyDocument),
  ];
  return documents
    .flatMap((document) => listOf(objectAt(document).Statement))
    .map((statement) => objectAt(statement));
}
