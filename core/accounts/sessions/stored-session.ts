import * as z from 'zod';
import { AccountId, Instant } from '../../../contract/fields.ts';

/** A session's id, by which its owner names it; its token opens it. */
export const SessionId = z.uuid().brand<'SessionId'>();
export type SessionId = z.infer<typeof SessionId>;

/** What is stored of a browser's session; its token only as a hash. */
export const StoredSession = z.object({
  /** Absent where the row is older than ids; such a session gets one, and is listed, with its next use. */
  id: SessionId.optional(),
  accountId: AccountId,
  /** When somebody signed in. */
  createdAt: Instant,
  lastUsedAt: Instant.nullable().default(null),
  expiresAt: Instant,
  /** Of the browser that signed in; null where it does not say. */
  browser: z.string().nullable().default(null),
  os: z.string().nullable().default(null),
  country: z.string().nullable().default(null),
});
export type StoredSession = z.infer<typeof StoredSession>;

/** A session that its owner can name. */
export type NamedSession = StoredSession & { id: SessionId };
