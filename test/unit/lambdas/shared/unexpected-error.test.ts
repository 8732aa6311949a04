import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { expect, test } from '@jest/globals';
import { AwsError } from '../../../../adapters/signed-calls/aws-error.ts';
import { CodedError } from '../../../../core/errors.ts';
import { BusyProject } from '../../../../core/projects/change/busy-project.ts';
import { asCodedError } from '../../../../lambdas/shared/unexpected-error.ts';

function named(name: string): Error {
  return Object.assign(new Error('refused'), { name });
}

function cancelled(...codes: string[]): Error {
  const CancellationReasons = codes.map((Code) => ({ Code }));
  return new TransactionCanceledException({ message: 'x', $metadata: {}, CancellationReasons });
}

/** An error of S3 as the small client throws it. */
function refusedWrite(status: number, code: string): Error {
  const call = { service: 's3', operation: 'PutObject' };
  const body = Buffer.from(`<Error><Code>${code}</Code></Error>`);
  return new AwsError(call, { status, headers: {}, body });
}

test.each<[string, unknown]>([
  ['a throttled read', named('ProvisionedThroughputExceededException')],
  ['a throttled write', named('ThrottlingException')],
  ['S3 that asks to slow down', named('SlowDown')],
  ['S3 that asks for fewer files', refusedWrite(503, 'SlowDown')],
  ['a throttled transaction', cancelled('None', 'ThrottlingError')],
])('%s says when to try again', (_, error) => {
  expect(asCodedError(error, 'request-1').body).toMatchObject({
    code: 'UNAVAILABLE',
    retryAfterSeconds: 5,
    nextStep:
      'Wait `retryAfterSeconds`, then send the same request again. If it changes something, read first whether the change was made.',
  });
});

test('a project that many others change at once says when to try again, and that nothing was kept', () => {
  expect(asCodedError(new BusyProject(), 'request-1').body).toMatchObject({
    code: 'UNAVAILABLE',
    error: expect.stringContaining('Nothing of yours was kept'),
    retryAfterSeconds: 5,
  });
});

test.each<[string, unknown]>([
  ['a database without an answer', named('TimeoutError')],
  ['a database that is not there', Object.assign(new Error('x'), { code: 'ECONNREFUSED' })],
  ['storage that fails', refusedWrite(500, 'InternalError')],
])('%s is no fault of the request, whose change may have been made', (_, error) => {
  expect(asCodedError(error, 'request-1').body).toEqual({
    status: 'error',
    error: 'Our storage gives no answer at the moment. Nothing is wrong with your request.',
    code: 'UNAVAILABLE',
    nextStep:
      'Wait `retryAfterSeconds`, then send the same request again. If it changes something, read first whether the change was made.',
    retryAfterSeconds: 5,
  });
});

test.each<[string, unknown]>([
  ['a bug', new TypeError('x is undefined')],
  ['a file that may not be written', refusedWrite(403, 'AccessDenied')],
  ['a missing permission', named('AccessDeniedException')],
  ['a transaction with a failed condition', cancelled('ConditionalCheckFailed', 'None')],
  ['something that is no error', 'text'],
])('%s is internal, with the request id and nothing else', (_, error) => {
  expect(asCodedError(error, 'request-1').body).toEqual({
    status: 'error',
    error: 'Something went wrong on our side.',
    code: 'INTERNAL',
    nextStep: expect.stringContaining('Try again in a minute.'),
    requestId: 'request-1',
  });
});

test('an expected refusal stays as it is', () => {
  const refusal = new CodedError('NOT_FOUND', { error: 'There is no such project.' });
  expect(asCodedError(refusal, 'request-1')).toBe(refusal);
});
