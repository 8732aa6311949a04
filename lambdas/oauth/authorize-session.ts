import type { Account } from '../../core/accounts/account.ts';
import { findSession, noteSessionUse } from '../../core/accounts/sessions/session.ts';
import type { NamedSession } from '../../core/accounts/sessions/stored-session.ts';
import type { OpenedSession } from '../../core/accounts/sessions/web-session.ts';
import { CodedError } from '../../core/errors.ts';
import type { ApiRequest } from '../http/api-request.ts';
import { authorizeServices } from './authorize-services.ts';
import { endedSessionCookie, sessionCookies, signInCookie } from '../accounts/session-cookie.ts';

/** Who is signed in on the pages below `/oauth`. */
export interface Person {
  account: Account;
  session: NamedSession;
  token: string;
  tokenHash: string;
}

/** Who is signed in in this browser; undefined for nobody. */
export async function personIn({ headers }: ApiRequest): Promise<Person | undefined> {
  const token = signInCookie.read(headers['cookie']);
  if (token === undefined) return undefined;
  try {
    const found = await findSession(authorizeServices(), token);
    const session = await noteSessionUse(authorizeServices(), found);
    return { account: found.account, session, token, tokenHash: found.tokenHash };
  } catch (error) {
    if (error instanceof CodedError && error.code === 'SESSION_MISSING') return undefined;
    throw error;
  }
}

/** What makes a browser keep a session, for these pages and for all others of ours. */
export function keptCookies(opened: OpenedSession): string[] {
  return [...sessionCookies(opened), signInCookie.keep(opened.token)];
}

/** What makes a browser forget its session. */
export const forgottenCookies = [endedSessionCookie, signInCookie.forget];
