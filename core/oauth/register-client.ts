import type { Caller } from '../caller.ts';
import type { OAuthDeps } from './ports.ts';

/**
 * Dynamic client registration (RFC 7591); `metadata` is the JSON body as it was sent.
 * @throws OAuthError invalid_redirect_uri, invalid_client_metadata
 * @throws CodedError RATE_LIMITED
 */
export async function registerClient(
  _deps: OAuthDeps,
  _caller: Caller,
  _metadata: unknown,
): Promise<Record<string, unknown>> {
  throw new Error('not yet');
}
