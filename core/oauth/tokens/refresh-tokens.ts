import { instant } from '../../instants.ts';
import type { OAuthScope } from '../../../contract/oauth/oauth.ts';
import type { StoredClient } from '../clients/client.ts';
import { requireActiveHolder } from './active-holder.ts';
import type { ExchangeDeps, TokenAnswer } from './token-endpoint.ts';
import { type Grant, isOver } from '../grant.ts';
import { OAuthError } from '../oauth-error.ts';
import { parameter } from '../authorization/parameters.ts';
import { knownScopes } from '../authorization/scopes.ts';
import { openSuccessor, sealSuccessor } from './successor.ts';
import { tokenAnswer } from './token-answer.ts';
import { newPair, type RefreshToken, secretHash } from './tokens.ts';

/** Sessions of one app share a token and refresh it at once, or lose the answer on its way. */
const replaySeconds = 120;

/** A refresh token as it was sent, and what is known of it. */
interface Held {
  token: string;
  tokenHash: string;
  stored: RefreshToken;
  grant: Grant;
}

/**
 * A refresh token for its successors (RFC 6749 §6), once. The same token within 120 seconds gets the
 * same successors; later, two have it, and the grant ends (RFC 9700 §4.14.2).
 * @throws OAuthError invalid_request, invalid_grant, invalid_scope, access_denied
 */
export async function refreshTokens(
  deps: ExchangeDeps,
  client: StoredClient,
  form: URLSearchParams,
): Promise<TokenAnswer> {
  const token = parameter(form, 'refresh_token');
  if (token === undefined) throw new OAuthError('invalid_request', 'Send a refresh_token.');
  const held = await findHeld(deps, client, token);
  const { grant, tokenHash, stored } = held;
  const scopes = narrowed(grant, parameter(form, 'scope'));
  await requireActiveHolder(deps, grant.accountId);
  if (stored.rotatedAt !== undefined) return replay(deps, held);
  const now = deps.now();
  const { accountId, id: grantId } = grant;
  const next = newPair(deps.keyPrefix, { accountId, grantId, scopes }, now);
  const { access } = next.stored;
  const rotated = await deps.tokens.rotate(tokenHash, {
    rotatedAt: instant(now),
    sealed: sealSuccessor(token, tokenHash, { pair: next.pair, access }),
    pair: next.stored,
  });
  if (rotated.kind === 'ended') throw dead();
  if (rotated.kind === 'replayed') return replay(deps, { ...held, stored: rotated.met });
  return tokenAnswer(next.pair, access, now);
}

async function findHeld(deps: ExchangeDeps, client: StoredClient, token: string): Promise<Held> {
  const tokenHash = secretHash(deps.keyPrefix, 'refresh', token);
  const stored = tokenHash === undefined ? undefined : await deps.tokens.findRefresh(tokenHash);
  const now = deps.now();
  if (tokenHash === undefined || stored === undefined || isOver(stored, now)) throw dead();
  const { accountId, grantId: id } = stored;
  const grant = await deps.grants.find({ accountId, id });
  if (grant === undefined || isOver(grant, now) || grant.clientId !== client.id) throw dead();
  return { token, tokenHash, stored, grant };
}

async function replay(deps: ExchangeDeps, { token, tokenHash, stored, grant }: Held) {
  const now = deps.now();
  const { rotatedAt, sealed } = stored;
  const isLate =
    rotatedAt === undefined || now.getTime() - Date.parse(rotatedAt) >= replaySeconds * 1000;
  if (isLate || sealed === undefined) {
    await deps.grants.remove(grant);
    throw new OAuthError(
      'invalid_grant',
      'This refresh token was used before, and what it gave is void; ask for access again.',
    );
  }
  const { pair, access } = openSuccessor(token, tokenHash, sealed);
  return tokenAnswer(pair, access, now);
}

/** Fewer scopes hold for the access token alone; the refresh token keeps all of its grant. */
function narrowed(grant: Grant, asked: string | undefined): OAuthScope[] {
  const scopes = knownScopes(asked) ?? grant.scopes;
  if (scopes.every((scope) => grant.scopes.includes(scope))) return scopes;
  throw new OAuthError('invalid_scope', 'A refresh cannot give more than was allowed.');
}

/** One refusal for every reason, so that it tells nothing of a token. */
function dead(): OAuthError {
  return new OAuthError(
    'invalid_grant',
    'This refresh token is not valid for this client; ask for access again.',
  );
}
