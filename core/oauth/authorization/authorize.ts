import { randomUUID } from 'node:crypto';
import { mcpResource, oauthScopes } from '../../../contract/oauth/oauth.ts';
import type { Account } from '../../accounts/account.ts';
import type { Caller } from '../../caller.ts';
import { instant, plusSeconds } from '../../instants.ts';
import { hashSecretText } from '../../secret-text.ts';
import type {
  AuthorizationRequest,
  AuthorizationStep,
  ClientMistake,
} from './authorization-request.ts';
import { makeRoom } from './connections.ts';
import { findClient, type FoundClient } from '../clients/find-client.ts';
import { GrantId } from '../grant.ts';
import { OAuthError } from '../oauth-error.ts';
import { parameter, requireSingle } from './parameters.ts';
import { isChallenge } from '../tokens/pkce.ts';
import type { OAuthDeps } from '../ports.ts';
import { answerWithCode, answerWithError } from './redirect-answer.ts';
import { isAllowedRedirectUri, isRegistered } from '../clients/redirect-uri.ts';
import { requireOurResource } from './resource.ts';
import { knownScopes } from './scopes.ts';
import { codeSeconds, newSecret } from '../tokens/tokens.ts';

/** Parameters that are read after client and redirect URI; `resource` may come more than once. */
const single = [
  'response_type',
  'scope',
  'state',
  'code_challenge',
  'code_challenge_method',
  'request',
  'request_uri',
];

/**
 * Percent-encoded, as it stands in the Location header of an answer and of our own pages' redirects.
 * Node's own client takes 16 kB of headers, API Gateway 10 kB; more would end as an error of theirs.
 */
const maxQueryLength = 8000;

/** Who asks, and where they are answered. */
interface Addressee {
  client: FoundClient;
  redirectUri: string;
}

/**
 * What is to be done with a request to the authorization endpoint; `query` as it was sent.
 * @throws CodedError RATE_LIMITED for too many clients whose documents had to be read
 */
export async function readAuthorization(
  deps: OAuthDeps,
  caller: Caller,
  query: URLSearchParams,
): Promise<AuthorizationStep> {
  const addressee = await findAddressee(deps, caller, query);
  if ('kind' in addressee) return addressee;
  try {
    return { kind: 'ask', request: readRequest(deps, addressee, query) };
  } catch (error) {
    if (!(error instanceof OAuthError)) throw error;
    return { kind: 'client-mistake', mistake: mistakeOf(deps, addressee, query, error) };
  }
}

/** The person allowed it: makes a code, whose use makes a grant; where to send them. */
export async function allow(
  deps: OAuthDeps,
  account: Account,
  request: AuthorizationRequest,
): Promise<string> {
  const now = deps.now();
  await makeRoom(deps, account.id);
  const code = newSecret(deps.keyPrefix, 'code');
  await deps.authorizationCodes.put(hashSecretText(code), {
    accountId: account.id,
    grantId: GrantId.parse(randomUUID()),
    clientId: request.client.id,
    clientName: request.client.name,
    redirectUri: request.redirectUri,
    scopes: [...request.scopes],
    codeChallenge: request.codeChallenge,
    expiresAt: instant(plusSeconds(now, codeSeconds)),
  });
  return answerWithCode(deps, request, code);
}

/** The person refused: where to send them. */
export function deny(
  deps: Pick<OAuthDeps, 'baseUrl' | 'sendsIssuer'>,
  request: AuthorizationRequest,
): string {
  const refusal = new OAuthError('access_denied', 'The person did not allow it.');
  return answerWithError(deps, request, refusal);
}

/** Until both are known nobody is sent anywhere: whoever asks may be anybody. */
async function findAddressee(
  deps: OAuthDeps,
  caller: Caller,
  query: URLSearchParams,
): Promise<Addressee | Extract<AuthorizationStep, { kind: 'refused' }>> {
  if (query.toString().length > maxQueryLength) {
    const detail = 'The link is too long to be answered. Begin again in the app.';
    return { kind: 'refused', problem: 'unreadable', detail };
  }
  const repeated = ['client_id', 'redirect_uri'].find((name) => query.getAll(name).length > 1);
  const clientId = parameter(query, 'client_id');
  if (repeated !== undefined || clientId === undefined) {
    const detail = `The link must name ${repeated ?? 'client_id'} exactly once. Begin again in the app.`;
    return { kind: 'refused', problem: 'unreadable', detail };
  }
  const client = await findClient(deps, caller, clientId);
  if ('problem' in client) {
    return { kind: 'refused', problem: 'unknown-client', detail: client.problem };
  }
  const asked = parameter(query, 'redirect_uri');
  const [only, ...others] = client.redirectUris;
  const redirectUri = asked ?? (others.length === 0 ? only : undefined);
  if (redirectUri === undefined || !isRegistered(client.redirectUris, redirectUri)) {
    const detail =
      'The address to which the app wants its answer is none of those that it registered. Take the connection out of the app and add it again.';
    return { kind: 'refused', problem: 'unknown-redirect', detail };
  }
  if (!isAllowedRedirectUri(redirectUri)) {
    const detail =
      'The app registered a return address that is no longer accepted. Update the app, then take the connection out of it and add it again.';
    return { kind: 'refused', problem: 'refused-redirect', detail };
  }
  return { client, redirectUri };
}

function mistakeOf(
  deps: OAuthDeps,
  { client: { id, name, host }, redirectUri }: Addressee,
  query: URLSearchParams,
  error: OAuthError,
): ClientMistake {
  const state = query.getAll('state').length > 1 ? undefined : parameter(query, 'state');
  const location = answerWithError(deps, { redirectUri, state }, error);
  return { client: { id, name, host }, redirectUri, detail: error.message, location };
}

/** @throws OAuthError for the redirect URI */
function readRequest(
  { baseUrl }: OAuthDeps,
  { client, redirectUri }: Addressee,
  query: URLSearchParams,
): AuthorizationRequest {
  requireSingle(query, single);
  requireCode(query);
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

function requireCode(query: URLSearchParams): void {
  if (query.has('request') || query.has('request_uri')) {
    throw new OAuthError('invalid_request', 'Request objects are not read here; send parameters.');
  }
  const responseType = parameter(query, 'response_type');
  if (responseType === undefined) {
    throw new OAuthError('invalid_request', 'Send response_type=code.');
  }
  if (responseType !== 'code') {
    throw new OAuthError('unsupported_response_type', 'The only response_type here is code.');
  }
}

/** A missing method means `plain` (RFC 7636 §4.3), which protects nobody whose request was seen. */
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
      'A code_challenge of S256 is a SHA-256 in base64url: 43 characters.',
    );
  }
  return challenge;
}
