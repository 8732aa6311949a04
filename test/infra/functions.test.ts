import { describe, expect, test } from '@jest/globals';
import { type FunctionName, functionNames } from '../../lib/functions/function-names.ts';
import { fullSettings, named, ofType, onlyOf, type Resource, synthesize } from './synthesize.ts';

const { service } = synthesize(fullSettings);
const functions = ofType(service, 'AWS::Lambda::Function');

const idOf: Record<FunctionName, string> = {
  system: 'System',
  'temp-projects': 'TempProjects',
  accounts: 'Accounts',
  projects: 'Projects',
  versions: 'Versions',
  workspaces: 'Workspaces',
  uploads: 'Uploads',
  'upload-links': 'UploadLinks',
  'upload-worker': 'UploadWorker',
  'visitor-forms': 'VisitorForms',
  export: 'Export',
  analytics: 'Analytics',
  'claim-pages': 'ClaimPages',
  oauth: 'Oauth',
  mcp: 'Mcp',
  'mcp-authorizer': 'McpAuthorizer',
  gate: 'Gate',
  'viewer-assets': 'ViewerAssets',
  'hit-counter': 'HitCounter',
  zip: 'Zip',
  maintenance: 'Maintenance',
  'media-key': 'MediaKey',
};

interface Statement {
  Effect: string;
  Action: string | string[];
  Resource: unknown;
  Condition?: unknown;
}

function statementsOf(policy: Resource): Statement[] {
  return policy.Properties.PolicyDocument.Statement;
}

/** `<what> <action>` for everything that a function's role allows, what being readable. */
function allowed(name: keyof typeof idOf): string[] {
  const policy = named(service, 'AWS::IAM::Policy', `${idOf[name]}RoleDefaultPolicy`);
  return statementsOf(policy)
    .flatMap(({ Action, Resource }) =>
      [Resource]
        .flat()
        .flatMap((resource) => [Action].flat().map((action) => `${what(resource)} ${action}`)),
    )
    .toSorted();
}

