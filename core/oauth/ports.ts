import type { AccountId, Instant } from '../../contract/fields.ts';
import type { AccountStore, KeyStore } from '../accounts/ports.ts';
import type { Counters } from '../limits/counters.ts';
import type { DocumentClient, RegisteredClient, StoredClient } from './clients/client.ts';
import type { DeviceAuthorization, DeviceDecision } from './device/waiting-device.ts';
import type { Grant, GrantKey, NewGrant } from './grant.ts';
import type { AccessToken, AuthorizationCode, RefreshToken, StoredPair } from './tokens/tokens.ts';

/** The dependencies of the authorization server. */
export interface OAuthDeps {
  accounts: Pick<AccountStore, 'get'>;
  counters: Pick<Counters, 'count'>;
  clients: ClientStore;
  documents: ClientDocuments;
  authorizationCodes: AuthorizationCodeStore;
  grants: GrantStore;
  tokens: TokenStore;
  devices: DeviceStore;
  keys: Pick<KeyStore, 'put'>;
  /** Prefix of tokens and API keys. */
  keyPrefix: string;
  /** Issuer, and start of the resource identifier; no trailing slash. */
  baseUrl: string;
  now(): Date;
}

/** Clients by their id. */
export interface ClientStore {
  find(clientId: string): Promise<StoredClient | undefined>;
  register(client: RegisteredClient): Promise<void>;
  /**
   * Stores a fetched document, or the reason why fetching failed. Never shortens the client's
   * lifetime; a failure keeps the earlier metadata.
   */
  storeDocument(client: DocumentClient): Promise<void>;
  /** Extends a client's lifetime; never shortens it. */
  extend(clientId: string, expiresAt: Instant): Promise<void>;
}

/** Fetches Client ID Metadata Documents from the hosts of strangers. */
export interface ClientDocuments {
  /** The text of a small JSON document; rejects with the reason. Connects to public addresses only. */
  fetch(url: URL): Promise<string>;
}

/** Authorization codes by their hash. */
export interface AuthorizationCodeStore {
  put(codeHash: string, code: AuthorizationCode): Promise<void>;
  find(codeHash: string): Promise<AuthorizationCode | undefined>;
}

/** Grants; read with strong consistency, so that a revoked grant is refused from the next request on. */
export interface GrantStore {
  find(key: GrantKey): Promise<Grant | undefined>;
  /** Every grant of an account, unordered; may include expired ones. */
  list(accountId: AccountId): Promise<Grant[]>;
  /** Notes a use; false if the grant no longer exists (it is not created again). */
  noteUse(key: GrantKey, lastUsedAt: Instant): Promise<boolean>;
  /** False if the grant did not exist. */
  remove(key: GrantKey): Promise<boolean>;
}

/** Tokens by their hash. */
export interface TokenStore {
  findAccess(accessHash: string): Promise<AccessToken | undefined>;
  findRefresh(refreshHash: string): Promise<RefreshToken | undefined>;
  /** Marks a code as used and stores its grant and first tokens, in one transaction; false if the code was used before. */
  redeemCode(
    codeHash: string,
    usedAt: Instant,
    grant: NewGrant,
    pair: StoredPair,
  ): Promise<boolean>;
  /** Marks a refresh token as used and stores its successors, in one transaction. Of concurrent calls one succeeds. */
  rotate(refreshHash: string, rotation: Rotation): Promise<RotationResult>;
}

/** Programs that wait to be allowed, by their user code. */
export interface DeviceStore {
  /** False if another program waits with this code. */
  begin(device: DeviceAuthorization): Promise<boolean>;
  find(userCode: string): Promise<DeviceAuthorization | undefined>;
  notePoll(userCode: string, poll: { polledAt: Instant; intervalSeconds: number }): Promise<void>;
  /** False if it was decided before. */
  decide(userCode: string, decision: DeviceDecision): Promise<boolean>;
  /** Marks an allowed code as used; of concurrent calls one succeeds. */
  redeem(userCode: string, usedAt: Instant): Promise<boolean>;
}

/** The replacement of a refresh token by its successors. */
export interface Rotation {
  rotatedAt: Instant;
  /** The encrypted response, for a caller who sends the same token again shortly afterwards. */
  sealed: Uint8Array;
  pair: StoredPair;
}

/** The result of a rotation. `replayed`: another call has used the token before; `current` is the stored token after that. */
export type RotationResult =
  | { kind: 'rotated' }
  | { kind: 'replayed'; current: RefreshToken }
  | { kind: 'ended' };
