import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Context } from 'aws-lambda';
import { handler } from '../../../../lambdas/mcp/mcp-authorizer.ts';
import { aSecretServer, secretArn } from '../../../fixtures/clouds/secrets.ts';
import { logger } from '../../../../lambdas/shared/logger.ts';

const secret = 'a-secret-that-only-cloudfront-knows';
const secrets = await aSecretServer({ 'origin-current': secret });
const environment = {
  ...secrets.environment,
  ORIGIN_SECRET_ARN: `${secretArn}#origin`,
  KEY_PREFIX: 'sw',
  ACCOUNTS_TABLE: 'accounts',
  OAUTH_TABLE: 'oauth',
};
beforeAll(() => {
  Object.assign(process.env, environment);
  logger.setLogLevel('SILENT');
});
afterAll(() => {
  for (const name of Object.keys(environment)) delete process.env[name];
  secrets.close();
});

const methodArn = 'arn:aws:execute-api:us-east-1:123456789012:api/live/POST/mcp';
const ask = (headers: Record<string, string> | null, more: object = {}) =>
  handler({ type: 'REQUEST', methodArn, headers, ...more }, { functionName: 'test' } as Context);
const throughEdge = { 'X-Slipway-Origin': secret };
const policy = (Effect: string) => ({
  principalId: expect.any(String),
  policyDocument: {
    Version: '2012-10-17',
    Statement: [{ Action: 'execute-api:Invoke', Effect, Resource: methodArn }],
  },
});

test.each([
  ['no origin secret', { Authorization: 'Basic x' }],
  ['a wrong one', { Authorization: 'Basic x', 'x-slipway-origin': 'guess' }],
  ['no headers at all', null],
])('denies a request that bypassed CloudFront: %s', async (_, headers) => {
  expect(await ask(headers)).toEqual(policy('Deny'));
});

test('denies a malformed key without a read', async () => {
  const headers = { ...throughEdge, Authorization: 'Bearer sw_live_short' };
  expect(await ask(headers)).toEqual(policy('Deny'));
});

test.each([undefined, '', 'Bearer', 'Bearer ', 'Basic YTpi', 'sw_live_x', 'Digest Bearer x'])(
  'says of %j in the words that API Gateway knows that nothing was sent',
  async (authorization) => {
    const headers: Record<string, string> =
      authorization === undefined ? {} : { Authorization: authorization };
    await expect(ask({ ...throughEdge, ...headers })).rejects.toThrow(/^Unauthorized$/);
  },
);

test('throws for an unknown event', async () => {
  await expect(ask({ ...throughEdge }, { methodArn: undefined })).rejects.toThrow(/methodArn/);
});
