import type { Account } from './accounts/account.ts';
import type { StoredKey } from './accounts/keys/api-key.ts';
import type { NamedSession } from './accounts/sessions/stored-session.ts';
import type { Credential } from './accounts/keys/credential.ts';
import type { LimitState } from './limits/limit-state.ts';

/** Who is asking: the address that the edge saw, and the request's id for answers and logs. */
export interface Caller {
  address: string;
  requestId: string;
  /** Limits that this request met; the tightest is told in the answer's headers. */
  limits?: LimitState[];
  agent?: CallingAgent;
}

/** The browser or program that sent a request, in its own words; nothing of it is to be believed. */
export interface CallingAgent {
  userAgent: string;
  /** As the edge tells it; `''` where it does not. */
  country: string;
  /** By which a browser is known from an earlier sign-in. */
  browserToken: string | undefined;
}

/** A caller who may have sent a key. */
export interface MaybeAccountCaller extends Caller {
  account?: Account | undefined;
}

/** A caller whose account is known, however they proved it. */
export interface AccountCaller extends Caller {
  account: Account;
  /** What the caller proved it with; what they make for others ends with it. */
  credential?: Credential | undefined;
}

/** A caller who sent a key. */
export interface KeyCaller extends AccountCaller {
  key: StoredKey;
  credential: Extract<Credential, { kind: 'key' }>;
}

/** A caller who is signed in in a browser. */
export interface SessionCaller extends AccountCaller {
  session: NamedSession;
}
