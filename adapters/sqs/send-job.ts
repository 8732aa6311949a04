import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { awsDeadlines } from '../failures/service-failure.ts';

let client: SQSClient | undefined;

/**
 * Sends a message to a queue.
 * @param tenant whose work it is: while one tenant's messages keep the workers busy, those of others come first
 * (Amazon SQS fair queues)
 */
export async function sendJob(queueUrl: string, body: string, tenant: string): Promise<void> {
  client ??= new SQSClient(awsDeadlines);
  await client.send(
    new SendMessageCommand({ QueueUrl: queueUrl, MessageBody: body, MessageGroupId: tenant }),
  );
}
