import * as z from 'zod';
import { AccountId, Instant } from '../../../contract/fields.ts';

/** The public id of a session, for its owner's list. It is not the secret token. */
export const SessionId = z.uuid().brand<'SessionId'>();
export type SessionId = z.infer<typeof SessionId>;

/** The stored form of a browser's session; its token only as a hash. */
export const StoredSession = z.object({
  id: SessionId,
  accountId: AccountId,
  createdAt: Instant,
  lastUsedAt: z.nullable(Instant),
  expiresAt: Instant,
  /** The browser that signed in; null if unknown. */
  browser: z.string().nullable(),
  os: z.string().nullable(),
  country: z.string().nullable(),
});
export type StoredSession = z.infer<typeof StoredSession>;
