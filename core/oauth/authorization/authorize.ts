import { randomUUID } from 'node:crypto';
import { mcpResource, oauthScopes } from '../../../contract/oauth/oauth.ts';
import type { Account } from '../../accounts/account.ts';
import type { Caller } from '../../caller.ts';
import { instant, plusSeconds } from '../../instants.ts';
import { hashSecretText } from '../../secret-text.ts';
import type {
  AuthorizationOutcome,
  AuthorizationRequest,
  ClientMistake,
} from './authorization-request.ts';
import { removeSurplusGrants } from './connections.ts';
import { findClient, type FoundClient } from '../clients/find-client.ts';
import { GrantId } from '../grant.ts';
import { OAuthError } from '../oauth-error.ts';
import { knownScopes, parameter, requireOurResource, requireSingle } from './request-parameters.ts';
import { isChallenge } from '../tokens/pkce.ts';
import type { OAuthDeps } from '../ports.ts';
import { isAllowedRedirectUri, isRegistered } from '../clients/redirect-uri.ts';
import { codeSeconds, newSecret } from '../tokens/tokens.ts';

/** Parameters that must not be repeated, besides client and redirect URI. `resource` may be repeated. */
const singleParameters = [
  'response_type',
  'scope',
  'state',
  'code_challenge',
  'code_challenge_method',
  'request',
  'request_uri',
];

/**
 * Length when percent-encoded, as in the Location header of answers and of our own redirects.
 * Node's HTTP client accepts 16 kB of headers, API Gateway 10 kB.
 */
const maxQueryLength = 8000;

interface VerifiedClient {
  client: FoundClient;
  redirectUri: string;
}

/**
 * Checks a request to the authorization endpoint; `query` as it was sent.
 * @throws CodedError RATE_LIMITED after too many fetches of client documents
 */
export async function readAuthorization(
  deps: OAuthDeps,
  caller: Caller,
  query: URLSearchParams,
): Promise<AuthorizationOutcome> {
  const verified = await verifyClient(deps, caller, query);
  if ('kind' in verified) return verified;
  try {
    return { kind: 'valid', request: readRequest(deps, verified, query) };
  } catch (error) {
    if (!(error instanceof OAuthError)) throw error;
    return { kind: 'invalid-request', mistake: toClientMistake(deps, verified, query, error) };
  }
}

/** Creates an authorization code after the person allowed the request; returns the redirect address. The grant is created when the code is used. */
export async function allow(
  deps: OAuthDeps,
  { account, tokenHash: sessionHash }: { account: Account; tokenHash: string },
  request: AuthorizationRequest,
): Promise<string> {
  const now = deps.now();
  await removeSurplusGrants(deps, account.id);
  const code = newSecret(deps.keyPrefix, 'code');
  await deps.authorizationCodes.put(hashSecretText(code), {
    accountId: account.id,
    sessionHash,
    grantId: GrantId.parse(randomUUID()),
    clientId: request.client.id,
    clientName: request.client.name,
    redirectUri: request.redirectUri,
    scopes: [...request.scopes],
    codeChallenge: request.codeChallenge,
    expiresAt: instant(plusSeconds(now, codeSeconds)),
  });
  // RFC 6749 §4.1.2.
  return redirectWith(deps, request, { code });
}

/** The redirect address after the person denied the request. */
export function deny(deps: Pick<OAuthDeps, 'baseUrl'>, request: AuthorizationRequest): string {
  const refusal = new OAuthError('access_denied', 'The user denied the request.');
  return errorRedirect(deps, request, refusal);
}

/** Identifies client and redirect URI. Until both are verified, no browser is redirected. */
async function verifyClient(
  deps: OAuthDeps,
  caller: Caller,
  query: URLSearchParams,
): Promise<VerifiedClient | Extract<AuthorizationOutcome, { kind: 'refused' }>> {
  if (query.toString().length > maxQueryLength) {
    const detail = 'The link is too long. Start again in the app.';
    return { kind: 'refused', problem: 'unreadable', detail };
  }
  const repeated = ['client_id', 'redirect_uri'].find((name) => query.getAll(name).length > 1);
  const clientId = parameter(query, 'client_id');
  if (repeated !== undefined || clientId === undefined) {
    const detail = `The link must have ${repeated ?? 'client_id'} exactly once. Start again in the app.`;
    return { kind: 'refused', problem: 'unreadable', detail };
  }
  const client = await findClient(deps, caller, clientId);
  if ('problem' in client) {
    return { kind: 'refused', problem: 'unknown-client', detail: client.problem };
  }
  const requestedUri = parameter(query, 'redirect_uri');
  const [only, ...others] = client.redirectUris;
  const redirectUri = requestedUri ?? (others.length === 0 ? only : undefined);
  if (redirectUri === undefined || !isRegistered(client.redirectUris, redirectUri)) {
    const detail =
      'The return address in this request is not one that the app registered. Remove the connection in the app and add it again.';
    return { kind: 'refused', problem: 'unknown-redirect', detail };
  }
  if (!isAllowedRedirectUri(redirectUri)) {
    const detail =
      'The app registered a return address that is no longer accepted. Update the app, then remove the connection in it and add it again.';
    return { kind: 'refused', problem: 'refused-redirect', detail };
  }
  return { client, redirectUri };
}

