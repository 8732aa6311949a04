import * as z from 'zod';
import { createHash } from 'node:crypto';

/** A message attribute; a binary value is base64. */
export const MessageAttribute = z.strictObject({
  DataType: z.string().regex(/^(String|Number|Binary)(\..+)?$/),
  StringValue: z.string().optional(),
  BinaryValue: z.base64().optional(),
});
const MessageAttributes = z.record(z.string(), MessageAttribute);
export type MessageAttributes = z.infer<typeof MessageAttributes>;

/** One message of a queue; instants are those of the local clock. */
export const Message = z.strictObject({
  id: z.string(),
  body: z.string(),
  attributes: MessageAttributes,
  senderId: z.string(),
  sentAt: z.iso.datetime(),
  /** It cannot be received before. */
  visibleAt: z.iso.datetime(),
  receiveCount: z.int(),
  firstReceivedAt: z.iso.datetime().optional(),
  /** The queue that moved it to the dead-letter queue. */
  deadLetterSourceArn: z.string().optional(),
});
export type Message = z.infer<typeof Message>;

function valueOf({ BinaryValue, StringValue = '' }: MessageAttributes[string]): Buffer {
  return BinaryValue === undefined ? Buffer.from(StringValue) : Buffer.from(BinaryValue, 'base64');
}

/** The size that counts against the limit: body, and name, type and value of every attribute. */
export function messageBytes({ body, attributes }: Pick<Message, 'body' | 'attributes'>): number {
  const parts = Object.entries(attributes).map(
    ([name, attribute]) =>
      Buffer.byteLength(name) +
      Buffer.byteLength(attribute.DataType) +
      valueOf(attribute).byteLength,
  );
  return parts.reduce((sum, bytes) => sum + bytes, Buffer.byteLength(body));
}

/** Hex MD5 of a body, which the SDK compares with what it sent. */
export function md5OfBody(body: string): string {
  return createHash('md5').update(body).digest('hex');
}

function withLength(bytes: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes.byteLength);
  return Buffer.concat([length, bytes]);
}

const STRING = Buffer.from([1]);
const BINARY = Buffer.from([2]);

/** Hex MD5 of the attributes, sorted by name, each part prefixed by its length; undefined without attributes. */
export function md5OfAttributes(attributes: MessageAttributes): string | undefined {
  const entries = Object.entries(attributes).toSorted(([a], [b]) => (a < b ? -1 : 1));
  if (entries.length === 0) return undefined;
  const hash = createHash('md5');
  for (const [name, attribute] of entries) {
    hash.update(withLength(Buffer.from(name)));
    hash.update(withLength(Buffer.from(attribute.DataType)));
    hash.update(attribute.BinaryValue === undefined ? STRING : BINARY);
    hash.update(withLength(valueOf(attribute)));
  }
  return hash.digest('hex');
}
