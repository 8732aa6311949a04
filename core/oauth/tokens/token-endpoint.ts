import type { OAuthDeps } from '../ports.ts';
import type { AccountId } from '../../../contract/fields.ts';
import type { SessionStore } from '../../accounts/ports.ts';
import { accountState } from '../../accounts/suspension.ts';
import { OAuthError } from '../oauth-error.ts';
import type { OAuthScope } from '../../../contract/oauth/oauth.ts';
import type { TokenPair } from './tokens.ts';
import { hasExpired } from '../../instants.ts';

/** The dependencies of the token endpoint. */
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
> & {
  sessions: Pick<SessionStore, 'find'>;
};

/** The response of the token endpoint (RFC 6749 §5.1). */
export interface TokenResponse {
  access_token: string;
  token_type: 'Bearer';
  /** Seconds. */
  expires_in: number;
  refresh_token: string;
  scope: string;
}

/** The response with an API key: nothing renews it, and `expires_in` is omitted where each use prolongs it. */
export type KeyResponse = Omit<TokenResponse, 'refresh_token' | 'expires_in'>;

/** The response of an exchange (RFC 8693 §2.2.1): a key that nothing renews. */
export type ExchangedKeyResponse = Omit<TokenResponse, 'refresh_token'> & {
  issued_token_type: string;
};

/** A request to the token or revocation endpoint. */
export interface ClientForm {
  form: URLSearchParams;
  /** The Authorization header, for `client_secret_basic`. */
  authorization: string | undefined;
}

/**
 * Refuses tokens of a suspended account. The error is not `invalid_grant`, which would make the client
 * discard a grant that still exists.
 * @throws OAuthError access_denied
 */
export async function requireActiveHolder(
  { accounts }: Pick<OAuthDeps, 'accounts'>,
  accountId: AccountId,
): Promise<void> {
  const account = await accounts.get(accountId);
  if (account === undefined || accountState(account) === 'active') return;
  throw new OAuthError('access_denied', 'The account is suspended.');
}

/** What somebody allowed in a browser ends with the session of that browser. @throws OAuthError invalid_grant */
export async function requireOpenSession(
  { sessions, now }: Pick<ExchangeDeps, 'sessions' | 'now'>,
  { accountId, sessionHash = '' }: { accountId: AccountId; sessionHash?: string | undefined },
): Promise<void> {
  const session = await sessions.find(sessionHash);
  if (session?.accountId === accountId && !hasExpired(session, now())) return;
  throw new OAuthError(
    'invalid_grant',
    'The browser that allowed it was signed out before the code was used. Begin again.',
  );
}

/** The response with a pair of tokens. */
export function toTokenResponse(
  { accessToken, refreshToken }: TokenPair,
  { scopes, expiresAt }: { scopes: readonly OAuthScope[]; expiresAt: string },
  now: Date,
): TokenResponse {
  return {
    access_token: accessToken,
    token_type: 'Bearer',
    expires_in: Math.floor((Date.parse(expiresAt) - now.getTime()) / 1000),
    refresh_token: refreshToken,
    scope: scopes.join(' '),
  };
}
