import { describe, expect, test } from '@jest/globals';
import type { Resource } from '../../assembly/resource.ts';
import { createIam } from '../../iam/iam.ts';
import { lambdaPermissions } from '../../iam/lambda-permissions.ts';

function aResource(type: string, properties: Record<string, unknown>, logicalId = 'It'): Resource {
  return { stack: 'Stack', logicalId, type, properties };
}

const role = aResource('AWS::IAM::Role', {}, 'Role');

function policy(...statements: object[]): Resource {
  return aResource('AWS::IAM::Policy', {
    Roles: ['Role'],
    PolicyDocument: { Version: '2012-10-17', Statement: statements },
  });
}

function ask(
  resources: Resource[],
  action: string,
  resource: string,
  context?: Record<string, string>,
) {
  const iam = createIam([role, ...resources], ({ logicalId }) => logicalId);
  const { accessKeyId } = iam.credentialsFor('arn:aws:iam::000000000000:role/Role', 'fn');
  return iam.allows({ accessKeyId, action, resource, ...(context && { context }) });
}

const bucket = 'arn:aws:s3:::bucket';

describe('a role', () => {
  test.each<[boolean, string, object[], string, string]>([
    [
      true,
      'an exact statement',
      [{ Effect: 'Allow', Action: 's3:GetObject', Resource: `${bucket}/a` }],
      's3:GetObject',
      `${bucket}/a`,
    ],
    [
      false,
      'another action',
      [{ Effect: 'Allow', Action: 's3:GetObject', Resource: '*' }],
      's3:PutObject',
      `${bucket}/a`,
    ],
    [
      false,
      'another resource',
      [{ Effect: 'Allow', Action: 's3:*', Resource: `${bucket}/a` }],
      's3:GetObject',
      `${bucket}/b`,
    ],
    [
      true,
      'wildcards',
      [{ Effect: 'Allow', Action: ['s3:Get*'], Resource: [`${bucket}/content/*`] }],
      's3:GetObject',
      `${bucket}/content/x/y`,
    ],
    [
      false,
      'a longer name than an action without wildcard',
      [{ Effect: 'Allow', Action: 's3:Get', Resource: '*' }],
      's3:GetObject',
      bucket,
    ],
    [
      true,
      'actions in another case',
      [{ Effect: 'Allow', Action: 'S3:getobject', Resource: '*' }],
      's3:GetObject',
      bucket,
    ],
    [
      false,
      'a deny beside an allow',
      [
        { Effect: 'Allow', Action: '*', Resource: '*' },
        { Effect: 'Deny', Action: 's3:*', Resource: '*' },
      ],
      's3:GetObject',
      bucket,
    ],
    [
      false,
      'a dot that is no wildcard',
      [{ Effect: 'Allow', Action: '*', Resource: 'a.c' }],
      's3:GetObject',
      'abc',
    ],
    [
      true,
      'NotAction',
      [{ Effect: 'Allow', NotAction: 's3:Delete*', Resource: '*' }],
      's3:GetObject',
      bucket,
    ],
    [
      false,
      'an action that NotAction names',
      [{ Effect: 'Allow', NotAction: 's3:Delete*', Resource: '*' }],
      's3:DeleteObject',
      bucket,
    ],
  ])('is allowed %s: %s', (expected, _, statements, ...call) => {
    expect(ask([policy(...statements)], ...call)).toBe(expected);
  });

  test('has no permissions without a policy', () => {
    expect(ask([], 's3:GetObject', bucket)).toBe(false);
  });

  test('has its inline policies', () => {
    const PolicyDocument = {
      Version: '2012-10-17',
      Statement: { Effect: 'Allow', Action: 's3:GetObject', Resource: '*' },
    };
    const inline = { ...role, properties: { Policies: [{ PolicyName: 'p', PolicyDocument }] } };
    expect(ask([inline], 's3:GetObject', bucket)).toBe(true);
  });

  test('of an unknown key allows nothing', () => {
    const everything = policy({ Effect: 'Allow', Action: '*', Resource: '*' });
    const iam = createIam([role, everything], ({ logicalId }) => logicalId);
    expect(
      iam.allows({ accessKeyId: 'AKIAFOREIGN', action: 's3:GetObject', resource: bucket }),
    ).toBe(false);
  });
});

describe('conditions', () => {
  const listing = policy({
    Effect: 'Allow',
    Action: 's3:ListBucket',
    Resource: bucket,
    Condition: { StringLike: { 's3:prefix': 'content/*' } },
  });

  test.each<[boolean, Record<string, string> | undefined]>([
    [true, { 's3:prefix': 'content/p1/' }],
    [false, { 's3:prefix': 'other/' }],
    [false, undefined],
  ])('a listing is allowed %s under %j', (expected, context) => {
    expect(ask([listing], 's3:ListBucket', bucket, context)).toBe(expected);
  });

  test.each<[string, object]>([
    ['operator', { DateLessThan: { 's3:prefix': '2030' } }],
    ['key', { StringEquals: { 'aws:PrincipalTag/x': 'y' } }],
  ])('stop the start with an unknown %s', (_, Condition) => {
    const resources = [policy({ Effect: 'Allow', Action: '*', Resource: '*', Condition })];
    expect(() => ask(resources, 's3:GetObject', bucket)).toThrow(/does not know the condition/);
  });
});

