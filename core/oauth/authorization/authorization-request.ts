import type { OAuthScope } from '../../../contract/oauth/oauth.ts';

/** The client as the consent page shows it; nothing of it is to be believed but `id` and `host`. */
export interface AskingClient {
  id: string;
  /** As the client calls itself; not escaped. */
  name: string;
  /** Host of a Client ID Metadata Document, whose owner the client therefore is; null for a registered client. */
  host: string | null;
}

/** An authorization request that a person may be asked about (RFC 6749 §4.1.1, RFC 7636 §4.3). */
export interface AuthorizationRequest {
  client: AskingClient;
  /** As it was sent; it is one of the client's. */
  redirectUri: string;
  scopes: readonly OAuthScope[];
  /** Byte for byte. */
  state: string | undefined;
  /** Of S256. */
  codeChallenge: string;
  resource: string;
}

/** What becomes of a request to the authorization endpoint. */
export type AuthorizationStep =
  /** Shown on a page of ours: nothing says that the redirect URI is the client's. */
  | { kind: 'refused'; problem: AuthorizationProblem; detail: string }
  /**
   * The client made a mistake. `location` tells it at its redirect URI; whether a browser is sent
   * there is decided by `isConnected`.
   */
  | { kind: 'client-mistake'; mistake: ClientMistake }
  | { kind: 'ask'; request: AuthorizationRequest };

export type AuthorizationProblem =
  | 'unknown-client'
  | 'unknown-redirect'
  | 'refused-redirect'
  | 'unreadable';

/** A mistake in a known client's request. */
export interface ClientMistake {
  client: AskingClient;
  redirectUri: string;
  /** What is wrong, for the client's makers. */
  detail: string;
  /** The redirect URI with the error (RFC 6749 §4.1.2.1). */
  location: string;
}
