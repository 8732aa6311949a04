import { createHash } from 'node:crypto';
import * as z from 'zod';

/** One message of a queue; instants are those of the local clock. */
export const Message = z.strictObject({
  id: z.string(),
  body: z.string(),
  senderId: z.string(),
  /** Whose message it is, in a fair queue. */
  groupId: z.string().optional(),
  sentAt: z.iso.datetime(),
  /** It cannot be received before. */
  visibleAt: z.iso.datetime(),
  receiveCount: z.int(),
  firstReceivedAt: z.iso.datetime().optional(),
  /** The queue that moved it to the dead-letter queue. */
  deadLetterSourceArn: z.string().optional(),
});
export type Message = z.infer<typeof Message>;

/** Hex MD5 of a body, which the SDK compares with what it sent. */
export function md5OfBody(body: string): string {
  return createHash('md5').update(body).digest('hex');
}
