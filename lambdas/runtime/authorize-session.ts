import type { Account } from '../../core/accounts/account.ts';
import { findSession, renewSession } from '../../core/accounts/session.ts';
import { CodedError } from '../../core/errors.ts';
import type { ApiRequest } from './api-request.ts';
import { authorizeServices } from './authorize-services.ts';
import { endedSessionCookie, sessionCookie, signInCookie } from './session-cookie.ts';

/** Who is signed in on the pages below `/oauth`. */
export interface Person {
  account: Account;
  token: string;
  tokenHash: string;
  /** That make the browser keep the session longer, where that is due. */
  cookies: readonly string[];
}

/** Who is signed in in this browser; undefined for nobody. */
export async function personIn({ headers }: ApiRequest): Promise<Person | undefined> {
  const token = signInCookie.read(headers['cookie']);
  if (token === undefined) return undefined;
  try {
    const found = await findSession(authorizeServices(), token);
    const renewed = await renewSession(authorizeServices(), found);
    const cookies = renewed === undefined ? [] : keptCookies(token);
    return { account: found.account, token, tokenHash: found.tokenHash, cookies };
  } catch (error) {
    if (error instanceof CodedError && error.code === 'SESSION_MISSING') return undefined;
    throw error;
  }
}

/** What makes a browser keep a session, for these pages and for all others of ours. */
export function keptCookies(token: string): string[] {
  return [sessionCookie(token), signInCookie.keep(token)];
}

/** What makes a browser forget its session. */
export const forgottenCookies = [endedSessionCookie, signInCookie.forget];
