import type { Caller } from '../caller.ts';
import type { OAuthDeps } from './ports.ts';

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

/**
 * The token endpoint: `authorization_code` and `refresh_token`.
 * @throws OAuthError invalid_request, invalid_client, invalid_grant, invalid_target, invalid_scope, unsupported_grant_type
 * @throws CodedError RATE_LIMITED
 */
export async function exchangeToken(
  _deps: OAuthDeps,
  _caller: Caller,
  _posted: ClientForm,
): Promise<TokenAnswer> {
  throw new Error('not yet');
}
