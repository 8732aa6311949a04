import { instant } from '../../instants.ts';
import type { StoredClient } from '../clients/client.ts';
import { requireActiveHolder } from './active-holder.ts';
import type { ExchangeDeps, TokenAnswer } from './token-endpoint.ts';
import { isOver, type NewGrant } from '../grant.ts';
import { OAuthError } from '../oauth-error.ts';
import { parameter } from '../authorization/parameters.ts';
import { provesChallenge } from './pkce.ts';
import { redirectHost } from '../clients/redirect-uri.ts';
import { tokenAnswer } from './token-answer.ts';
import { type AuthorizationCode, newPair, secretHash } from './tokens.ts';

/**
 * A code for the first tokens of a grant (RFC 6749 §4.1.3), once.
 *
 * Using it again ends the grant (§4.1.2): two have the code, and one of them is not the app. But only
 * for whoever also has the verifier: a code alone is seen in a browser's history, and must not let
 * anybody who finds it there disconnect the app.
 * @throws OAuthError invalid_request, invalid_grant, access_denied
 */
export async function exchangeCode(
  deps: ExchangeDeps,
  client: StoredClient,
  form: URLSearchParams,
): Promise<TokenAnswer> {
  const { sent, verifier } = readForm(form);
  const codeHash = secretHash(deps.keyPrefix, 'code', sent);
  const code = codeHash === undefined ? undefined : await deps.authorizationCodes.find(codeHash);
  if (codeHash === undefined || code === undefined || code.clientId !== client.id) {
    throw invalid("This code is not known, or is another client's.");
  }
  if (!provesChallenge(verifier, code.codeChallenge)) {
    throw invalid('The code_verifier is not the one of the code_challenge.');
  }
  const redirectUri = parameter(form, 'redirect_uri');
  if (redirectUri !== undefined && redirectUri !== code.redirectUri) {
    throw invalid('The redirect_uri is not the one that the code was asked for with.');
  }
  if (code.usedAt !== undefined) throw await endedByReplay(deps, code);
  const now = deps.now();
  if (isOver(code, now)) throw invalid('This code has expired; ask for a new one.');
  await requireActiveHolder(deps, code.accountId);
  const { pair, stored } = newPair(deps.keyPrefix, code, now);
  const grant = grantOf(code, instant(now), stored.refresh.expiresAt);
  const begun = await deps.tokens.begin(codeHash, instant(now), grant, stored);
  if (!begun) throw await endedByReplay(deps, code);
  return tokenAnswer(pair, stored.access, now);
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

async function endedByReplay(
  { grants }: ExchangeDeps,
  { accountId, grantId: id }: AuthorizationCode,
): Promise<OAuthError> {
  await grants.remove({ accountId, id });
  return invalid('This code was used before, and what it gave is void; ask for a new one.');
}

function invalid(description: string): OAuthError {
  return new OAuthError('invalid_grant', description);
}
