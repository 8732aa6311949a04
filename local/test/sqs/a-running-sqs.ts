import { SQSClient } from '@aws-sdk/client-sqs';
import { afterEach } from '@jest/globals';
import { queueUrl } from '../../sqs/queue-url.ts';
import { startSqs } from '../../sqs/sqs.ts';
import { anIam } from '../an-iam.ts';
import { aQueue, queueNamed, someQueues } from './a-queue.ts';

export const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

export const QueueUrl = queueUrl('jobs');
export const MIB = 1_048_576;

export async function start(actions = ['sqs:SendMessage'], properties = {}) {
  const { iam, credentials } = anIam(actions);
  const { queues, clock } = someQueues(aQueue('jobs', properties));
  const calls: string[] = [];
  const server = await startSqs({
    clock,
    iam,
    queues,
    onCall: (operation, queueName) => calls.push(`${operation} ${queueName}`),
  });
  const clientOf = (change: object = {}) =>
    new SQSClient({
      endpoint: server.url,
      region: 'us-east-1',
      credentials,
      maxAttempts: 1,
      ...change,
    });
  const client = clientOf();
  ends.push(async () => {
    client.destroy();
    await server.close();
  });
  return {
    client,
    clientOf,
    clock,
    credentials,
    calls,
    url: server.url,
    queue: queueNamed(queues, 'jobs'),
  };
}

export type Started = Awaited<ReturnType<typeof start>>;
