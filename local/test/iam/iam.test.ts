import { describe, expect, test } from '@jest/globals';
import { createIam } from '../../iam/iam.ts';
import { role, policy, ask, bucket } from './a-policy.ts';

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

test('an unknown managed policy stops the start', () => {
  const resource = {
    ...role,
    properties: { ManagedPolicyArns: ['arn:aws:iam::aws:policy/AdministratorAccess'] },
  };
  expect(() => createIam([resource], ({ logicalId }) => logicalId)).toThrow(/AdministratorAccess/);
});
