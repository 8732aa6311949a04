import { type OAuthScope, oauthScopes } from '../../../contract/oauth/oauth.ts';

/** The scopes of a space-separated list that exist here, each once; undefined where none does. */
export function knownScopes(sent: string | undefined): OAuthScope[] | undefined {
  const named = new Set((sent ?? '').split(' '));
  const known = oauthScopes.filter((scope) => named.has(scope));
  return known.length === 0 ? undefined : known;
}
