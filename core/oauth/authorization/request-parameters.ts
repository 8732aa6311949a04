import { OAuthError } from '../oauth-error.ts';
import { mcpResource, type OAuthScope, oauthScopes } from '../../../contract/oauth/oauth.ts';

/** The value of a parameter; an empty value counts as omitted (RFC 6749 §3.1). */
export function parameter(sent: URLSearchParams, name: string): string | undefined {
  const value = sent.get(name);
  return value === null || value === '' ? undefined : value;
}

/**
 * Refuses a repeated parameter (RFC 6749 §3.1), because programs differ in which value they use.
 * Unknown parameters are ignored.
 * @throws OAuthError invalid_request
 */
export function requireSingle(sent: URLSearchParams, names: readonly string[]): void {
  const repeated = names.find((name) => sent.getAll(name).length > 1);
  if (repeated !== undefined) {
    throw new OAuthError('invalid_request', `Send ${repeated} only once.`);
  }
}

/** The known scopes of a space-separated list; undefined if there is none. */
export function knownScopes(sent: string | undefined): OAuthScope[] | undefined {
  const named = new Set((sent ?? '').split(' '));
  const known = oauthScopes.filter((scope) => named.has(scope));
  return known.length === 0 ? undefined : known;
}

/**
 * Refuses a resource that is not ours (RFC 8707 §2). Clients send ours exactly, with a trailing
 * slash, as the origin only, or not at all.
 * @throws OAuthError invalid_target
 */
export function requireOurResource(baseUrl: string, sent: URLSearchParams): void {
  const ours = [mcpResource(baseUrl), baseUrl].flatMap((resource) => [resource, `${resource}/`]);
  const foreign = sent.getAll('resource').some((one) => one !== '' && !ours.includes(one));
  if (!foreign) return;
  throw new OAuthError(
    'invalid_target',
    `Tokens of this server are for ${mcpResource(baseUrl)} only. Send this value as resource, or omit resource.`,
  );
}
