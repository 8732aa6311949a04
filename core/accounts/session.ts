import { createHash, randomBytes } from 'node:crypto';
import * as z from 'zod';
import { AccountId, Instant } from '../../contract/fields.ts';
import { CodedError } from '../errors.ts';
import { instant, plusSeconds } from '../instants.ts';
import type { Account } from './account.ts';
import type { AccountStore, SessionStore } from './ports.ts';

/** A session ends when it was not used for so long. */
export const sessionSeconds = 30 * 86_400;
/** A use is noted when the last note is this old, so that not every request is a write. */
const renewalSeconds = 86_400;

/** What is stored of a browser's session; its token only as a hash. */
export const StoredSession = z.object({
  accountId: AccountId,
  createdAt: Instant,
  expiresAt: Instant,
});
export type StoredSession = z.infer<typeof StoredSession>;

/** What telling who is signed in needs. */
export interface SessionDeps {
  accounts: Pick<AccountStore, 'get'>;
  sessions: SessionStore;
  now(): Date;
}

/** Who is signed in, and the session they came with. */
export interface InSession {
  account: Account;
  tokenHash: string;
  session: StoredSession;
}

/** A new token: 256 random bits in base64url. */
export function newSessionToken(): string {
  return randomBytes(32).toString('base64url');
}

/** SHA-256, hexadecimal: what is stored and looked up. */
export function hashSessionToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

/** A session that begins or is used now. */
export function sessionFrom(session: Omit<StoredSession, 'expiresAt'>, now: Date): StoredSession {
  return { ...session, expiresAt: instant(plusSeconds(now, sessionSeconds)) };
}

/**
 * Whose session a token is.
 * @throws CodedError SESSION_MISSING
 */
export async function findSession(
  deps: SessionDeps,
  token: string | undefined,
): Promise<InSession> {
  if (token === undefined || !/^[\w-]{43}$/.test(token)) throw noSession();
  const tokenHash = hashSessionToken(token);
  const session = await deps.sessions.find(tokenHash);
  if (session === undefined || Date.parse(session.expiresAt) <= deps.now().getTime()) {
    throw noSession();
  }
  const account = await deps.accounts.get(session.accountId);
  if (account === undefined) throw noSession();
  return { account, tokenHash, session };
}

/**
 * Pushes the end of a session back, at most once a day; undefined where that is not due.
 * @throws CodedError SESSION_MISSING when it was ended in the meantime
 */
export async function renewSession(
  deps: SessionDeps,
  { tokenHash, session }: InSession,
): Promise<StoredSession | undefined> {
  const now = deps.now();
  const renewed = sessionFrom(session, now);
  const gainedMs = Date.parse(renewed.expiresAt) - Date.parse(session.expiresAt);
  if (gainedMs < renewalSeconds * 1000) return undefined;
  if (!(await deps.sessions.renew(tokenHash, renewed))) throw noSession();
  return renewed;
}

/** One refusal for every reason, so that it tells nothing of a token. */
function noSession(): CodedError {
  return new CodedError('SESSION_MISSING', { error: 'Nobody is signed in in this browser.' });
}
