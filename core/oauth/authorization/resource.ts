import { mcpResource } from '../../../contract/oauth/oauth.ts';
import { OAuthError } from '../oauth-error.ts';

/**
 * Refuses a resource that is not ours (RFC 8707 §2). Clients name ours exactly, with a slash at its
 * end, by its origin alone, or not at all.
 * @throws OAuthError invalid_target
 */
export function requireOurResource(baseUrl: string, sent: URLSearchParams): void {
  const ours = [mcpResource(baseUrl), baseUrl].flatMap((resource) => [resource, `${resource}/`]);
  const foreign = sent.getAll('resource').some((one) => one !== '' && !ours.includes(one));
  if (!foreign) return;
  throw new OAuthError(
    'invalid_target',
    `Tokens of this server are for ${mcpResource(baseUrl)} only; send that as resource, or none.`,
  );
}
