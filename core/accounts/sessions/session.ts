import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { AccountId, Instant } from '../../../contract/fields.ts';
import { CodedError } from '../../errors.ts';
import { instant, plusSeconds } from '../../instants.ts';
import type { Account } from '../account.ts';
import type { BrowserFacts } from './browser-facts.ts';
import type { AccountStore, SessionStore } from '../ports.ts';
import { requireActive } from '../suspension.ts';
import { type NamedSession, SessionId, StoredSession } from './stored-session.ts';

/** A session ends so long after its sign-in, whatever its use: who stole a cookie keeps it no longer. */
export const sessionSeconds = 30 * 86_400;
/** A use is noted when the last note is this old, so that not every request is a write. */
const noteSeconds = 3600;

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

/** A session of a browser that signs in now. */
export function newSession(
  accountId: AccountId,
  { browser, os, country }: BrowserFacts,
  now: Date,
): NamedSession {
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

/** When a session ends: rows from before sessions had an absolute life may say later. */
export function endOf({ createdAt, expiresAt }: StoredSession): Instant {
  const latest = instant(plusSeconds(new Date(createdAt), sessionSeconds));
  return expiresAt < latest ? expiresAt : latest;
}

/** Whether a session's time is over; the exact instant already is over. */
export function isOver(session: StoredSession, now: Date): boolean {
  return Date.parse(endOf(session)) <= now.getTime();
}

/**
 * Whose session a token is.
 * @throws CodedError SESSION_MISSING, ACCOUNT_SUSPENDED
 */
export async function findSession(
  deps: SessionDeps,
  token: string | undefined,
): Promise<InSession> {
  if (token === undefined || !/^[\w-]{43}$/.test(token)) throw noSession();
  const tokenHash = hashSessionToken(token);
  const session = await deps.sessions.find(tokenHash);
  if (session === undefined || isOver(session, deps.now())) throw noSession();
  const account = await deps.accounts.get(session.accountId);
  if (account === undefined) throw noSession();
  requireActive(account);
  return { account, tokenHash, session };
}

/**
 * The session as a use now leaves it; its end stays. The use is noted at most once an hour.
 * @throws CodedError SESSION_MISSING when it was ended in the meantime
 */
export async function noteSessionUse(
  deps: Pick<SessionDeps, 'sessions' | 'now'>,
  { tokenHash, session }: InSession,
): Promise<NamedSession> {
  const { id = idOf(tokenHash), lastUsedAt } = session;
  const now = deps.now();
  const isNoted =
    lastUsedAt !== null && now.getTime() - Date.parse(lastUsedAt) < noteSeconds * 1000;
  if (session.id !== undefined && isNoted) return { ...session, id };
  const used = { ...session, id, lastUsedAt: instant(now), expiresAt: endOf(session) };
  if (!(await deps.sessions.noteUse(tokenHash, used))) throw noSession();
  return used;
}

/** The id of a session that is older than ids: the same for everybody who meets it. */
function idOf(tokenHash: string): SessionId {
  const hash = hashSessionToken(tokenHash);
  const parts = [hash.slice(0, 8), hash.slice(8, 12), `8${hash.slice(12, 15)}`];
  return SessionId.parse(`${parts.join('-')}-8${hash.slice(15, 18)}-${hash.slice(18, 30)}`);
}

/** One refusal for every reason, so that it tells nothing of a token. */
function noSession(): CodedError {
  return new CodedError('SESSION_MISSING', { error: 'Nobody is signed in in this browser.' });
}
