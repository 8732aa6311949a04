import type { OAuthScope } from '../../../contract/oauth/oauth.ts';

/** The client as the consent page shows it. Only `id` and `host` are trustworthy. */
export interface RequestingClient {
  id: string;
  /** The name that the client gave itself; not escaped. */
  name: string;
  /** Host of its Client ID Metadata Document, which proves its identity; null for a registered client. */
  host: string | null;
}

/** A valid authorization request (RFC 6749 §4.1.1, RFC 7636 §4.3). */
export interface AuthorizationRequest {
  client: RequestingClient;
  /** As it was sent; matches one of the client's URIs. */
  redirectUri: string;
  scopes: readonly OAuthScope[];
  /** Returned to the client unchanged. */
  state: string | undefined;
  /** PKCE challenge, method S256. */
  codeChallenge: string;
  resource: string;
}

/** The result of checking a request to the authorization endpoint. */
export type AuthorizationOutcome =
  /** Shown on our own page, because the redirect URI is not verified. */
  | { kind: 'refused'; problem: AuthorizationProblem; detail: string }
  /**
   * The client is known, but its request has a mistake. `location` is its redirect URI with the error;
   * `isConnected` decides whether the browser is redirected there.
   */
  | { kind: 'invalid-request'; mistake: ClientMistake }
  | { kind: 'valid'; request: AuthorizationRequest };

export type AuthorizationProblem =
  | 'unknown-client'
  | 'unknown-redirect'
  | 'refused-redirect'
  | 'unreadable';

/** A mistake in a known client's request. */
export interface ClientMistake {
  client: RequestingClient;
  redirectUri: string;
  /** What is wrong, for the developers of the client. */
  detail: string;
  /** The redirect URI with the error (RFC 6749 §4.1.2.1). */
  location: string;
}
