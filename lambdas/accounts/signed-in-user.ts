import type { Account } from '../../core/accounts/account.ts';
import {
  authenticateSession,
  noteSessionUse,
  type SessionDeps,
} from '../../core/accounts/sessions/session.ts';
import type { StoredSession } from '../../core/accounts/sessions/stored-session.ts';
import { CodedError } from '../../core/errors.ts';
import type { ApiRequest } from '../http/api-request.ts';
import { signInCookie } from '../http/session-cookie.ts';

/** The person who is signed in on the pages of `/oauth` and `/claim`. */
export interface SignedInUser {
  account: Account;
  session: StoredSession;
  token: string;
  tokenHash: string;
}

/** The person who is signed in in this browser, if any. Records the use of the session. */
export async function findSignedInUser(
  deps: SessionDeps,
  { headers }: Pick<ApiRequest, 'headers'>,
): Promise<SignedInUser | undefined> {
  const token = signInCookie.read(headers['cookie']);
  if (token === undefined) return undefined;
  try {
    const found = await authenticateSession(deps, token);
    const session = await noteSessionUse(deps, found);
    return { account: found.account, session, token, tokenHash: found.tokenHash };
  } catch (error) {
    if (error instanceof CodedError && error.code === 'SESSION_MISSING') return undefined;
    throw error;
  }
}
