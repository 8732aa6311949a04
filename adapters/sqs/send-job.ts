import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { awsDeadlines } from '../failures/service-failure.ts';

let client: SQSClient | undefined;

/** Whose work a message is, and when it begins. */
interface JobTurn {
  /** While one tenant's messages keep the workers busy, those of others come first (Amazon SQS fair queues). */
  tenant: string;
  /** At most 900. */
  delaySeconds?: number;
}

/** Sends a message to a queue. */
export async function sendJob(
  queueUrl: string,
  body: string,
  { tenant, delaySeconds = 0 }: JobTurn,
): Promise<void> {
  client ??= new SQSClient(awsDeadlines);
  await client.send(
    new SendMessageCommand({
      QueueUrl: queueUrl,
      MessageBody: body,
      MessageGroupId: tenant,
      ...(delaySeconds > 0 && { DelaySeconds: delaySeconds }),
    }),
  );
}
