import type { Caller } from '../../caller.ts';
import { hasExpired, instant, plusSeconds } from '../../instants.ts';
import { countByAddress } from '../../limits/address-limits.ts';
import { authenticateClient } from '../clients/authenticate-client.ts';
import { type StoredClient, clientRenewalSeconds, clientSeconds } from '../clients/client.ts';
import { OAuthError } from '../oauth-error.ts';
import {
  parameter,
  requireOurResource,
  requireSingle,
} from '../authorization/request-parameters.ts';
import type { OAuthDeps } from '../ports.ts';
import { refreshTokens } from './refresh-tokens.ts';
import {
  type ClientForm,
  type ExchangeDeps,
  type TokenResponse,
  requireActiveHolder,
  requireOpenSession,
  toTokenResponse,
} from './token-endpoint.ts';
import type { NewGrant } from '../grant.ts';
import { matchesChallenge } from './pkce.ts';
import { redirectHost } from '../clients/redirect-uri.ts';
import { type AuthorizationCode, newPair, secretHash } from './tokens.ts';

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
  const answer = await (grantType === 'refresh_token'
    ? refreshTokens(deps, { client, caller }, form)
    : exchangeCode(deps, client, form));
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

/**
 * Exchanges an authorization code for the first tokens of a grant (RFC 6749 §4.1.3).
 *
 * A second use revokes the grant (§4.1.2), because somebody other than the app has the code. This
 * needs the correct verifier: a code is visible in the browser's history, and a person who finds it
 * there must not be able to disconnect the app.
 * @throws OAuthError invalid_request, invalid_grant, access_denied
 */
async function exchangeCode(
  deps: ExchangeDeps,
  client: StoredClient,
  form: URLSearchParams,
): Promise<TokenResponse> {
  const { sent, verifier } = readForm(form);
  const codeHash = secretHash(deps.keyPrefix, 'code', sent);
  const code = codeHash === undefined ? undefined : await deps.authorizationCodes.find(codeHash);
  if (codeHash === undefined || code === undefined || code.clientId !== client.id) {
    throw invalidGrant('This code is unknown or belongs to another client.');
  }
  if (!matchesChallenge(verifier, code.codeChallenge)) {
    throw invalidGrant('The code_verifier does not match the code_challenge.');
  }
  const redirectUri = parameter(form, 'redirect_uri');
  if (redirectUri !== undefined && redirectUri !== code.redirectUri) {
    throw invalidGrant('The redirect_uri differs from the one in the authorization request.');
  }
  if (code.usedAt !== undefined) throw await revokeReplayedGrant(deps, code);
  const now = deps.now();
  if (hasExpired(code, now))
    throw invalidGrant('This code has expired. Start a new authorization.');
  await requireActiveHolder(deps, code.accountId);
  await requireOpenSession(deps, code);
  const { pair, stored } = newPair(deps.keyPrefix, code, now);
  const grant = grantOf(code, instant(now), stored.refresh.expiresAt);
  const redeemed = await deps.tokens.redeemCode(codeHash, instant(now), grant, stored);
  if (!redeemed) throw await revokeReplayedGrant(deps, code);
  return toTokenResponse(pair, stored.access, now);
}

function readForm(form: URLSearchParams): { sent: string; verifier: string } {
  const sent = parameter(form, 'code');
  const verifier = parameter(form, 'code_verifier');
  if (sent === undefined || verifier === undefined) {
    throw new OAuthError('invalid_request', 'Send code and code_verifier.');
  }
  return { sent, verifier };
}

function grantOf(code: AuthorizationCode, createdAt: string, expiresAt: string): NewGrant {
  const { accountId, grantId: id, clientId, clientName, redirectUri, scopes } = code;
  return {
    id,
    accountId,
    clientId,
    clientName,
    redirectHost: redirectHost(redirectUri),
    scopes,
    createdAt,
    expiresAt,
  };
}

async function revokeReplayedGrant(
  { grants }: ExchangeDeps,
  { accountId, grantId: id }: AuthorizationCode,
): Promise<OAuthError> {
  await grants.remove({ accountId, id });
  return invalidGrant(
    'This code was used before, so its tokens were revoked. Start a new authorization.',
  );
}

function invalidGrant(description: string): OAuthError {
  return new OAuthError('invalid_grant', description);
}
