import type { Caller } from '../caller.ts';
import type { ClientForm } from './exchange-token.ts';
import type { OAuthDeps } from './ports.ts';

/**
 * The revocation endpoint (RFC 7009): either token ends the whole grant; an unknown one is no error.
 * @throws OAuthError invalid_request, invalid_client
 * @throws CodedError RATE_LIMITED
 */
export async function revokeToken(
  _deps: OAuthDeps,
  _caller: Caller,
  _posted: ClientForm,
): Promise<void> {
  throw new Error('not yet');
}
