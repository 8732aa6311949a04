import { type Checked, listOf, objectAt } from './template.ts';

/**
 * Every action that Slipway grants or lets others use. An action that is not here is a typo or a
 * decision: IAM itself accepts any text.
 */
const knownActions = new Set([
  'cloudfront:CreateInvalidationForDistributionTenant',
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
  'ses:SendEmail',
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
const onlyForEverything = new Set(['xray:PutTelemetryRecords', 'xray:PutTraceSegments']);

/** Names of actions that do not exist or that nobody decided on, and of grants that are too wide. */
export function checkPermissions(resource: Checked): string[] {
  if (resource.type === 'AWS::Lambda::Permission') {
    return unknownActions(resource.properties.Action);
  }
  return statementsOf(resource).flatMap(checkStatement);
}

function checkStatement(statement: Record<string, unknown>): string[] {
  // A refusal may be as wide as it likes.
  if (statement.Effect === 'Deny') return [];
  const tooWide = listOf(statement.Resource).some((resource) => resource === '*')
    ? listOf(statement.Action)
        .map(String)
        .filter((action) => !onlyForEverything.has(action))
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

/** Statements of policies in their own resource, in a role, and of trust policies. */
function statementsOf({ properties }: Checked): Record<string, unknown>[] {
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
