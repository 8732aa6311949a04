import { describe, expect, test } from '@jest/globals';
import { createIam } from '../../iam/iam.ts';
import { lambdaPermissions } from '../../iam/lambda-permissions.ts';
import { aResource, policy, ask, bucket } from './a-policy.ts';

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
