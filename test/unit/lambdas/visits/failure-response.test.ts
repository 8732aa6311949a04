import { expect, test } from '@jest/globals';
import { AwsError } from '../../../../adapters/signed-calls/aws-error.ts';
import { failureResponse } from '../../../../lambdas/visits/failure-response.ts';

const call = { service: 'dynamodb', operation: 'GetItem' };
const noAnswer = Object.assign(new Error('no byte within 2000 ms'), { code: 'ETIMEDOUT' });

const answered = (status: number, body: string) =>
  new AwsError(call, { status, headers: {}, body: Buffer.from(body) });
const dynamoError = (code: string) =>
  answered(400, JSON.stringify({ __type: `com.amazonaws.dynamodb.v20120810#${code}` }));

test.each<[string, unknown, number, string | undefined, boolean]>([
  [
    'its partition has no more reads',
    dynamoError('ProvisionedThroughputExceededException'),
    503,
    '5',
    false,
  ],
  ['the table is throttled', dynamoError('ThrottlingException'), 503, '5', false],
  ['storage asks for fewer requests', answered(503, '<Code>SlowDown</Code>'), 503, '5', false],
  ['the table fails', answered(500, ''), 503, '5', true],
  ['no byte comes', new Error('no response', { cause: noAnswer }), 503, '5', true],
  ['it may not read', dynamoError('AccessDeniedException'), 500, undefined, true],
  ['anything else fails', new Error('a bug'), 500, undefined, true],
])('a visit fails when %s', (_, error, status, retryAfter, hasRequestId) => {
  const response = failureResponse('Slipway', error, { requestId: 'request-1' });
  expect([response.status, response.headers['retry-after']]).toEqual([status, retryAfter]);
  expect(response.headers['cache-control']).toBe('private, no-store');
  expect(response.text?.includes('request-1')).toBe(hasRequestId);
});
