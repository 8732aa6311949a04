import * as z from 'zod';
import { md5OfAttributes, md5OfBody, MessageAttribute, messageBytes } from './message.ts';
import type { Queue } from './queue.ts';
import { MAX_DELAY_SECONDS, MAX_MESSAGE_BYTES } from './queue-properties.ts';
import { SqsError } from './sqs-error.ts';

const Content = {
  MessageBody: z.string().default(''),
  DelaySeconds: z.int().min(0).max(MAX_DELAY_SECONDS).optional(),
  MessageAttributes: z.record(z.string(), MessageAttribute).default({}),
};
const SendMessage = z.strictObject({ QueueUrl: z.string(), ...Content });
const Entry = z.strictObject({ Id: z.string(), ...Content });
const SendMessageBatch = z.strictObject({
  QueueUrl: z.string(),
  Entries: z.array(z.unknown()).default([]),
});

/** One authorized call of an operation on a queue. */
export interface QueueCall {
  queue: Queue;
  senderId: string;
  input: unknown;
}

const MAX_ATTRIBUTES = 10;
const MAX_ENTRIES = 10;

/** SQS refuses characters that XML 1.0 does not allow. */
const FORBIDDEN = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/u;

function parseInput<T>(schema: z.ZodType<T>, input: unknown): T {
  const result = schema.safeParse(input);
  if (result.success) return result.data;
  throw new SqsError('InvalidParameterValue', z.prettifyError(result.error));
}

function assertContent(content: z.infer<typeof Entry>, maxBytes: number): void {
  const { MessageBody: body, MessageAttributes: attributes } = content;
  if (body === '') {
    throw new SqsError('MissingParameter', 'The request must contain the parameter MessageBody.');
  }
  if (FORBIDDEN.test(body)) {
    throw new SqsError('InvalidMessageContents', 'Message contains invalid characters.');
  }
  if (Object.keys(attributes).length > MAX_ATTRIBUTES) {
    throw new SqsError('InvalidParameterValue', 'Number of message attributes exceeds 10.');
  }
  if (messageBytes({ body, attributes }) > maxBytes) {
    throw new SqsError(
      'InvalidParameterValue',
      `One or more parameters are invalid. Reason: Message must be shorter than ${maxBytes} bytes.`,
    );
  }
}

function sendOne({ queue, senderId }: QueueCall, content: Omit<z.infer<typeof Entry>, 'Id'>) {
  assertContent({ Id: '', ...content }, queue.config.maxBytes);
  const { id } = queue.send({
    body: content.MessageBody,
    attributes: content.MessageAttributes,
    senderId,
    delaySeconds: content.DelaySeconds,
  });
  const md5 = md5OfAttributes(content.MessageAttributes);
  return {
    MessageId: id,
    MD5OfMessageBody: md5OfBody(content.MessageBody),
    ...(md5 !== undefined && { MD5OfMessageAttributes: md5 }),
  };
}

/** `SendMessage`: stores one message before it answers. */
export function sendMessage(call: QueueCall): Record<string, unknown> {
  const { QueueUrl: _, ...content } = parseInput(SendMessage, call.input);
  return sendOne(call, content);
}

const EntryId = z.object({ Id: z.string() });

function assertIds(entries: unknown[]): string[] {
  if (entries.length === 0) {
    throw new SqsError('EmptyBatchRequest', 'There should be at least one entry in the request.');
  }
  if (entries.length > MAX_ENTRIES) {
    throw new SqsError(
      'TooManyEntriesInBatchRequest',
      `Maximum number of entries per request are 10. You have sent ${entries.length}.`,
    );
  }
  const ids = entries.map((entry) => parseInput(EntryId, entry).Id);
  const invalid = ids.find((id) => !/^[\w-]{1,80}$/.test(id));
  if (invalid !== undefined) {
    throw new SqsError(
      'InvalidBatchEntryId',
      'A batch entry id can only contain alphanumeric characters, hyphens and underscores. It can be at most 80 letters long.',
    );
  }
  const repeated = ids.find((id, index) => ids.indexOf(id) !== index);
  if (repeated !== undefined)
    throw new SqsError('BatchEntryIdsNotDistinct', `Id ${repeated} repeated.`);
  return ids;
}

function assertTotal(entries: z.infer<typeof Entry>[]): void {
  const bytes = entries.reduce(
    (sum, { MessageBody: body, MessageAttributes: attributes }) =>
      sum + messageBytes({ body, attributes }),
    0,
  );
  if (bytes <= MAX_MESSAGE_BYTES) return;
  throw new SqsError(
    'BatchRequestTooLong',
    `Batch requests cannot be longer than ${MAX_MESSAGE_BYTES} bytes. You have sent ${bytes} bytes.`,
  );
}

/** `SendMessageBatch`: up to ten messages, each accepted or refused individually. */
export function sendMessageBatch(call: QueueCall): Record<string, unknown> {
  const { Entries } = parseInput(SendMessageBatch, call.input);
  assertIds(Entries);
  const entries = Entries.map((entry) => parseInput(Entry, entry));
  assertTotal(entries);
  const Successful: unknown[] = [];
  const Failed: unknown[] = [];
  for (const { Id, ...content } of entries) {
    try {
      Successful.push({ Id, ...sendOne(call, content) });
    } catch (error) {
      if (!(error instanceof SqsError)) throw error;
      Failed.push({ Id, SenderFault: true, Code: error.queryCode, Message: error.message });
    }
  }
  return { Successful, Failed };
}
