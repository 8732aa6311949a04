import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import { REGION } from '../assembly/resource-type.ts';
import type { InvokeResult } from '../lambda/invoke-result.ts';
import { md5OfBody, type Message } from './message.ts';

/** SQS writes instants as milliseconds since 1970, as strings. */
function epoch(instant: string): string {
  return String(Date.parse(instant));
}

function record(message: Message, queueArn: string) {
  const { id, body, groupId, deadLetterSourceArn } = message;
  return {
    messageId: id,
    receiptHandle: Buffer.from(randomUUID()).toString('base64'),
    body,
    attributes: {
      ApproximateReceiveCount: String(message.receiveCount),
      SentTimestamp: epoch(message.sentAt),
      SenderId: message.senderId,
      ApproximateFirstReceiveTimestamp: epoch(message.firstReceivedAt ?? message.sentAt),
      ...(groupId !== undefined && { MessageGroupId: groupId }),
      ...(deadLetterSourceArn !== undefined && { DeadLetterQueueSourceArn: deadLetterSourceArn }),
    },
    messageAttributes: {},
    md5OfBody: md5OfBody(body),
    eventSource: 'aws:sqs',
    eventSourceARN: queueArn,
    awsRegion: REGION,
  };
}

/** A batch as Lambda passes it to functions. */
export function queueEvent(batch: Message[], queueArn: string): { Records: unknown[] } {
  return { Records: batch.map((message) => record(message, queueArn)) };
}

const ItemFailures = z
  .object({ batchItemFailures: z.array(z.object({ itemIdentifier: z.string() })).nullish() })
  .nullish();

/**
 * The ids of the messages that a function did not process. No report is success; a report that Lambda
 * cannot parse, or that names an unknown message, is a failure of all of them.
 */
export function failedIds(ids: string[], result: InvokeResult, reports: boolean): string[] {
  if (!result.ok) return ids;
  if (!reports) return [];
  const answer = ItemFailures.safeParse(result.payload);
  if (!answer.success) return ids;
  const failed = answer.data?.batchItemFailures?.map(({ itemIdentifier }) => itemIdentifier) ?? [];
  return failed.every((id) => ids.includes(id)) ? failed : ids;
}
