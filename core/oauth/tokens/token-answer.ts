import type { OAuthScope } from '../../../contract/oauth/oauth.ts';
import type { TokenAnswer } from './token-endpoint.ts';
import type { TokenPair } from './tokens.ts';

/** The tokens as their client is told them; `expires_in` counts from now. */
export function tokenAnswer(
  { accessToken, refreshToken }: TokenPair,
  { scopes, expiresAt }: { scopes: readonly OAuthScope[]; expiresAt: string },
  now: Date,
): TokenAnswer {
  return {
    access_token: accessToken,
    token_type: 'Bearer',
    expires_in: Math.floor((Date.parse(expiresAt) - now.getTime()) / 1000),
    refresh_token: refreshToken,
    scope: scopes.join(' '),
  };
}