function toClientMistake(
  deps: OAuthDeps,
  { client: { id, name, host }, redirectUri }: VerifiedClient,
  query: URLSearchParams,
  error: OAuthError,
): ClientMistake {
  const state = query.getAll('state').length > 1 ? undefined : parameter(query, 'state');
  const location = errorRedirect(deps, { redirectUri, state }, error);
  return { client: { id, name, host }, redirectUri, detail: error.message, location };
}

/** @throws OAuthError for the redirect URI */
function readRequest(
  { baseUrl }: OAuthDeps,
  { client, redirectUri }: VerifiedClient,
  query: URLSearchParams,
): AuthorizationRequest {
  requireSingle(query, singleParameters);
  requireCodeResponseType(query);
  requireOurResource(baseUrl, query);
  const { id, name, host } = client;
  return {
    client: { id, name, host },
    redirectUri,
    scopes: knownScopes(parameter(query, 'scope')) ?? oauthScopes,
    state: parameter(query, 'state'),
    codeChallenge: requireChallenge(query),
    resource: mcpResource(baseUrl),
  };
}

function requireCodeResponseType(query: URLSearchParams): void {
  if (query.has('request') || query.has('request_uri')) {
    throw new OAuthError(
      'invalid_request',
      'Request objects are not supported. Send the parameters in the query.',
    );
  }
  const responseType = parameter(query, 'response_type');
  if (responseType === undefined) {
    throw new OAuthError('invalid_request', 'Send response_type=code.');
  }
  if (responseType !== 'code') {
    throw new OAuthError('unsupported_response_type', 'The only supported response_type is code.');
  }
}

/** A missing method means `plain` (RFC 7636 §4.3), which does not protect against somebody who saw the request. */
function requireChallenge(query: URLSearchParams): string {
  const challenge = parameter(query, 'code_challenge');
  if (challenge === undefined) {
    throw new OAuthError('invalid_request', 'Send a code_challenge (PKCE).');
  }
  if (parameter(query, 'code_challenge_method') !== 'S256') {
    throw new OAuthError('invalid_request', 'Send code_challenge_method=S256.');
  }
  if (!isChallenge(challenge)) {
    throw new OAuthError(
      'invalid_request',
      'A code_challenge for S256 is a SHA-256 hash in base64url: 43 characters.',
    );
  }
  return challenge;
}

interface RedirectDestination {
  redirectUri: string;
  /** As the client sent it. */
  state: string | undefined;
}

/** The redirect URI with an error (RFC 6749 §4.1.2.1). */
function errorRedirect(
  deps: Pick<OAuthDeps, 'baseUrl'>,
  destination: RedirectDestination,
  { code: error, message }: OAuthError,
): string {
  return redirectWith(deps, destination, { error, error_description: message });
}

function redirectWith(
  { baseUrl }: Pick<OAuthDeps, 'baseUrl'>,
  { redirectUri, state }: RedirectDestination,
  outcome: Record<string, string>,
): string {
  const parameters = {
    ...outcome,
    ...(state !== undefined && { state }),
    iss: baseUrl,
  };
  // Spaces are encoded as %20, because not every client decodes `+`.
  const added = Object.entries(parameters).map(([name, value]) => `${name}=${encode(value)}`);
  // Appended as text, because a client may compare the address with the registered one.
  const separator = /[?&]$/.test(redirectUri) ? '' : redirectUri.includes('?') ? '&' : '?';
  return `${redirectUri}${separator}${added.join('&')}`;
}

/** Percent-encodes a text; a lone surrogate, which has no encoding, becomes U+FFFD. */
function encode(value: string): string {
  return encodeURIComponent(Buffer.from(value, 'utf8').toString('utf8'));
}
