import type { Caller } from '../../caller.ts';
import { authenticateClient } from '../clients/authenticate-client.ts';
import { countTokenRequest } from './exchange-token.ts';
import type { ClientForm } from './token-endpoint.ts';
import type { GrantKey } from '../grant.ts';
import { OAuthError } from '../oauth-error.ts';
import { parameter, requireSingle } from '../authorization/request-parameters.ts';
import type { OAuthDeps } from '../ports.ts';
import { secretHash } from './tokens.ts';

/** The dependencies of the revocation endpoint. */
export type RevokeDeps = Pick<
  OAuthDeps,
  'counters' | 'clients' | 'grants' | 'tokens' | 'keyPrefix' | 'now'
>;

/**
 * The revocation endpoint (RFC 7009). Revoking either token revokes the whole grant. An unknown token, or
 * one of another client, is not an error and changes nothing.
 * @throws OAuthError invalid_request, invalid_client
 * @throws CodedError RATE_LIMITED
 */
export async function revokeToken(
  deps: RevokeDeps,
  caller: Caller,
  posted: ClientForm,
): Promise<void> {
  await countTokenRequest(deps, caller);
  const client = await authenticateClient(deps, posted);
  requireSingle(posted.form, ['token']);
  const token = parameter(posted.form, 'token');
  if (token === undefined) throw new OAuthError('invalid_request', 'Send the token to revoke.');
  const key = await grantOf(deps, token);
  const grant = key === undefined ? undefined : await deps.grants.find(key);
  if (grant?.clientId === client.id) await deps.grants.remove(grant);
}

/** The prefix of a token says which kind it is, so `token_type_hint` is not needed. */
async function grantOf(
  { tokens, keyPrefix }: RevokeDeps,
  token: string,
): Promise<GrantKey | undefined> {
  const accessHash = secretHash(keyPrefix, 'access', token);
  const refreshHash = secretHash(keyPrefix, 'refresh', token);
  const stored =
    (accessHash && (await tokens.findAccess(accessHash))) ||
    (refreshHash && (await tokens.findRefresh(refreshHash)));
  return stored ? { accountId: stored.accountId, id: stored.grantId } : undefined;
}
