import type { ProjectId, PublishedBy } from '../contract/fields.ts';
import type { Account } from './accounts/account.ts';
import type { StoredKey } from './accounts/keys/api-key.ts';
import type { StoredSession } from './accounts/sessions/stored-session.ts';
import type { Credential } from './accounts/keys/credential.ts';
import type { LimitState } from './limits/sliding-window.ts';

/** The sender of a request: the IP address that the edge saw, and the request id for responses and logs. */
export interface Caller {
  address: string;
  requestId: string;
  /** Limits that this request counts toward; the tightest one is in the headers of the response. */
  limits?: LimitState[];
  agent?: CallingAgent;
}

/** The browser or program that sent a request, as it describes itself. Do not trust any of it. */
export interface CallingAgent {
  userAgent: string;
  /** From the edge; `''` where it sends none. */
  country: string;
  /** Identifies a browser that signed in before. */
  browserToken: string | undefined;
}

/** A caller who may have sent a key. */
export interface MaybeAccountCaller extends Caller {
  account?: Account | undefined;
  /** The hash of the upload link that the caller has, without another credential of the account. */
  linkHash?: string | undefined;
  /** How many uploads that link takes, if it is a file request, which many people share. */
  linkUploads?: number | undefined;
  /** The only projects of the account that exist for the caller; undefined for all. */
  projectIds?: readonly ProjectId[] | undefined;
}

/** A caller whose account is known, for every kind of authentication. */
export interface AccountCaller extends Caller {
  account: Account;
  /**
   * Checks the credential once more, for a request that waited: it may have ended meanwhile.
   * @throws CodedError as at the first check
   */
  authenticateAgain?(): Promise<unknown>;
  linkHash?: string | undefined;
  linkUploads?: number | undefined;
  /** The only projects of the account that exist for the caller; undefined for all. */
  projectIds?: readonly ProjectId[] | undefined;
}

/** A caller who may publish for an account. */
export interface PublishingCaller extends AccountCaller {
  publishedBy: PublishedBy;
}

/** A caller with a credential of the account: a key, a browser's session or a connected app. */
export interface CredentialCaller extends PublishingCaller {
  /** Links that the caller creates end when this credential ends. */
  credential: Credential;
}

/** A caller who sent a key. */
export interface KeyCaller extends CredentialCaller {
  key: StoredKey;
  credential: Extract<Credential, { kind: 'key' }>;
}

/** A caller who is signed in in a browser. */
export interface SessionCaller extends CredentialCaller {
  session: StoredSession;
  credential: Extract<Credential, { kind: 'session' }>;
}

/** A caller who sent a key, or is signed in in a browser. */
export type OwnerCaller = KeyCaller | SessionCaller;

/**
 * In which scope the Idempotency-Keys of an account's callers are unique. A key for some projects gets no stored
 * response of one that may do more.
 */
export function idempotencyScope({ account, projectIds }: AccountCaller): string {
  return [account.id, ...(projectIds ?? []).toSorted()].join(' ');
}
