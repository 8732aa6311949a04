import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import type { HitQueue } from '../core/analytics/hit.ts';

/** Hands hits over to be counted, through SQS. */
export function hitQueue(url: string): HitQueue {
  const client = new SQSClient({});
  return {
    async send(hit) {
      const MessageBody = JSON.stringify(hit);
      await client.send(new SendMessageCommand({ QueueUrl: url, MessageBody }));
    },
  };
}
