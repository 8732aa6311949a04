import * as z from 'zod';
import type { Caller } from '../../caller.ts';
import { hasExpired, instant } from '../../instants.ts';
import { countAttempt } from '../../limits/counters.ts';
import type { OAuthScope } from '../../../contract/oauth/oauth.ts';
import type { StoredClient } from '../clients/client.ts';
import {
  type ExchangeDeps,
  requireActiveHolder,
  type TokenResponse,
  toTokenResponse,
} from './token-endpoint.ts';
import type { Grant } from '../grant.ts';
import { OAuthError } from '../oauth-error.ts';
import { knownScopes, parameter } from '../authorization/request-parameters.ts';
import { AccessToken, newPair, type RefreshToken, secretHash, type TokenPair } from './tokens.ts';
import { hkdfSync } from 'node:crypto';
import { type Seal, sealBytes, unsealBytes } from '../../sealed-bytes.ts';

/** Sessions of one app may share a token and refresh it at the same time, or lose the answer. */
const replaySeconds = 120;

/** In an hour. An app needs one; each leaves two rows for its tokens. One app uses up a part of its account's alone. */
const mostRefreshes = { ofApp: 100, ofAccount: 600 };

/** A refresh token as it was sent, with its stored token and grant. */
interface PresentedToken {
  token: string;
  tokenHash: string;
  stored: RefreshToken;
  grant: Grant;
}

/**
 * Exchanges a refresh token for its successors (RFC 6749 §6). The same token gets the same successors
 * for 120 seconds. A later use means that somebody else has the token, so the grant is revoked (RFC 9700 §4.14.2).
 * @throws OAuthError invalid_request, invalid_grant, invalid_scope, access_denied
 * @throws CodedError RATE_LIMITED
 */
export async function refreshTokens(
  deps: ExchangeDeps,
  { client, caller }: { client: StoredClient; caller: Caller },
  form: URLSearchParams,
): Promise<TokenResponse> {
  const token = parameter(form, 'refresh_token');
  if (token === undefined) throw new OAuthError('invalid_request', 'Send a refresh_token.');
  const presented = await findPresentedToken(deps, client, token);
  const { grant, tokenHash, stored } = presented;
  const scopes = narrowScopes(grant, parameter(form, 'scope'));
  await requireActiveHolder(deps, grant.accountId);
  if (stored.rotatedAt !== undefined) return replay(deps, presented);
  const now = deps.now();
  const { accountId, id: grantId } = grant;
  for (const [id, limit] of [
    [grantId, mostRefreshes.ofApp],
    [accountId, mostRefreshes.ofAccount],
  ] as const) {
    const rule = { limit, windowSeconds: 3600 };
    const counted = { key: `token-refreshes#${id}`, rule, what: 'refreshes' };
    await countAttempt(deps.counters, caller, counted, now);
  }
  const next = newPair(deps.keyPrefix, { accountId, grantId, scopes }, now);
  const { access } = next.stored;
  const rotated = await deps.tokens.rotate(tokenHash, {
    rotatedAt: instant(now),
    sealed: sealSuccessor(token, tokenHash, { pair: next.pair, access }),
    pair: next.stored,
  });
  if (rotated.kind === 'ended') throw invalidRefreshToken();
  if (rotated.kind === 'replayed') return replay(deps, { ...presented, stored: rotated.current });
  return toTokenResponse(next.pair, access, now);
}

async function findPresentedToken(
  deps: ExchangeDeps,
  client: StoredClient,
  token: string,
): Promise<PresentedToken> {
  const tokenHash = secretHash(deps.keyPrefix, 'refresh', token);
  const stored = tokenHash === undefined ? undefined : await deps.tokens.findRefresh(tokenHash);
  const now = deps.now();
  if (tokenHash === undefined || stored === undefined || hasExpired(stored, now))
    throw invalidRefreshToken();
  const { accountId, grantId: id } = stored;
  const grant = await deps.grants.find({ accountId, id });
  if (grant === undefined || hasExpired(grant, now) || grant.clientId !== client.id)
    throw invalidRefreshToken();
  return { token, tokenHash, stored, grant };
}

async function replay(deps: ExchangeDeps, { token, tokenHash, stored, grant }: PresentedToken) {
  const now = deps.now();
  const { rotatedAt, sealed } = stored;
  const isLate =
    rotatedAt === undefined || now.getTime() - Date.parse(rotatedAt) >= replaySeconds * 1000;
  if (isLate || sealed === undefined) {
    await deps.grants.remove(grant);
    throw new OAuthError(
      'invalid_grant',
      'This refresh token was used before, so its grant was revoked. Start a new authorization.',
    );
  }
  const { pair, access } = openSuccessor(token, tokenHash, sealed);
  return toTokenResponse(pair, access, now);
}

/** Requested scopes limit the access token only; the refresh token keeps all scopes of the grant. */
function narrowScopes(grant: Grant, requestedScope: string | undefined): OAuthScope[] {
  const scopes = knownScopes(requestedScope) ?? grant.scopes;
  if (scopes.every((scope) => grant.scopes.includes(scope))) return scopes;
  throw new OAuthError('invalid_scope', 'The requested scope exceeds the scope that was allowed.');
}

/** The same error for every reason, so that it reveals nothing about a token. */
function invalidRefreshToken(): OAuthError {
  return new OAuthError(
    'invalid_grant',
    'This refresh token is not valid for this client. Start a new authorization.',
  );
}

const Successor = z.object({
  pair: z.object({ accessToken: z.string(), refreshToken: z.string() }),
  access: AccessToken.pick({ scopes: true, expiresAt: true }),
});

/** The tokens for which a refresh token was exchanged. */
export interface Successor {
  pair: TokenPair;
  access: Pick<AccessToken, 'scopes' | 'expiresAt'>;
}

/**
 * Encrypts the successors of a refresh token, so that only a holder of the token can decrypt them: the table
 * stores only the token's hash, and the key is derived from the token.
 */
function sealSuccessor(token: string, tokenHash: string, successor: Successor): Buffer {
  return sealBytes(sealOf(token, tokenHash), JSON.stringify(successor));
}

/** Decrypts the successors of this refresh token. */
export function openSuccessor(token: string, tokenHash: string, sealed: Uint8Array): Successor {
  const plain = unsealBytes(sealOf(token, tokenHash), sealed);
  return Successor.parse(JSON.parse(plain.toString('utf8')));
}

/** HKDF (RFC 5869) without a salt, because a token has 256 random bits. */
function sealOf(token: string, tokenHash: string): Seal {
  const key = Buffer.from(hkdfSync('sha256', token, '', 'slipway oauth successor', 32));
  return { key, context: tokenHash };
}
