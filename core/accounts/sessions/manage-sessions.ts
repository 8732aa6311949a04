import type { SessionCaller } from '../../caller.ts';
import { CodedError } from '../../errors.ts';
import type { SessionStore } from '../ports.ts';
import { type StoredSession, SessionId } from './stored-session.ts';
import { hasExpired } from '../../instants.ts';

/** The dependencies for managing sessions. */
export interface ManageSessionsDeps {
  sessions: Pick<SessionStore, 'list' | 'remove'>;
  now(): Date;
}

/** The account that is signed in, and the session of this browser. */
type SignedInAccount = Pick<SessionCaller, 'account' | 'session'>;

/** The browsers that are signed in to the account, last used first. */
export async function listSessions(deps: ManageSessionsDeps, caller: SignedInAccount) {
  const now = deps.now();
  const sessions = (await deps.sessions.list(caller.account.id)).filter(
    (session) => !hasExpired(session, now),
  );
  const lastUsedFirst = sessions.toSorted((a, b) => (lastUse(a) < lastUse(b) ? 1 : -1));
  return { sessions: lastUsedFirst.map((session) => describe(session, caller)) };
}

/**
 * Ends a session; the next request of that browser is refused.
 * @throws CodedError NOT_FOUND
 */
export async function deleteSession(
  deps: Pick<ManageSessionsDeps, 'sessions'>,
  { account }: SignedInAccount,
  input: { sessionId: string },
) {
  const { data: id } = SessionId.safeParse(input.sessionId);
  if (id === undefined || !(await deps.sessions.remove(account.id, id))) {
    throw new CodedError('NOT_FOUND', {
      error: 'There is no session with this id in your account.',
    });
  }
  return { deleted: true };
}

/** Ends every session except the caller's own; returns how many. */
export async function deleteOtherSessions(
  deps: Pick<ManageSessionsDeps, 'sessions'>,
  { account, session }: SignedInAccount,
) {
  const others = (await deps.sessions.list(account.id)).filter(({ id }) => id !== session.id);
  const removed = await Promise.all(others.map(({ id }) => deps.sessions.remove(account.id, id)));
  return { deleted: removed.filter(Boolean).length };
}

function lastUse({ lastUsedAt, createdAt }: StoredSession): string {
  return lastUsedAt ?? createdAt;
}

function describe(session: StoredSession, caller: SignedInAccount) {
  const { id, createdAt, lastUsedAt, expiresAt, browser, os, country } = session;
  const current = id === caller.session.id;
  return { id, createdAt, lastUsedAt, expiresAt, browser, os, country, current };
}
