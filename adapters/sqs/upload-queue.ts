import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import type { JobQueue } from '../../core/uploads/job.ts';

/** Sends jobs to workers through SQS. */
export function uploadQueue(url: string): JobQueue {
  const client = new SQSClient({});
  return {
    async send({ projectId, store }) {
      const MessageBody = JSON.stringify({ projectId, store });
      await client.send(new SendMessageCommand({ QueueUrl: url, MessageBody }));
    },
  };
}
