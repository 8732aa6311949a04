import { expect, test } from '@jest/globals';
import { AwsError } from '../../../../adapters/signed-calls/signed-calls.ts';
import { failureResponse } from '../../../../lambdas/visits/failure-response.ts';

const call = {
  service: 'dynamodb',
  operation: 'GetItem',
  method: 'POST',
  url: new URL('https://dynamodb.us-east-1.amazonaws.com'),
  headers: {},
  maxBytes: 1000,
} as const;

const answered = (status: number, body: string) =>
  new AwsError(call, { status, headers: {}, body: Buffer.from(body) });
const dynamoError = (code: string) =>
  answered(400, JSON.stringify({ __type: `com.amazonaws.dynamodb.v20120810#${code}` }));

test.each<[string, unknown, number, string | undefined]>([
  [
    'its partition has no more reads',
    dynamoError('ProvisionedThroughputExceededException'),
    503,
    '5',
  ],
  ['the table is throttled', dynamoError('ThrottlingException'), 503, '5'],
  ['storage asks for fewer requests', answered(503, '<Code>SlowDown</Code>'), 503, '5'],
  ['it may not read', dynamoError('AccessDeniedException'), 500, undefined],
  ['anything else fails', new Error('a bug'), 500, undefined],
])('a visit fails when %s', (_, error, status, retryAfter) => {
  const response = failureResponse('Slipway', error, { requestId: 'request-1' });
  expect([response.status, response.headers['retry-after']]).toEqual([status, retryAfter]);
  expect(response.headers['cache-control']).toBe('private, no-store');
  expect(response.text?.includes('request-1')).toBe(status === 500);
});
