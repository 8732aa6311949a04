import * as z from 'zod';
import { md5OfBody } from './message.ts';
import type { Queue } from './queue.ts';
import { SqsError } from './sqs-error.ts';

/** The largest message: 1 MiB. */
const MAX_MESSAGE_BYTES = 1_048_576;

const SendMessage = z.strictObject({
  QueueUrl: z.string(),
  MessageBody: z.string().default(''),
  /** 1 to 128 letters, digits and punctuation (SQS API reference, SendMessage). */
  MessageGroupId: z
    .string()
    .regex(/^[!-~]{1,128}$/)
    .optional(),
});

/** One authorized call of an operation on a queue. */
export interface QueueCall {
  queue: Queue;
  senderId: string;
  input: unknown;
}

/** SQS refuses characters that XML 1.0 does not allow. */
const FORBIDDEN = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/u;

function messageOf(input: unknown): { body: string; groupId?: string } {
  const parsed = SendMessage.safeParse(input);
  if (!parsed.success) throw new SqsError('InvalidParameterValue', z.prettifyError(parsed.error));
  const { MessageBody: body, MessageGroupId: groupId } = parsed.data;
  if (body === '') {
    throw new SqsError('MissingParameter', 'The request must contain the parameter MessageBody.');
  }
  if (FORBIDDEN.test(body)) {
    throw new SqsError('InvalidMessageContents', 'Message contains invalid characters.');
  }
  if (Buffer.byteLength(body) <= MAX_MESSAGE_BYTES) {
    return { body, ...(groupId !== undefined && { groupId }) };
  }
  throw new SqsError(
    'InvalidParameterValue',
    `One or more parameters are invalid. Reason: Message must be shorter than ${MAX_MESSAGE_BYTES} bytes.`,
  );
}

/** `SendMessage`: stores one message before it answers. */
export function sendMessage({ queue, senderId, input }: QueueCall): Record<string, unknown> {
  const message = messageOf(input);
  const { id } = queue.send({ ...message, senderId });
  return { MessageId: id, MD5OfMessageBody: md5OfBody(message.body) };
}
