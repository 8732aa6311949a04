import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  DynamoDBClient,
  GetItemCommand,
  TransactionCanceledException,
} from '@aws-sdk/client-dynamodb';
import { expect, test } from '@jest/globals';
import {
  type ServiceFailure,
  serviceFailure,
} from '../../../../adapters/failures/service-failure.ts';
import { AwsError } from '../../../../adapters/signed-calls/aws-error.ts';
import { signedCalls } from '../../../../adapters/signed-calls/signed-calls.ts';
import { CodedError } from '../../../../core/errors.ts';

const named = (name: string, more: object = {}) =>
  Object.assign(new Error('refused'), { name, ...more });
const coded = (code: string) => Object.assign(new Error('no connection'), { code });
const answered = (httpStatusCode: number) => ({ $metadata: { httpStatusCode } });
const aws = (status: number, code: string) =>
  new AwsError(
    { service: 's3', operation: 'PutObject' },
    { status, headers: {}, body: Buffer.from(`<Code>${code}</Code>`) },
  );

function cancelled(...codes: string[]): Error {
  const CancellationReasons = codes.map((Code) => ({ Code }));
  return new TransactionCanceledException({
    message: 'x',
    CancellationReasons,
    $metadata: { httpStatusCode: 400 },
  });
}

test.each<[ServiceFailure | undefined, string, unknown]>([
  ['throttled', 'a throttled read', named('ProvisionedThroughputExceededException')],
  ['throttled', 'a throttled write', named('ThrottlingException', answered(400))],
  ['throttled', 'too many requests for the account', named('RequestLimitExceeded')],
  ['throttled', 'S3 that asks to slow down, in the SDK', named('SlowDown', answered(503))],
  ['throttled', 'S3 that asks to slow down, in the small client', aws(503, 'SlowDown')],
  ['throttled', 'SQS that is throttled', aws(403, 'RequestThrottled')],
  ['throttled', 'any service with 429', named('TooMany', answered(429))],
  ['throttled', 'a throttled transaction', cancelled('None', 'ThrottlingError')],
  ['unavailable', 'an error of DynamoDB itself', named('InternalServerError', answered(500))],
  ['unavailable', 'a service that is down, in the SDK', named('Unknown', answered(503))],
  ['unavailable', 'a service that is down, in the small client', aws(500, 'InternalError')],
  ['unavailable', 'a request that stopped midway', aws(400, 'RequestTimeout')],
  ['unavailable', 'no answer in time, in the SDK', named('TimeoutError')],
  ['unavailable', 'a refused connection', coded('ECONNREFUSED')],
  ['unavailable', 'a lost connection', coded('ECONNRESET')],
  ['unavailable', 'a broken pipe', coded('EPIPE')],
  ['unavailable', 'a name that is not resolved', coded('EAI_AGAIN')],
  [
    'unavailable',
    'a cause without an answer',
    new Error('dynamodb GetItem', { cause: coded('ETIMEDOUT') }),
  ],
  [undefined, 'a bug', new TypeError('x is undefined')],
  [undefined, 'a bug with a bug as its cause', new Error('x', { cause: new RangeError('y') })],
  [undefined, 'a missing permission, in the SDK', named('AccessDeniedException', answered(400))],
  [undefined, 'a missing permission, in the small client', aws(403, 'AccessDenied')],
  [undefined, 'a row that is too large', named('ValidationException', answered(400))],
  [undefined, 'a transaction with a failed condition', cancelled('ConditionalCheckFailed', 'None')],
  [undefined, 'an error of a file', coded('ENOENT')],
  [undefined, 'an expected refusal', new CodedError('NOT_FOUND', { error: 'No.' })],
  [undefined, 'something that is no error', { code: 'ECONNRESET' }],
  [undefined, 'nothing', undefined],
])('%s: %s', (failure, _, error) => {
  expect(serviceFailure(error)).toBe(failure);
});

/** What a real client throws for a server on this machine, or for nobody at its port. */
async function thrownBy(call: () => Promise<unknown>): Promise<unknown> {
  return call().then(
    () => 'nothing',
    (error: unknown) => error,
  );
}

async function listening(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return `http://127.0.0.1:${port}`;
}

const credentials = { accessKeyId: 'a', secretAccessKey: 'b' };
const environment = {
  AWS_REGION: 'us-east-1',
  AWS_ACCESS_KEY_ID: 'a',
  AWS_SECRET_ACCESS_KEY: 'b',
  AWS_SESSION_TOKEN: 'c',
};

function read(endpoint: string): Promise<unknown> {
  const client = new DynamoDBClient({ endpoint, region: 'us-east-1', credentials, maxAttempts: 1 });
  return client.send(new GetItemCommand({ TableName: 't', Key: { id: { S: 'x' } } }));
}

function readSmall(endpoint: string): Promise<unknown> {
  const timeouts = { connectMs: 100, silenceMs: 50, totalMs: 200 };
  return signedCalls(environment, timeouts).send({
    service: 'dynamodb',
    operation: 'GetItem',
    method: 'POST',
    url: new URL(endpoint),
    headers: {},
    maxBytes: 1000,
  });
}

test.each([
  ['the SDK', read],
  ['the small client', readSmall],
])('a server that closes, or is not there, is unavailable: %s', async (_, call) => {
  const server = createServer((request) => request.socket.destroy());
  const url = await listening(server);
  expect(serviceFailure(await thrownBy(() => call(url)))).toBe('unavailable');
  server.close();
  server.closeAllConnections();
  expect(serviceFailure(await thrownBy(() => call(url)))).toBe('unavailable');
});

test('a server that never answers the small client is unavailable', async () => {
  const server = createServer(() => undefined);
  const url = await listening(server);
  expect(serviceFailure(await thrownBy(() => readSmall(url)))).toBe('unavailable');
  server.closeAllConnections();
  server.close();
});

test('an answer that is larger than allowed is a fault of ours', async () => {
  const server = createServer((_, response) => response.end('x'.repeat(2000)));
  const url = await listening(server);
  expect(serviceFailure(await thrownBy(() => readSmall(url)))).toBeUndefined();
  server.closeAllConnections();
  server.close();
});
