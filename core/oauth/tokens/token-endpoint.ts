import type { OAuthDeps } from '../ports.ts';

/** What the token endpoint needs. */
export type ExchangeDeps = Pick<
  OAuthDeps,
  | 'accounts'
  | 'counters'
  | 'clients'
  | 'authorizationCodes'
  | 'grants'
  | 'tokens'
  | 'keyPrefix'
  | 'baseUrl'
  | 'now'
>;

/** The answer of the token endpoint (RFC 6749 §5.1). */
export interface TokenAnswer {
  access_token: string;
  token_type: 'Bearer';
  /** Seconds. */
  expires_in: number;
  refresh_token: string;
  scope: string;
}

/** What was posted to the token or revocation endpoint. */
export interface ClientForm {
  form: URLSearchParams;
  /** The Authorization header, for `client_secret_basic`. */
  authorization: string | undefined;
}