const places: [RegExp, string][] = [
  [/^"\*"$/, 'everything'],
  [/TablesSites/, 'sites'],
  [/TablesProjects.*\/index\/byDue/, 'projects by due'],
  [/TablesProjects.*\/index\/byOwner/, 'projects by owner'],
  [/TablesProjects.*\/stream\/\*/, 'projects streams'],
  [/TablesProjects.*StreamArn/, 'projects stream'],
  [/TablesProjects/, 'projects'],
  [/TablesCounters/, 'counters'],
  [/TablesCodes/, 'codes'],
  [/TablesAccounts/, 'accounts'],
  [/TablesAnalytics/, 'analytics'],
  [/TablesOauth/, 'oauth'],
  [/:identity\//, 'identity'],
  [/PlatformTenant/, 'sites tenant'],
  [/ContentBucket.*"\/content\/\*"/, 'content/*'],
  [/ContentBucket.*"\/temp\/\*"/, 'temp/*'],
  [/ContentBucket/, 'bucket'],
  [/UploadingQueue/, 'upload queue'],
  [/HitsQueue/, 'hits queue'],
  [/MediaKey/, 'media key'],
  [/AccessSecret/, 'access secret'],
  [/CodeSecret/, 'code secret'],
  [/OriginSecret/, 'origin secret'],
  [/DeadLetters/, 'dead letters'],
  [/"\w+Log[0-9A-F]{8}"/, 'own log'],
];

function what(resource: unknown): string {
  const text = JSON.stringify(resource);
  // The own log is looked for first: the log of `media-key` has that name in it too.
  const [last, rest] = [places.slice(-1), places.slice(0, -1)];
  return [...last, ...rest].find(([pattern]) => pattern.test(text))?.[1] ?? text;
}

const always = [
  'everything xray:PutTelemetryRecords',
  'everything xray:PutTraceSegments',
  'own log logs:CreateLogStream',
  'own log logs:PutLogEvents',
];

describe('every function', () => {
  test.each([...functionNames])(
    '%s runs on Node 24 on ARM, traced, with JSON logs of its own',
    (name) => {
      const { Properties } = named(service, 'AWS::Lambda::Function', idOf[name]);
      expect(Properties).toMatchObject({
        Runtime: 'nodejs24.x',
        Architectures: ['arm64'],
        Handler: 'index.handler',
        TracingConfig: { Mode: 'Active' },
        LoggingConfig: {
          LogFormat: 'JSON',
          LogGroup: { Ref: expect.stringMatching(/Log[0-9A-F]{8}$/) },
        },
        Environment: {
          Variables: { NODE_OPTIONS: '--enable-source-maps', POWERTOOLS_SERVICE_NAME: name },
        },
      });
    },
  );

  test('is one of those named', () => {
    expect(functions).toHaveLength(functionNames.length);
  });

  test('has a log that is kept for the days of the setting', () => {
    const { service: shorter } = synthesize({ logRetentionDays: 7 });
    const logs = ofType(shorter, 'AWS::Logs::LogGroup');
    expect(logs).toHaveLength(functionNames.length + 1);
    for (const log of logs) expect(log.Properties.RetentionInDays).toBe(7);
  });
});

describe('a function may do exactly', () => {
  const own: Record<keyof typeof idOf, string[]> = {
    system: ['origin secret secretsmanager:GetSecretValue'],
    'temp-projects': [
      'bucket s3:ListBucket',
      'bucket s3:ListBucketMultipartUploads',
      'content/* s3:DeleteObject',
      'content/* s3:PutObject',
      'counters dynamodb:DeleteItem',
      'counters dynamodb:GetItem',
      'counters dynamodb:PutItem',
      'counters dynamodb:UpdateItem',
      'origin secret secretsmanager:GetSecretValue',
      'projects dynamodb:DeleteItem',
      'projects dynamodb:GetItem',
      'projects dynamodb:PutItem',
      'projects dynamodb:UpdateItem',
      'sites dynamodb:PutItem',
      'temp/* s3:AbortMultipartUpload',
      'temp/* s3:DeleteObject',
      'temp/* s3:GetObject',
      'temp/* s3:ListMultipartUploadParts',
      'temp/* s3:PutObject',
    ],
    accounts: [
      'accounts dynamodb:DeleteItem',
      'accounts dynamodb:GetItem',
      'accounts dynamodb:PutItem',
      'accounts dynamodb:Query',
      'accounts dynamodb:UpdateItem',
      'code secret secretsmanager:GetSecretValue',
      'codes dynamodb:DeleteItem',
      'codes dynamodb:GetItem',
      'codes dynamodb:PutItem',
      'counters dynamodb:DeleteItem',
      'counters dynamodb:GetItem',
      'counters dynamodb:PutItem',
      'counters dynamodb:UpdateItem',
      'identity ses:SendEmail',
      'oauth dynamodb:DeleteItem',
      'oauth dynamodb:Query',
      'origin secret secretsmanager:GetSecretValue',
      'projects dynamodb:GetItem',
      'projects dynamodb:PutItem',
      'sites dynamodb:PutItem',
    ],
    projects: [
      'access secret secretsmanager:GetSecretValue',
      'accounts dynamodb:ConditionCheckItem',
      'accounts dynamodb:GetItem',
      'accounts dynamodb:UpdateItem',
      'analytics dynamodb:BatchWriteItem',
      'analytics dynamodb:Query',
      'bucket s3:ListBucket',
      'bucket s3:ListBucketMultipartUploads',
      'content/* s3:AbortMultipartUpload',
      'content/* s3:DeleteObject',
      'content/* s3:GetObject',
      'content/* s3:PutObject',
      'counters dynamodb:DeleteItem',
      'counters dynamodb:GetItem',
      'counters dynamodb:PutItem',
      'counters dynamodb:UpdateItem',
      'origin secret secretsmanager:GetSecretValue',
      'projects by owner dynamodb:Query',
      'projects dynamodb:DeleteItem',
      'projects dynamodb:GetItem',
      'projects dynamodb:PutItem',
      'projects dynamodb:Query',
      'projects dynamodb:UpdateItem',
      'sites dynamodb:DeleteItem',
      'sites dynamodb:GetItem',
      'sites dynamodb:PutItem',
      'sites dynamodb:UpdateItem',
      'sites tenant cloudfront:CreateInvalidationForDistributionTenant',
      'temp/* s3:AbortMultipartUpload',
      'temp/* s3:DeleteObject',
      'temp/* s3:GetObject',
      'temp/* s3:ListMultipartUploadParts',
      'temp/* s3:PutObject',
      'upload queue sqs:SendMessage',
    ],
    versions: [
      'access secret secretsmanager:GetSecretValue',
      'accounts dynamodb:ConditionCheckItem',
      'accounts dynamodb:GetItem',
      'accounts dynamodb:UpdateItem',
      'analytics dynamodb:BatchWriteItem',
      'analytics dynamodb:Query',
      'bucket s3:ListBucket',
      'bucket s3:ListBucketMultipartUploads',
      'content/* s3:AbortMultipartUpload',
      'content/* s3:DeleteObject',
      'content/* s3:GetObject',
      'content/* s3:PutObject',
      'counters dynamodb:DeleteItem',
      'counters dynamodb:GetItem',
      'counters dynamodb:PutItem',
      'counters dynamodb:UpdateItem',
      'origin secret secretsmanager:GetSecretValue',
      'projects by owner dynamodb:Query',
      'projects dynamodb:DeleteItem',
      'projects dynamodb:GetItem',
      'projects dynamodb:PutItem',
      'projects dynamodb:Query',
      'projects dynamodb:UpdateItem',
      'sites dynamodb:DeleteItem',
      'sites dynamodb:GetItem',
      'sites dynamodb:PutItem',
      'sites tenant cloudfront:CreateInvalidationForDistributionTenant',
      'temp/* s3:AbortMultipartUpload',
      'temp/* s3:DeleteObject',
      'temp/* s3:GetObject',
      'temp/* s3:ListMultipartUploadParts',
      'temp/* s3:PutObject',
      'upload queue sqs:SendMessage',
    ],
    workspaces: [
      'accounts dynamodb:DeleteItem',
      'accounts dynamodb:GetItem',
      'accounts dynamodb:PutItem',
      'accounts dynamodb:Query',
      'accounts dynamodb:UpdateItem',
      'counters dynamodb:DeleteItem',
      'counters dynamodb:GetItem',
      'counters dynamodb:PutItem',
      'counters dynamodb:UpdateItem',
      'origin secret secretsmanager:GetSecretValue',
      'projects by owner dynamodb:Query',
      'projects dynamodb:UpdateItem',
    ],
    export: [
      'accounts dynamodb:GetItem',
      'accounts dynamodb:Query',
      'accounts dynamodb:UpdateItem',
      'content/* s3:GetObject',
      'counters dynamodb:DeleteItem',
      'counters dynamodb:GetItem',
      'counters dynamodb:PutItem',
      'counters dynamodb:UpdateItem',
      'origin secret secretsmanager:GetSecretValue',
      'projects by owner dynamodb:Query',
      'projects dynamodb:GetItem',
      'projects dynamodb:Query',
    ],
    analytics: [
      'accounts dynamodb:GetItem',
      'accounts dynamodb:UpdateItem',
      'analytics dynamodb:Query',
      'counters dynamodb:DeleteItem',
      'counters dynamodb:GetItem',
      'counters dynamodb:PutItem',
      'counters dynamodb:UpdateItem',
      'origin secret secretsmanager:GetSecretValue',
      'projects dynamodb:GetItem',
    ],
    'hit-counter': [
      'accounts dynamodb:GetItem',
      'analytics dynamodb:GetItem',
      'analytics dynamodb:PutItem',
      'analytics dynamodb:Query',
      'analytics dynamodb:UpdateItem',
      'counters dynamodb:GetItem',
      'counters dynamodb:UpdateItem',
      'hits queue sqs:DeleteMessage',
      'hits queue sqs:GetQueueAttributes',
      'hits queue sqs:ReceiveMessage',
      'identity ses:SendEmail',
      'projects by owner dynamodb:Query',
      'projects dynamodb:GetItem',
      'projects dynamodb:PutItem',
      'sites dynamodb:PutItem',
      'sites tenant cloudfront:CreateInvalidationForDistributionTenant',
    ],
    'claim-pages': [
      'accounts dynamodb:GetItem',
      'accounts dynamodb:PutItem',
      'accounts dynamodb:UpdateItem',
      'code secret secretsmanager:GetSecretValue',
      'codes dynamodb:DeleteItem',
      'codes dynamodb:GetItem',
      'codes dynamodb:PutItem',
      'counters dynamodb:GetItem',
      'counters dynamodb:UpdateItem',
      'identity ses:SendEmail',
      'origin secret secretsmanager:GetSecretValue',
      'projects dynamodb:GetItem',
      'projects dynamodb:PutItem',
      'projects dynamodb:UpdateItem',
      'sites dynamodb:UpdateItem',
      'sites tenant cloudfront:CreateInvalidationForDistributionTenant',
    ],
    oauth: [
      'access secret secretsmanager:GetSecretValue',
      'accounts dynamodb:DeleteItem',
      'accounts dynamodb:GetItem',
      'accounts dynamodb:PutItem',
      'accounts dynamodb:Query',
      'accounts dynamodb:UpdateItem',
      'code secret secretsmanager:GetSecretValue',
      'codes dynamodb:DeleteItem',
      'codes dynamodb:GetItem',
      'codes dynamodb:PutItem',
      'counters dynamodb:GetItem',
      'counters dynamodb:UpdateItem',
      'identity ses:SendEmail',
      'oauth dynamodb:DeleteItem',
      'oauth dynamodb:GetItem',
      'oauth dynamodb:PutItem',
      'oauth dynamodb:Query',
      'oauth dynamodb:UpdateItem',
      'origin secret secretsmanager:GetSecretValue',
    ],
    mcp: [
      'accounts dynamodb:ConditionCheckItem',
      'accounts dynamodb:GetItem',
      'accounts dynamodb:UpdateItem',
      'analytics dynamodb:BatchWriteItem',
      'analytics dynamodb:Query',
      'bucket s3:ListBucket',
      'bucket s3:ListBucketMultipartUploads',
      'content/* s3:AbortMultipartUpload',
      'content/* s3:DeleteObject',
      'content/* s3:GetObject',
      'content/* s3:PutObject',
      'counters dynamodb:DeleteItem',
      'counters dynamodb:GetItem',
      'counters dynamodb:PutItem',
      'counters dynamodb:UpdateItem',
      'oauth dynamodb:GetItem',
      'oauth dynamodb:UpdateItem',
      'origin secret secretsmanager:GetSecretValue',
      'projects by owner dynamodb:Query',
      'projects dynamodb:DeleteItem',
      'projects dynamodb:GetItem',
      'projects dynamodb:PutItem',
      'projects dynamodb:Query',
      'projects dynamodb:UpdateItem',
      'sites dynamodb:DeleteItem',
      'sites dynamodb:GetItem',
      'sites dynamodb:PutItem',
      'sites dynamodb:UpdateItem',
      'sites tenant cloudfront:CreateInvalidationForDistributionTenant',
      'temp/* s3:AbortMultipartUpload',
      'temp/* s3:DeleteObject',
      'temp/* s3:GetObject',
      'temp/* s3:ListMultipartUploadParts',
      'temp/* s3:PutObject',
      'upload queue sqs:SendMessage',
    ],
    'mcp-authorizer': [
      'accounts dynamodb:GetItem',
      'oauth dynamodb:GetItem',
      'oauth dynamodb:UpdateItem',
      'origin secret secretsmanager:GetSecretValue',
    ],
    uploads: [
      'accounts dynamodb:GetItem',
      'accounts dynamodb:UpdateItem',
      'bucket s3:ListBucket',
      'counters dynamodb:DeleteItem',
      'counters dynamodb:GetItem',
      'counters dynamodb:PutItem',
      'counters dynamodb:UpdateItem',
      'origin secret secretsmanager:GetSecretValue',
      'projects dynamodb:GetItem',
      'projects dynamodb:PutItem',
      'temp/* s3:GetObject',
      'temp/* s3:ListMultipartUploadParts',
      'temp/* s3:PutObject',
    ],
    'upload-links': [
      'accounts dynamodb:ConditionCheckItem',
      'accounts dynamodb:GetItem',
      'accounts dynamodb:UpdateItem',
      'analytics dynamodb:BatchWriteItem',
      'analytics dynamodb:Query',
      'bucket s3:ListBucket',
      'bucket s3:ListBucketMultipartUploads',
      'content/* s3:AbortMultipartUpload',
      'content/* s3:DeleteObject',
      'content/* s3:GetObject',
      'content/* s3:PutObject',
      'counters dynamodb:DeleteItem',
      'counters dynamodb:GetItem',
      'counters dynamodb:PutItem',
      'counters dynamodb:UpdateItem',
      'oauth dynamodb:GetItem',
      'origin secret secretsmanager:GetSecretValue',
      'projects by owner dynamodb:Query',
      'projects dynamodb:DeleteItem',
      'projects dynamodb:GetItem',
      'projects dynamodb:PutItem',
      'projects dynamodb:Query',
      'projects dynamodb:UpdateItem',
      'sites dynamodb:DeleteItem',
      'sites dynamodb:GetItem',
      'sites dynamodb:PutItem',
      'sites tenant cloudfront:CreateInvalidationForDistributionTenant',
      'temp/* s3:AbortMultipartUpload',
      'temp/* s3:DeleteObject',
      'temp/* s3:GetObject',
      'temp/* s3:ListMultipartUploadParts',
      'temp/* s3:PutObject',
      'upload queue sqs:SendMessage',
    ],
    'upload-worker': [
      'accounts dynamodb:ConditionCheckItem',
      'accounts dynamodb:GetItem',
      'accounts dynamodb:UpdateItem',
      'analytics dynamodb:BatchWriteItem',
      'analytics dynamodb:Query',
      'bucket s3:ListBucket',
      'bucket s3:ListBucketMultipartUploads',
      'content/* s3:AbortMultipartUpload',
      'content/* s3:DeleteObject',
      'content/* s3:GetObject',
      'content/* s3:PutObject',
      'projects by owner dynamodb:Query',
      'projects dynamodb:DeleteItem',
      'projects dynamodb:GetItem',
      'projects dynamodb:PutItem',
      'projects dynamodb:Query',
      'projects dynamodb:UpdateItem',
      'sites dynamodb:DeleteItem',
      'sites dynamodb:GetItem',
      'sites dynamodb:PutItem',
      'sites tenant cloudfront:CreateInvalidationForDistributionTenant',
      'temp/* s3:AbortMultipartUpload',
      'temp/* s3:DeleteObject',
      'temp/* s3:GetObject',
      'temp/* s3:ListMultipartUploadParts',
      'temp/* s3:PutObject',
      'upload queue sqs:DeleteMessage',
      'upload queue sqs:GetQueueAttributes',
      'upload queue sqs:ReceiveMessage',
      'upload queue sqs:SendMessage',
    ],
    'visitor-forms': [
      'access secret secretsmanager:GetSecretValue',
      'counters dynamodb:GetItem',
      'counters dynamodb:UpdateItem',
      'hits queue sqs:SendMessage',
      'origin secret secretsmanager:GetSecretValue',
      'projects dynamodb:GetItem',
      'projects dynamodb:PutItem',
      'sites dynamodb:GetItem',
    ],
    'viewer-assets': [],
    gate: [
      'access secret secretsmanager:GetSecretValue',
      'bucket s3:ListBucket',
      'content/* s3:GetObject',
      'hits queue sqs:SendMessage',
      'media key secretsmanager:GetSecretValue',
      'projects dynamodb:GetItem',
      'sites dynamodb:GetItem',
    ],
    zip: [
      'access secret secretsmanager:GetSecretValue',
      'bucket s3:ListBucket',
      'content/* s3:GetObject',
      'counters dynamodb:UpdateItem',
      'projects dynamodb:GetItem',
      'sites dynamodb:GetItem',
    ],
    maintenance: [
      'accounts dynamodb:ConditionCheckItem',
      'accounts dynamodb:DeleteItem',
      'accounts dynamodb:GetItem',
      'accounts dynamodb:Query',
      'accounts dynamodb:UpdateItem',
      'analytics dynamodb:BatchWriteItem',
      'analytics dynamodb:Query',
      'bucket s3:ListBucket',
      'bucket s3:ListBucketMultipartUploads',
      'content/* s3:AbortMultipartUpload',
      'content/* s3:DeleteObject',
      'content/* s3:GetObject',
      'content/* s3:PutObject',
      'dead letters sqs:SendMessage',
      'identity ses:SendEmail',
      'projects by due dynamodb:Query',
      'projects by owner dynamodb:Query',
      'projects dynamodb:DeleteItem',
      'projects dynamodb:GetItem',
      'projects dynamodb:PutItem',
      'projects dynamodb:Query',
      'projects dynamodb:UpdateItem',
      'projects stream dynamodb:DescribeStream',
      'projects stream dynamodb:GetRecords',
      'projects stream dynamodb:GetShardIterator',
      'projects streams dynamodb:ListStreams',
      'sites dynamodb:DeleteItem',
      'sites dynamodb:GetItem',
      'sites dynamodb:PutItem',
      'sites tenant cloudfront:CreateInvalidationForDistributionTenant',
      'temp/* s3:AbortMultipartUpload',
      'temp/* s3:DeleteObject',
      'temp/* s3:GetObject',
      'temp/* s3:ListMultipartUploadParts',
      'temp/* s3:PutObject',
      'upload queue sqs:SendMessage',
    ],
    'media-key': [
      'media key secretsmanager:GetSecretValue',
      'media key secretsmanager:PutSecretValue',
    ],
  };

  test.each([...functionNames])('%s: what it was granted', (name) => {
    expect(allowed(name)).toEqual([...always, ...own[name]].toSorted());
  });

  test('what its own policy says: no managed policy and no inline one', () => {
    for (const name of functionNames) {
      const role = named(service, 'AWS::IAM::Role', `${idOf[name]}Role`);
      expect(Object.keys(role.Properties)).toEqual(['AssumeRolePolicyDocument']);
    }
  });

  test('list only published keys', () => {
    const listing = ofType(service, 'AWS::IAM::Policy')
      .flatMap(statementsOf)
      .filter(({ Action }) => [Action].flat().includes('s3:ListBucket'));
    expect(listing).toHaveLength(10);
    for (const { Condition } of listing) {
      expect(Condition).toEqual({ StringLike: { 's3:prefix': ['content/*', 'temp/*'] } });
    }
  });

  test('nothing on every resource but writing traces', () => {
    const wide = ofType(service, 'AWS::IAM::Policy')
      .flatMap(statementsOf)
      .filter(({ Resource }) => [Resource].flat().includes('*'))
      .flatMap(({ Action }) => Action);
    expect([...new Set(wide)].toSorted()).toEqual([
      'xray:PutTelemetryRecords',
      'xray:PutTraceSegments',
    ]);
  });
});

describe('a function knows exactly', () => {
  const variables: Record<keyof typeof idOf, string[]> = {
    system: [
      'BASE_URL',
      'BRAND',
      'ORIGIN_SECRET_ARN',
      'PLANS',
      'SECURITY_CONTACT',
      'SECURITY_POLICY',
      'SITES_DOMAIN',
      'TEMP_UPLOADS_PER_HOUR',
      'TEMP_UPLOADS_PER_MINUTE',
    ],
    'temp-projects': [
      'BASE_URL',
      'BRAND',
      'CONTENT_BUCKET',
      'COUNTERS_TABLE',
      'ORIGIN_SECRET_ARN',
      'PROJECTS_TABLE',
      'SITES_DOMAIN',
      'SITES_TABLE',
      'TEMP_UPLOADS_PER_HOUR',
      'TEMP_UPLOADS_PER_MINUTE',
    ],
    accounts: [
      'ACCOUNTS_TABLE',
      'BASE_URL',
      'BRAND',
      'CODES_TABLE',
      'CODE_SECRET_ARN',
      'COUNTERS_TABLE',
      'KEY_PREFIX',
      'MAIL_FROM',
      'OAUTH_TABLE',
      'ORIGIN_SECRET_ARN',
      'PLANS',
      'PROJECTS_TABLE',
      'SIGN_UP_POLICY',
      'SITES_DOMAIN',
      'SITES_TABLE',
      'TRIAL_DAYS',
    ],
    projects: [
      'ACCESS_SECRET_ARN',
      'ACCOUNTS_TABLE',
      'ANALYTICS_TABLE',
      'BASE_URL',
      'BRAND',
      'CONTENT_BUCKET',
      'COUNTERS_TABLE',
      'DELETED_KEPT_DAYS',
      'KEY_PREFIX',
      'ORIGIN_SECRET_ARN',
      'PLANS',
      'PROJECTS_TABLE',
      'SITES_DOMAIN',
      'SITES_TABLE',
      'SITES_TENANT_ID',
      'UPLOAD_QUEUE_URL',
    ],
    versions: [
      'ACCESS_SECRET_ARN',
      'ACCOUNTS_TABLE',
      'ANALYTICS_TABLE',
      'BASE_URL',
      'BRAND',
      'CONTENT_BUCKET',
      'COUNTERS_TABLE',
      'DELETED_KEPT_DAYS',
      'KEY_PREFIX',
      'ORIGIN_SECRET_ARN',
      'PLANS',
      'PROJECTS_TABLE',
      'SITES_DOMAIN',
      'SITES_TABLE',
      'SITES_TENANT_ID',
      'UPLOAD_QUEUE_URL',
    ],
    workspaces: [
      'ACCOUNTS_TABLE',
      'BASE_URL',
      'BRAND',
      'COUNTERS_TABLE',
      'KEY_PREFIX',
      'ORIGIN_SECRET_ARN',
      'PLANS',
      'PROJECTS_TABLE',
      'SITES_DOMAIN',
    ],
    export: [
      'ACCOUNTS_TABLE',
      'BASE_URL',
      'BRAND',
      'CONTENT_BUCKET',
      'COUNTERS_TABLE',
      'KEY_PREFIX',
      'ORIGIN_SECRET_ARN',
      'PLANS',
      'PROJECTS_TABLE',
      'SITES_DOMAIN',
    ],
    analytics: [
      'ACCOUNTS_TABLE',
      'ANALYTICS_TABLE',
      'BASE_URL',
      'BRAND',
      'COUNTERS_TABLE',
      'KEY_PREFIX',
      'ORIGIN_SECRET_ARN',
      'PLANS',
      'PROJECTS_TABLE',
      'SITES_DOMAIN',
    ],
    'hit-counter': [
      'ACCOUNTS_TABLE',
      'ANALYTICS_TABLE',
      'BASE_URL',
      'BRAND',
      'COUNTERS_TABLE',
      'MAIL_FROM',
      'PLANS',
      'PROJECTS_TABLE',
      'SITES_DOMAIN',
      'SITES_TABLE',
      'SITES_TENANT_ID',
    ],
    'claim-pages': [
      'ACCOUNTS_TABLE',
      'BASE_URL',
      'BRAND',
      'CODES_TABLE',
      'CODE_SECRET_ARN',
      'COUNTERS_TABLE',
      'MAIL_FROM',
      'ORIGIN_SECRET_ARN',
      'PLANS',
      'PROJECTS_TABLE',
      'SIGN_UP_POLICY',
      'SITES_DOMAIN',
      'SITES_TABLE',
      'SITES_TENANT_ID',
      'TRIAL_DAYS',
    ],
    oauth: [
      'ACCESS_SECRET_ARN',
      'ACCOUNTS_TABLE',
      'BASE_URL',
      'BRAND',
      'CODES_TABLE',
      'CODE_SECRET_ARN',
      'COUNTERS_TABLE',
      'KEY_PREFIX',
      'MAIL_FROM',
      'OAUTH_SENDS_ISSUER',
      'OAUTH_TABLE',
      'ORIGIN_SECRET_ARN',
      'PLANS',
      'SIGN_UP_POLICY',
      'SITES_DOMAIN',
      'TRIAL_DAYS',
    ],
    mcp: [
      'ACCOUNTS_TABLE',
      'ANALYTICS_TABLE',
      'BASE_URL',
      'BRAND',
      'CONTENT_BUCKET',
      'COUNTERS_TABLE',
      'DELETED_KEPT_DAYS',
      'KEY_PREFIX',
      'OAUTH_TABLE',
      'ORIGIN_SECRET_ARN',
      'PLANS',
      'PROJECTS_TABLE',
      'SITES_DOMAIN',
      'SITES_TABLE',
      'SITES_TENANT_ID',
      'TEMP_UPLOADS_PER_HOUR',
      'TEMP_UPLOADS_PER_MINUTE',
      'UPLOAD_QUEUE_URL',
    ],
    'mcp-authorizer': [
      'ACCOUNTS_TABLE',
      'BASE_URL',
      'BRAND',
      'KEY_PREFIX',
      'OAUTH_TABLE',
      'ORIGIN_SECRET_ARN',
      'SITES_DOMAIN',
    ],
    uploads: [
      'ACCOUNTS_TABLE',
      'BASE_URL',
      'BRAND',
      'CONTENT_BUCKET',
      'COUNTERS_TABLE',
      'KEY_PREFIX',
      'ORIGIN_SECRET_ARN',
      'PLANS',
      'PROJECTS_TABLE',
      'SITES_DOMAIN',
      'TEMP_UPLOADS_PER_HOUR',
      'TEMP_UPLOADS_PER_MINUTE',
    ],
    'upload-links': [
      'ACCOUNTS_TABLE',
      'ANALYTICS_TABLE',
      'BASE_URL',
      'BRAND',
      'CONTENT_BUCKET',
      'COUNTERS_TABLE',
      'DELETED_KEPT_DAYS',
      'KEY_PREFIX',
      'OAUTH_TABLE',
      'ORIGIN_SECRET_ARN',
      'PLANS',
      'PROJECTS_TABLE',
      'SITES_DOMAIN',
      'SITES_TABLE',
      'SITES_TENANT_ID',
      'TEMP_UPLOADS_PER_HOUR',
      'TEMP_UPLOADS_PER_MINUTE',
      'UPLOAD_QUEUE_URL',
    ],
    'upload-worker': [
      'ACCOUNTS_TABLE',
      'ANALYTICS_TABLE',
      'BASE_URL',
      'BRAND',
      'CONTENT_BUCKET',
      'DELETED_KEPT_DAYS',
      'PLANS',
      'PROJECTS_TABLE',
      'SITES_DOMAIN',
      'SITES_TABLE',
      'SITES_TENANT_ID',
      'UPLOAD_QUEUE_URL',
    ],
    'visitor-forms': [
      'ACCESS_SECRET_ARN',
      'BASE_URL',
      'BRAND',
      'COUNTERS_TABLE',
      'HITS_QUEUE_URL',
      'ORIGIN_SECRET_ARN',
      'PROJECTS_TABLE',
      'SITES_DOMAIN',
      'SITES_TABLE',
    ],
    'viewer-assets': [],
    gate: [
      'ACCESS_SECRET_ARN',
      'BASE_URL',
      'BRAND',
      'CONTENT_BUCKET',
      'HITS_QUEUE_URL',
      'MEDIA_KEY_GENERATION',
      'MEDIA_KEY_ID',
      'MEDIA_KEY_SECRET',
      'PROJECTS_TABLE',
      'SITES_DOMAIN',
      'SITES_TABLE',
    ],
    zip: [
      'ACCESS_SECRET_ARN',
      'BASE_URL',
      'BRAND',
      'CONTENT_BUCKET',
      'COUNTERS_TABLE',
      'PROJECTS_TABLE',
      'SITES_DOMAIN',
      'SITES_TABLE',
    ],
    maintenance: [
      'ACCOUNTS_TABLE',
      'ANALYTICS_TABLE',
      'BASE_URL',
      'BRAND',
      'CONTENT_BUCKET',
      'DELETED_KEPT_DAYS',
      'MAIL_FROM',
      'PLANS',
      'PROJECTS_TABLE',
      'SITES_DOMAIN',
      'SITES_TABLE',
      'SITES_TENANT_ID',
      'UPLOAD_QUEUE_URL',
    ],
    'media-key': [],
  };

  test.each([...functionNames])('%s: its variables', (name) => {
    const fn = named(service, 'AWS::Lambda::Function', idOf[name]).Properties;
    const names = Object.keys(fn.Environment.Variables);
    const common = ['NODE_OPTIONS', 'POWERTOOLS_LOG_LEVEL', 'POWERTOOLS_SERVICE_NAME'];
    expect(names.toSorted()).toEqual([...common, ...variables[name]].toSorted());
  });

  test.each([
    [{}, 'https://app.example.com', 'sites.example.net'],
    [
      { appDomain: 'localhost:8787', sitesDomain: 'sites.localhost:8787', originScheme: 'http' },
      'http://localhost:8787',
      'sites.localhost:8787',
    ],
  ])('its addresses, port included', (settings, base, sites) => {
    const fn = named(synthesize(settings).service, 'AWS::Lambda::Function', 'Gate').Properties;
    expect(fn.Environment.Variables).toMatchObject({ BASE_URL: base, SITES_DOMAIN: sites });
  });

  test('point 14: where a secret is, and no value of one', () => {
    for (const { Properties } of functions) {
      expect(JSON.stringify(Properties.Environment ?? {})).not.toContain('{{resolve:');
    }
  });
});

describe('media key', () => {
  /** What the edge trusts and what the gate signs with, by the logical ids of public keys. */
  function keysOf(template: ReturnType<typeof synthesize>['service']) {
    const { Items } = onlyOf(template, 'AWS::CloudFront::KeyGroup').Properties.KeyGroupConfig;
    const { Variables } = named(template, 'AWS::Lambda::Function', 'Gate').Properties.Environment;
    const trusted: string[] = Items.map(({ Ref }: { Ref: string }) => Ref);
    const pems = trusted.map(
      (id) => template.Resources[id]?.Properties.PublicKeyConfig.EncodedKey['Fn::GetAtt'][1],
    );
    const signing: string = Variables.MEDIA_KEY_ID.Ref;
    return { trusted, pems, signing, generation: Variables.MEDIA_KEY_GENERATION };
  }

  test('is made by its function, and its public half is what CloudFront checks', () => {
    expect(onlyOf(service, 'Custom::MediaKey').Properties).toEqual({
      ServiceToken: { 'Fn::GetAtt': [expect.stringMatching(/^MediaKey/), 'Arn'] },
      SecretArn: { 'Fn::ImportValue': expect.stringContaining('MediaKey') },
      Generation: 1,
      PropagationSeconds: 900,
    });
    expect(keysOf(service).pems).toEqual(['PublicKeyPem1', 'PublicKeyPem2']);
  });

  test('point 14: before and after a rotation, the edge trusts what signs on both sides', () => {
    const generations = [1, 2, 3, 4].map((mediaKeyGeneration) =>
      keysOf(synthesize({ mediaKeyGeneration }).service),
    );
    expect(generations.map(({ generation }) => generation)).toEqual(['1', '2', '3', '4']);
    expect(new Set(generations.map(({ signing }) => signing)).size).toBe(4);
    for (const [at, after] of generations.entries()) {
      const before = generations[Math.max(0, at - 1)] ?? after;
      for (const { trusted } of [before, after]) {
        expect(trusted).toContain(before.signing);
        expect(trusted).toContain(after.signing);
      }
    }
    // The second rotation ends the first key.
    expect(generations[2]?.trusted).not.toContain(generations[0]?.signing);
    expect(generations[2]?.pems).toEqual(['PublicKeyPem2', 'PublicKeyPem3', 'PublicKeyPem4']);
  });

  test('point 14: a rotation changes neither the distribution nor the id of the key group', () => {
    const [one, two] = [1, 2].map(
      (mediaKeyGeneration) => synthesize({ mediaKeyGeneration }).service,
    );
    if (one === undefined || two === undefined) throw new Error('not made');
    expect(ofType(two, 'AWS::CloudFront::Distribution')).toEqual(
      ofType(one, 'AWS::CloudFront::Distribution'),
    );
    const groupId = (template: typeof one) =>
      Object.keys(template.Resources).filter((id) => id.startsWith('MediaSigningKeyGroup'));
    expect(groupId(two)).toEqual(groupId(one));
  });
});
