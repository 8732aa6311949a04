import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { awsDeadlines } from '../failures/service-failure.ts';

let client: SQSClient | undefined;

/** Sends a message to a queue. */
export async function sendJob(queueUrl: string, body: string): Promise<void> {
  client ??= new SQSClient(awsDeadlines);
  await client.send(new SendMessageCommand({ QueueUrl: queueUrl, MessageBody: body }));
}
