import type { AccountId, Instant } from '../../contract/fields.ts';
import type { AccountStore } from '../accounts/ports.ts';
import type { Counters } from '../limits/counters.ts';
import type { DocumentClient, RegisteredClient, StoredClient } from './clients/client.ts';
import type { Grant, GrantKey, NewGrant } from './grant.ts';
import type { AccessToken, AuthorizationCode, RefreshToken, StoredPair } from './tokens/tokens.ts';

/** What the authorization server needs. */
export interface OAuthDeps {
  accounts: Pick<AccountStore, 'get'>;
  counters: Pick<Counters, 'count'>;
  clients: ClientStore;
  documents: ClientDocuments;
  authorizationCodes: AuthorizationCodeStore;
  grants: GrantStore;
  tokens: TokenStore;
  /** Tokens begin with it, as API keys do. */
  keyPrefix: string;
  /** Issuer and beginning of the resource; no trailing slash. */
  baseUrl: string;
  /** Whether redirects name the issuer (RFC 9207). */
  sendsIssuer: boolean;
  now(): Date;
}

/** Clients by their id. */
export interface ClientStore {
  find(clientId: string): Promise<StoredClient | undefined>;
  register(client: RegisteredClient): Promise<void>;
  /** Keeps what reading a document gave; never ends a client sooner, nor forgets an earlier document for a failure. */
  keepDocument(client: DocumentClient): Promise<void>;
  /** Pushes a client's end back, never forward. */
  prolong(clientId: string, expiresAt: Instant): Promise<void>;
}

/** Reads Client ID Metadata Documents from wherever strangers keep them. */
export interface ClientDocuments {
  /** The text of a small JSON document; rejects with what went wrong. Nothing but public addresses is asked. */
  fetch(url: URL): Promise<string>;
}

/** Authorization codes by their hash. */
export interface AuthorizationCodeStore {
  put(codeHash: string, code: AuthorizationCode): Promise<void>;
  find(codeHash: string): Promise<AuthorizationCode | undefined>;
}

/** What people allowed; strongly consistent, so that what is taken back is gone at the next request. */
export interface GrantStore {
  find(key: GrantKey): Promise<Grant | undefined>;
  /** Every grant of an account, in no order; one that is over may be among them. */
  list(accountId: AccountId): Promise<Grant[]>;
  /** Notes a use; false when the grant was taken back, and then it stays so. */
  noteUse(key: GrantKey, lastUsedAt: Instant): Promise<boolean>;
  /** False when there was none. */
  remove(key: GrantKey): Promise<boolean>;
}

/** Tokens by their hash. */
export interface TokenStore {
  findAccess(accessHash: string): Promise<AccessToken | undefined>;
  findRefresh(refreshHash: string): Promise<RefreshToken | undefined>;
  /** Uses a code up, and with that makes its grant and the first tokens; false when it was used before. */
  begin(codeHash: string, usedAt: Instant, grant: NewGrant, pair: StoredPair): Promise<boolean>;
  /** Uses a refresh token up, and with that makes its successors; of many at once one does. */
  rotate(refreshHash: string, rotation: Rotation): Promise<Rotated>;
}

/** One use of a refresh token. */
export interface Rotation {
  rotatedAt: Instant;
  /** The answer, for whoever sends the same token again in a moment. */
  sealed: Uint8Array;
  pair: StoredPair;
}

/** What became of it; `met` is the token as somebody else's use left it. */
export type Rotated =
  | { kind: 'rotated' }
  | { kind: 'replayed'; met: RefreshToken }
  | { kind: 'ended' };
