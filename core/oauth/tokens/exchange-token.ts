import type { Caller } from '../../caller.ts';
import { instant, plusSeconds } from '../../instants.ts';
import { countByAddress } from '../../limits/address-limits.ts';
import { authenticateClient } from '../clients/authenticate-client.ts';
import { clientRenewalSeconds, clientSeconds, type StoredClient } from '../clients/client.ts';
import { exchangeCode } from './exchange-code.ts';
import { OAuthError } from '../oauth-error.ts';
import {
  parameter,
  requireOurResource,
  requireSingle,
} from '../authorization/request-parameters.ts';
import type { OAuthDeps } from '../ports.ts';
import { refreshTokens } from './refresh-tokens.ts';
import type { ClientForm, ExchangeDeps, TokenResponse } from './token-endpoint.ts';

/** High, because a hosted app refreshes tokens of many users from a few addresses. */
const tokenRequestLimit = { limit: 600, windowSeconds: 60 };

/**
 * The token endpoint: `authorization_code` and `refresh_token`; device codes have their own function.
 * @throws OAuthError invalid_request, invalid_client, invalid_grant, invalid_target, invalid_scope, unsupported_grant_type
 * @throws CodedError RATE_LIMITED
 */
export async function exchangeToken(
  deps: ExchangeDeps,
  caller: Caller,
  posted: ClientForm,
): Promise<TokenResponse> {
  await countTokenRequest(deps, caller);
  const { form } = posted;
  requireSingle(form, [
    'grant_type',
    'code',
    'code_verifier',
    'redirect_uri',
    'refresh_token',
    'scope',
  ]);
  const grantType = parameter(form, 'grant_type');
  if (grantType === undefined) throw new OAuthError('invalid_request', 'Send a grant_type.');
  if (grantType !== 'authorization_code' && grantType !== 'refresh_token') {
    throw new OAuthError(
      'unsupported_grant_type',
      'The grant_type must be one that grant_types_supported names.',
    );
  }
  const client = await authenticateClient(deps, posted);
  requireOurResource(deps.baseUrl, form);
  const exchange = grantType === 'refresh_token' ? refreshTokens : exchangeCode;
  const answer = await exchange(deps, client, form);
  await extendClient(deps, client);
  return answer;
}

/**
 * Counts a request before its body is read.
 * @throws CodedError RATE_LIMITED
 */
export async function countTokenRequest(
  { counters, now }: Pick<OAuthDeps, 'counters' | 'now'>,
  caller: Caller,
): Promise<void> {
  const requests = { name: 'oauth-tokens', rule: tokenRequestLimit, what: 'requests with tokens' };
  await countByAddress(counters, caller, requests, now());
}

/** Extends the registration of a client that is in use, at most once a day. */
async function extendClient({ clients, now }: ExchangeDeps, client: StoredClient): Promise<void> {
  const end = plusSeconds(now(), clientSeconds);
  const gainedMs = end.getTime() - Date.parse(client.expiresAt);
  if (gainedMs >= clientRenewalSeconds * 1000) await clients.extend(client.id, instant(end));
}
