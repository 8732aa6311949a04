import { createHash } from 'node:crypto';
import { GetQueueUrlCommand, SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { describe, expect, test } from '@jest/globals';
import { queueUrl, withLocalQueueUrls } from '../../sqs/queue-url.ts';
import { arnOfQueue } from './a-queue.ts';
import { QueueUrl, MIB, ends, start, type Started } from './a-running-sqs.ts';

describe('SendMessage', () => {
  test('puts a message into the queue and returns its hashes', async () => {
    const { client, queue, calls } = await start();
    const MessageBody = '{"text":"grüße"}';
    const answer = await client.send(new SendMessageCommand({ QueueUrl, MessageBody }));
    expect(answer).toMatchObject({
      MessageId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      MD5OfMessageBody: createHash('md5').update(MessageBody).digest('hex'),
    });
    expect(queue.messages()).toMatchObject([
      { id: answer.MessageId, body: MessageBody, senderId: 'Role:fn' },
    ]);
    expect(calls).toEqual(['SendMessage jobs']);
  });

  test('accepts a message of exactly the limit', async () => {
    const { client, queue } = await start();
    await client.send(new SendMessageCommand({ QueueUrl, MessageBody: 'a'.repeat(MIB) }));
    expect(queue.messages()).toHaveLength(1);
  });

  const command = (change: object = {}) =>
    new SendMessageCommand({ QueueUrl, MessageBody: 'a', ...change });
  const wrongSecret = ({ clientOf, credentials }: Started) =>
    clientOf({ credentials: { ...credentials, secretAccessKey: 'wrong' } });
  const changed = (change: (request: { headers: object }) => object) => {
    return ({ clientOf }: Started) => {
      const client = clientOf();
      // The last step before the request goes out: it is signed by then.
      client.middlewareStack.add(
        (next) => async (args: any) => {
          Object.assign(args.request, change(args.request));
          return next(args);
        },
        { step: 'deserialize', priority: 'low' },
      );
      return client;
    };
  };
  const stranger = ({ clientOf }: Started) =>
    clientOf({ credentials: { accessKeyId: 'AKIASTRANGER', secretAccessKey: 'x' } });

  test.each<[string, SendMessageCommand, string, (s: Started) => SQSClient]>([
    ['a bad signature', command(), 'InvalidSignatureException', wrongSecret],
    [
      'another region',
      command(),
      'InvalidSignatureException',
      ({ clientOf }) => clientOf({ region: 'eu-west-1' }),
    ],
    [
      'an old signature',
      command(),
      'InvalidSignatureException',
      ({ client, clock }) => {
        clock.advance(16 * 60_000);
        return client;
      },
    ],
    [
      'another body than was signed',
      command(),
      'InvalidSignatureException',
      changed(() => ({ body: JSON.stringify({ QueueUrl, MessageBody: 'b' }) })),
    ],
    [
      'a header that was not signed',
      command(),
      'InvalidSignatureException',
      changed(({ headers }) => ({ headers: { ...headers, 'x-amz-more': '1' } })),
    ],
    ['a stranger', command(), 'UnrecognizedClientException', stranger],
    [
      'an unknown queue',
      command({ QueueUrl: queueUrl('other') }),
      'QueueDoesNotExist',
      ({ client }) => client,
    ],
    ['an empty message', command({ MessageBody: '' }), 'MissingParameter', ({ client }) => client],
    [
      'characters that XML cannot hold',
      command({ MessageBody: 'a\u0000' }),
      'InvalidMessageContents',
      ({ client }) => client,
    ],
    [
      'a message over the limit',
      command({ MessageBody: 'a'.repeat(MIB + 1) }),
      'InvalidParameterValue',
      ({ client }) => client,
    ],
    [
      'a delay over the limit',
      command({ DelaySeconds: 901 }),
      'InvalidParameterValue',
      ({ client }) => client,
    ],
    [
      'attributes',
      command({ MessageAttributes: { kind: { DataType: 'String', StringValue: 'zip' } } }),
      'InvalidParameterValue',
      ({ client }) => client,
    ],
    [
      'a parameter of FIFO queues',
      command({ MessageDeduplicationId: 'x' }),
      'InvalidParameterValue',
      ({ client }) => client,
    ],
    [
      'another operation',
      new GetQueueUrlCommand({ QueueName: 'jobs' }) as unknown as SendMessageCommand,
      'UnsupportedOperation',
      ({ client }) => client,
    ],
  ])('refuses %s', async (_, input, name, clientOf) => {
    const started = await start();
    await expect(clientOf(started).send(input)).rejects.toMatchObject({ name });
    expect(started.queue.messages()).toEqual([]);
  });

  test('refuses a role without the permission', async () => {
    const { client, queue } = await start(['sqs:ReceiveMessage']);
    await expect(client.send(command())).rejects.toMatchObject({
      name: 'AccessDeniedException',
      message: expect.stringContaining(arnOfQueue('jobs')),
    });
    expect(queue.messages()).toEqual([]);
  });

  test('refuses a request without a signature', async () => {
    const { url } = await start();
    const answer = await fetch(url, {
      method: 'POST',
      headers: { 'x-amz-target': 'AmazonSQS.SendMessage' },
      body: '{}',
    });
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({
      __type: 'MissingAuthenticationTokenException',
    });
  });
});

test('a client that uses the host of the queue URL reaches the local server', async () => {
  const { url, queue, clientOf } = await start();
  const { JOBS_URL = '' } = withLocalQueueUrls({ JOBS_URL: QueueUrl }, url);
  process.env['AWS_ENDPOINT_URL_SQS'] = url;
  ends.push(async () => {
    delete process.env['AWS_ENDPOINT_URL_SQS'];
  });
  const client = clientOf({ endpoint: undefined });
  await client.send(new SendMessageCommand({ QueueUrl: JOBS_URL, MessageBody: 'a' }));
  expect(queue.messages()).toHaveLength(1);
});
