import { hasExpired, instant } from '../../instants.ts';
import type { StoredClient } from '../clients/client.ts';
import {
  type ExchangeDeps,
  requireActiveHolder,
  type TokenResponse,
  toTokenResponse,
} from './token-endpoint.ts';
import type { NewGrant } from '../grant.ts';
import { OAuthError } from '../oauth-error.ts';
import { parameter } from '../authorization/request-parameters.ts';
import { matchesChallenge } from './pkce.ts';
import { redirectHost } from '../clients/redirect-uri.ts';
import { type AuthorizationCode, newPair, secretHash } from './tokens.ts';

/**
 * Exchanges an authorization code for the first tokens of a grant (RFC 6749 §4.1.3).
 *
 * A second use revokes the grant (§4.1.2), because somebody other than the app has the code. This
 * needs the correct verifier: a code is visible in the browser's history, and a person who finds it
 * there must not be able to disconnect the app.
 * @throws OAuthError invalid_request, invalid_grant, access_denied
 */
export async function exchangeCode(
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
