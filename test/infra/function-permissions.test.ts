import { describe, expect, test } from '@jest/globals';
import { type FunctionName, functionNames } from '../../lib/functions/function-names.ts';
import {
  allowedActions,
  ownLogActions,
  roleId,
  service,
  statementsOf,
  traceActions,
} from './functions.ts';
import { ofType } from './synthesize.ts';

/** Each traced, and each with a log of its own. */
const untraced = new Set<FunctionName>(['gate', 'hit-counter', 'maintenance', 'webhook-sender']);

// The snapshot has the policy of each function; a function that lacks a permission fails in the local cloud.
describe('least privilege', () => {
  /** Functions that a visitor or a stranger reaches without an account, and those that only make resources. */
  const exact: Partial<Record<FunctionName, string[]>> = {
    system: ['origin secret secretsmanager:GetSecretValue'],
    'mcp-authorizer': [
      'accounts dynamodb:GetItem',
      'oauth dynamodb:GetItem',
      'oauth dynamodb:UpdateItem',
      'origin secret secretsmanager:GetSecretValue',
    ],
    'visitor-forms': [
      'access secret secretsmanager:GetSecretValue',
      'accounts dynamodb:GetItem',
      'configuration set ses:SendRawEmail',
      'counters dynamodb:GetItem',
      'counters dynamodb:UpdateItem',
      'hits queue sqs:SendMessage',
      'identity ses:SendRawEmail',
      'origin secret secretsmanager:GetSecretValue',
      'projects dynamodb:GetItem',
      'projects dynamodb:PutItem',
      'projects dynamodb:Query',
      'projects dynamodb:UpdateItem',
      'sites dynamodb:GetItem',
    ],
    'viewer-assets': [],
    // It connects to hosts of strangers: no secret, no file, no site.
    'webhook-sender': [
      'accounts dynamodb:GetItem',
      'accounts dynamodb:PutItem',
      'configuration set ses:SendRawEmail',
      'counters dynamodb:GetItem',
      'counters dynamodb:UpdateItem',
      'identity ses:SendRawEmail',
      'projects dynamodb:DeleteItem',
      'projects dynamodb:GetItem',
      'projects dynamodb:PutItem',
      'projects dynamodb:Query',
      'projects dynamodb:UpdateItem',
      'projects stream dynamodb:DescribeStream',
      'projects stream dynamodb:GetRecords',
      'projects stream dynamodb:GetShardIterator',
      'projects streams dynamodb:ListStreams',
      'webhook queue sqs:DeleteMessage',
      'webhook queue sqs:GetQueueAttributes',
      'webhook queue sqs:ReceiveMessage',
      'webhook queue sqs:SendMessage',
    ],
    gate: [
      'access secret secretsmanager:GetSecretValue',
      'bucket s3:ListBucket',
      'content/* s3:GetObject',
      'hits queue sqs:SendMessage',
      'projects dynamodb:GetItem',
      'sites dynamodb:GetItem',
    ],
    streams: [
      'access secret secretsmanager:GetSecretValue',
      'bucket s3:ListBucket',
      'content/* s3:GetObject',
      'counters dynamodb:UpdateItem',
      'hits queue sqs:SendMessage',
      'projects dynamodb:GetItem',
      'sites dynamodb:GetItem',
    ],
    'api-keys': [
      'API key secretsmanager:GetSecretValue',
      'access secret secretsmanager:GetSecretValue',
      'all secrets secretsmanager:PutSecretValue',
      'code secret secretsmanager:GetSecretValue',
      'origin secret secretsmanager:GetSecretValue',
    ],
    'web-app': [
      'web app s3:DeleteObject',
      'web app s3:GetObject',
      'web app s3:ListBucket',
      'web app s3:PutObject',
    ],
  };

  test.each(Object.entries(exact))('%s may do exactly this', (name, own) => {
    const fn = functionNames.find((one) => one === name);
    if (fn === undefined) throw new Error(`${name} is no function`);
    const common = untraced.has(fn) ? ownLogActions : [...ownLogActions, ...traceActions];
    expect(allowedActions(fn)).toEqual([...common, ...own].toSorted());
  });

  test('every function may write its own log and, if it is traced, traces', () => {
    for (const name of functionNames) {
      const common = [...ownLogActions, ...traceActions];
      const has = allowedActions(name).filter((one) => common.includes(one));
      expect([name, has]).toEqual([name, (untraced.has(name) ? ownLogActions : common).toSorted()]);
    }
  });

  /** What publishes, changes and deletes whole projects. */
  const publishing: FunctionName[] = [
    'projects',
    'versions',
    'domains',
    'mcp',
    'upload-links',
    'upload-worker',
    'maintenance',
  ];
  const domains: FunctionName[] = ['domains', 'maintenance'];
  const signIn: FunctionName[] = ['accounts', 'claim-pages', 'oauth'];

  test.each<[string, FunctionName[]]>([
    ['code secret secretsmanager:GetSecretValue', [...signIn, 'api-keys']],
    ['API key secretsmanager:GetSecretValue', ['api-keys']],
    [
      'access secret secretsmanager:GetSecretValue',
      [
        'projects',
        'versions',
        'export',
        'oauth',
        'mcp',
        'visitor-forms',
        'gate',
        'streams',
        'maintenance',
        'api-keys',
      ],
    ],
    ['all secrets secretsmanager:PutSecretValue', ['api-keys']],
    ['codes dynamodb:PutItem', signIn],
    [
      'accounts dynamodb:PutItem',
      [...signIn, 'workspaces', 'operators', 'webhooks', 'webhook-sender'],
    ],
    [
      'accounts dynamodb:DeleteItem',
      ['accounts', 'workspaces', 'oauth', 'maintenance', 'operators'],
    ],
    ['oauth dynamodb:PutItem', ['oauth']],
    ['oauth dynamodb:DeleteItem', ['accounts', 'oauth', 'maintenance']],
    [
      'projects dynamodb:DeleteItem',
      [...publishing, 'temp-projects', 'share-links', 'webhook-sender'],
    ],
    ['sites dynamodb:DeleteItem', publishing],
    ['sites dynamodb:UpdateItem', ['projects', 'claim-pages', 'mcp']],
    [
      'sites dynamodb:PutItem',
      [...publishing, 'temp-projects', 'accounts', 'operators', 'hit-counter'],
    ],
    ['analytics dynamodb:UpdateItem', ['hit-counter']],
    ['analytics dynamodb:BatchWriteItem', publishing],
    ['content/* s3:GetObject', [...publishing, 'export', 'gate', 'streams']],
    ['content/* s3:PutObject', [...publishing, 'temp-projects']],
    ['content/* s3:DeleteObject', [...publishing, 'temp-projects']],
    ['temp/* s3:PutObject', [...publishing, 'temp-projects', 'uploads']],
    [
      'identity ses:SendRawEmail',
      [...signIn, ...domains, 'hit-counter', 'operators', 'visitor-forms', 'webhook-sender'],
    ],
    ['everything acm:RequestCertificate', domains],
    ['certificates acm:DeleteCertificate', domains],
    ['everything cloudfront:CreateDistributionTenant', domains],
    ['tenants cloudfront:UpdateDistributionTenant', domains],
    ['tenants cloudfront:DeleteDistributionTenant', domains],
    [
      'sites tenant cloudfront:CreateInvalidationForDistributionTenant',
      [...publishing, 'operators', 'hit-counter'],
    ],
  ])('%s: these functions and no other', (action, holders) => {
    const found = functionNames.filter((name) => allowedActions(name).includes(action));
    expect(found.toSorted()).toEqual(holders.toSorted());
  });

  test('those of one policy: no managed and no inline policy', () => {
    for (const name of functionNames) {
      const role = service.Resources[roleId(name)];
      expect(Object.keys(role?.Properties ?? {})).toEqual(['AssumeRolePolicyDocument', 'Tags']);
    }
  });

  test('listing, limited to published files and staged uploads', () => {
    const listing = ofType(service, 'AWS::IAM::Policy')
      .flatMap(statementsOf)
      .filter(({ Action }) => [Action].flat().includes('s3:ListBucket'))
      // The bucket of the web app holds nothing else.
      .filter(({ Resource }) => !JSON.stringify(Resource).includes('WebApp'));
    expect(listing).toHaveLength(11);
    for (const { Condition } of listing) {
      // A missing object is 404 for functions that may list without a prefix.
      expect(Condition).toEqual({ StringLikeIfExists: { 's3:prefix': ['content/*', 'temp/*'] } });
    }
  });

  test('for all resources, writing traces, and what AWS limits to no resource', () => {
    const wide = ofType(service, 'AWS::IAM::Policy')
      .flatMap(statementsOf)
      .filter(({ Resource }) => [Resource].flat().includes('*'))
      .flatMap(({ Action }) => Action);
    expect([...new Set(wide)].toSorted()).toEqual([
      'acm:RequestCertificate',
      'cloudfront:CreateDistributionTenant',
      'xray:PutTelemetryRecords',
      'xray:PutTraceSegments',
    ]);
  });
});