describe('a bucket policy', () => {
  const statements = [
    {
      Effect: 'Deny',
      Principal: { AWS: '*' },
      Action: 's3:*',
      Resource: [bucket, `${bucket}/*`],
      Condition: { Bool: { 'aws:SecureTransport': 'false' } },
    },
    {
      Effect: 'Allow',
      Principal: { Service: 'cloudfront.amazonaws.com' },
      Action: 's3:GetObject',
      Resource: `${bucket}/content/*`,
      Condition: {
        ArnLike: { 'AWS:SourceArn': 'arn:aws:cloudfront::000000000000:distribution/D' },
      },
    },
  ];
  const bucketPolicy = aResource('AWS::S3::BucketPolicy', {
    Bucket: 'bucket',
    PolicyDocument: { Version: '2012-10-17', Statement: statements },
  });
  const mine = 'arn:aws:cloudfront::000000000000:distribution/D';

  test.each<[boolean, string, string, string, string]>([
    [true, 'the distribution', 'cloudfront.amazonaws.com', `${bucket}/content/a`, mine],
    [false, 'another distribution', 'cloudfront.amazonaws.com', `${bucket}/content/a`, `${mine}X`],
    [false, 'another prefix', 'cloudfront.amazonaws.com', `${bucket}/temp/a`, mine],
    [false, 'another service', 'events.amazonaws.com', `${bucket}/content/a`, mine],
    [false, 'another bucket', 'cloudfront.amazonaws.com', `arn:aws:s3:::else/content/a`, mine],
  ])('answers %s for %s', (expected, _, service, ...[resource, sourceArn]) => {
    const iam = createIam([bucketPolicy], ({ logicalId }) => logicalId);
    const call = { action: 's3:GetObject', resource, context: { 'aws:sourcearn': sourceArn } };
    expect(iam.bucketAllowsService(service, call)).toBe(expected);
  });

  test('grants functions nothing, and its TLS rule does not apply on localhost', () => {
    const reading = policy({ Effect: 'Allow', Action: 's3:GetObject', Resource: '*' });
    expect(ask([bucketPolicy], 's3:GetObject', `${bucket}/content/a`)).toBe(false);
    expect(ask([bucketPolicy, reading], 's3:GetObject', `${bucket}/content/a`)).toBe(true);
  });

  test('that denies overrides a role that allows', () => {
    const deny = aResource('AWS::S3::BucketPolicy', {
      Bucket: 'bucket',
      PolicyDocument: {
        Version: '2012-10-17',
        Statement: { Effect: 'Deny', Principal: '*', Action: 's3:GetObject', Resource: '*' },
      },
    });
    const reading = policy({ Effect: 'Allow', Action: 's3:*', Resource: '*' });
    expect(ask([deny, reading], 's3:GetObject', `${bucket}/a`)).toBe(false);
    expect(ask([deny, reading], 's3:PutObject', `${bucket}/a`)).toBe(true);
  });
});

test('an unknown managed policy stops the start', () => {
  const resource = {
    ...role,
    properties: { ManagedPolicyArns: ['arn:aws:iam::aws:policy/AdministratorAccess'] },
  };
  expect(() => createIam([resource], ({ logicalId }) => logicalId)).toThrow(/AdministratorAccess/);
});

describe('a function', () => {
  const functionArn = 'arn:aws:lambda:us-east-1:000000000000:function:fn';
  const may = lambdaPermissions([
    aResource('AWS::Lambda::Permission', {
      Action: 'lambda:InvokeFunction',
      FunctionName: functionArn,
      Principal: 'events.amazonaws.com',
      SourceArn: 'arn:aws:events:us-east-1:000000000000:rule/r*',
    }),
  ]);
  const caller = {
    action: 'lambda:InvokeFunction' as const,
    functionArn,
    principal: 'events.amazonaws.com',
    sourceArn: 'arn:aws:events:us-east-1:000000000000:rule/r1',
  };

  test.each<[boolean, string, object]>([
    [true, 'whom its permission names', {}],
    [false, 'another service', { principal: 'sns.amazonaws.com' }],
    [false, 'another source', { sourceArn: 'arn:aws:events:us-east-1:000000000000:rule/x' }],
    [false, 'a URL with a permission for calls', { action: 'lambda:InvokeFunctionUrl' }],
    [false, 'a caller of another function', { functionArn: `${functionArn}2` }],
  ])('accepts %s: %s', (expected, _, change) => {
    expect(may({ ...caller, ...change })).toBe(expected);
  });
});

describe("a queue's policy", () => {
  const queue = 'arn:aws:sqs:us-east-1:000000000000:jobs';
  const queuePolicy = (...statements: object[]) =>
    aResource('AWS::SQS::QueuePolicy', {
      Queues: ['https://sqs.us-east-1.amazonaws.com/000000000000/jobs'],
      PolicyDocument: {
        Version: '2012-10-17',
        Statement: statements.map((statement) => ({
          Action: 'sqs:*',
          Resource: queue,
          Principal: { AWS: '*' },
          ...statement,
        })),
      },
    });
  const mayAll = policy({ Effect: 'Allow', Action: 'sqs:*', Resource: '*' });

  test.each<[boolean, string, object, string]>([
    [false, 'a deny', { Effect: 'Deny' }, queue],
    [true, 'a deny of another queue', { Effect: 'Deny' }, `${queue}2`],
    [
      true,
      'a deny of what is not encrypted',
      { Effect: 'Deny', Condition: { Bool: { 'aws:SecureTransport': 'false' } } },
      queue,
    ],
  ])('%s: %s', (expected, _, statement, resource) => {
    expect(ask([mayAll, queuePolicy(statement)], 'sqs:SendMessage', resource)).toBe(expected);
  });
});
