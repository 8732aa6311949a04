import { daySeconds } from '../../../contract/limits.ts';
import { randomUUID } from 'node:crypto';
import type { AccountId } from '../../../contract/fields.ts';
import { CodedError } from '../../errors.ts';
import { instant, plusSeconds, hasExpired } from '../../instants.ts';
import type { Account } from '../account.ts';
import type { BrowserFacts } from './known-browser.ts';
import type { AccountStore, SessionStore } from '../ports.ts';
import { requireActive } from '../suspension.ts';
import { SessionId, type StoredSession } from './stored-session.ts';
import { hashSecretText } from '../../secret-text.ts';

/** A session ends this long after its sign-in, even if it is used: this limits how long a stolen cookie works. */
export const sessionSeconds = 30 * daySeconds;
/** A use is recorded at most once in this time, so that not every request is a write. */
const useNoteSeconds = 3600;

/** The dependencies of `authenticateSession` and `noteSessionUse`. */
export interface SessionDeps {
  accounts: Pick<AccountStore, 'get'>;
  sessions: SessionStore;
  now(): Date;
}

/** The account that is signed in, with its session. */
export interface ActiveSession {
  account: Account;
  tokenHash: string;
  session: StoredSession;
}

/** The session of a browser that signs in now. */
export function newSession(
  accountId: AccountId,
  { browser, os, country }: BrowserFacts,
  now: Date,
): StoredSession {
  const at = instant(now);
  return {
    id: SessionId.parse(randomUUID()),
    accountId,
    createdAt: at,
    lastUsedAt: at,
    expiresAt: instant(plusSeconds(now, sessionSeconds)),
    browser,
    os,
    country,
  };
}

/**
 * Finds the session of a token and its account.
 * @throws CodedError SESSION_MISSING, ACCOUNT_SUSPENDED
 */
export async function authenticateSession(
  deps: SessionDeps,
  token: string | undefined,
): Promise<ActiveSession> {
  if (token === undefined || !/^[\w-]{43}$/.test(token)) throw noSession();
  const tokenHash = hashSecretText(token);
  const session = await deps.sessions.find(tokenHash);
  if (session === undefined || hasExpired(session, deps.now())) throw noSession();
  const account = await deps.accounts.get(session.accountId);
  if (account === undefined) throw noSession();
  requireActive(account);
  return { account, tokenHash, session };
}

/**
 * Records that the session is used, at most once an hour. Its end does not change.
 * @throws CodedError SESSION_MISSING when the session was ended in the meantime
 */
export async function noteSessionUse(
  deps: Pick<SessionDeps, 'sessions' | 'now'>,
  { tokenHash, session }: ActiveSession,
): Promise<StoredSession> {
  const { lastUsedAt } = session;
  const now = deps.now();
  const isNoted =
    lastUsedAt !== null && now.getTime() - Date.parse(lastUsedAt) < useNoteSeconds * 1000;
  if (isNoted) return session;
  const used = { ...session, lastUsedAt: instant(now) };
  if (!(await deps.sessions.noteUse(tokenHash, used))) throw noSession();
  return used;
}

/** One error for every reason, so that it reveals nothing about a token. */
function noSession(): CodedError {
  return new CodedError('SESSION_MISSING', { error: 'This browser is not signed in.' });
}
