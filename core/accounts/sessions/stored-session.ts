import * as z from 'zod';
import { AccountId, Instant } from '../../../contract/fields.ts';

/** The public id of a session, for its owner's list. It is not the secret token. */
export const SessionId = z.uuid().brand<'SessionId'>();
export type SessionId = z.infer<typeof SessionId>;

/** The stored form of a browser's session; its token only as a hash. */
export const StoredSession = z.object({
  /** Absent in old rows. Such a session gets an id, and is listed, with its next use. */
  id: SessionId.optional(),
  accountId: AccountId,
  /** When somebody signed in. */
  createdAt: Instant,
  lastUsedAt: z.nullable(Instant).default(null),
  expiresAt: Instant,
  /** Of the browser that signed in; null if unknown. */
  browser: z.string().nullable().default(null),
  os: z.string().nullable().default(null),
  country: z.string().nullable().default(null),
});
export type StoredSession = z.infer<typeof StoredSession>;

/** A session with an id, so that its owner can end it. */
export type SessionWithId = StoredSession & { id: SessionId };
