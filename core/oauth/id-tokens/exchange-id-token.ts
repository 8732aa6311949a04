import { createHash } from 'node:crypto';
import { KeyId } from '../../../contract/fields.ts';
import { issuedTokenType, subjectTokenTypes } from '../../../contract/oauth/oauth-paths.ts';
import { hashKey, newApiKey } from '../../accounts/keys/api-key.ts';
import {
  newPublisherKey,
  type PublisherStore,
  type TrustedPublisher,
} from '../../accounts/publishers/trusted-publisher.ts';
import type { Caller } from '../../caller.ts';
import { instant } from '../../instants.ts';
import { countByAddress } from '../../limits/address-limits.ts';
import { countAttempt } from '../../limits/counters.ts';
import {
  parameter,
  requireOurResource,
  requireSingle,
} from '../authorization/request-parameters.ts';
import { OAuthError } from '../oauth-error.ts';
import type { OAuthDeps } from '../ports.ts';
import {
  type ClientForm,
  type ExchangedKeyResponse,
  requireActiveHolder,
} from '../tokens/token-endpoint.ts';
import type { IdToken } from './ci-providers.ts';
import type { UsedTokens } from './ports.ts';
import { refuseToken } from './token-refusal.ts';
import { type VerifyDeps, verifyIdToken } from './verify-id-token.ts';

/** Each costs a check of a signature. Hosted runners share addresses. */
const addressLimit = { limit: 120, windowSeconds: 60 };
/** Each stores a row, also for a repository that starts jobs without end. */
const publisherLimit = { limit: 600, windowSeconds: 3600 };

/** The dependencies for exchanging tokens of jobs. */
export type ExchangeIdTokenDeps = Pick<OAuthDeps, 'accounts' | 'counters' | 'keyPrefix'> &
  VerifyDeps & {
    publishers: Pick<PublisherStore, 'find' | 'issueKey'>;
    usedTokens: UsedTokens;
  };

/**
 * Exchanges the token of a job at GitHub or GitLab for a key of ten minutes (RFC 8693 §2), by the trusted
 * publisher that `client_id` names. The key has its permissions and projects.
 *
 * The signature comes first: without a token of the service nobody learns which publishers there are.
 * @throws OAuthError invalid_request, invalid_target, access_denied
 * @throws CodedError RATE_LIMITED, UNAVAILABLE
 */
export async function exchangeIdToken(
  deps: ExchangeIdTokenDeps,
  caller: Caller,
  { form }: ClientForm,
): Promise<ExchangedKeyResponse> {
  const now = deps.now();
  const exchanges = { name: 'id-tokens', rule: addressLimit, what: 'exchanges of tokens' };
  await countByAddress(deps.counters, caller, exchanges, now);
  const { subjectToken, clientId } = readForm(form);
  requireOurResource(deps.baseUrl, form);
  const token = await verifyIdToken(deps, subjectToken);
  const { data: id } = KeyId.safeParse(clientId);
  const publisher = id === undefined ? undefined : await deps.publishers.find(id);
  if (publisher === undefined) throw refuseToken('publisher_unknown');
  requireTrusted(publisher, token);
  await requireActiveHolder(deps, publisher.accountId);
  // Before the limit of the publisher: whoever finds a used token in a log must not fill it.
  if (!(await deps.usedTokens.add(tokenHash(token), instant(token.refusedFrom)))) {
    throw refuseToken('token_used');
  }
  const counted = { key: `publisher#${publisher.id}`, rule: publisherLimit };
  const what = 'keys of one trusted publisher';
  await countAttempt(deps.counters, caller, { ...counted, what }, now);
  const key = newApiKey(deps.keyPrefix);
  const stored = newPublisherKey(publisher, key, now);
  const use = { at: instant(now), repositoryId: token.repositoryId };
  // Removed in the meantime, or used first by another repository of this name.
  if (!(await deps.publishers.issueKey(publisher.id, use, hashKey(key), stored))) {
    throw refuseToken('repository_id_differs');
  }
  return {
    access_token: key,
    issued_token_type: issuedTokenType,
    token_type: 'Bearer',
    expires_in: (Date.parse(stored.expiresAt) - now.getTime()) / 1000,
    scope: stored.permissions.join(' '),
  };
}

function readForm(form: URLSearchParams): { subjectToken: string; clientId: string } {
  const names = ['grant_type', 'client_id', 'subject_token', 'subject_token_type'];
  requireSingle(form, [...names, 'requested_token_type', 'actor_token']);
  const type = parameter(form, 'subject_token_type');
  if (!subjectTokenTypes.some((one) => one === type)) {
    throw new OAuthError('invalid_request', `Send subject_token_type=${subjectTokenTypes[0]}.`);
  }
  if (parameter(form, 'actor_token') !== undefined) {
    throw new OAuthError('invalid_request', 'Send no actor_token.');
  }
  const requested = parameter(form, 'requested_token_type') ?? issuedTokenType;
  if (requested !== issuedTokenType) {
    throw new OAuthError('invalid_request', `The only requested_token_type is ${issuedTokenType}.`);
  }
  const subjectToken = parameter(form, 'subject_token');
  const clientId = parameter(form, 'client_id');
  if (subjectToken === undefined || clientId === undefined) {
    throw new OAuthError(
      'invalid_request',
      'Send subject_token, and as client_id the id of the trusted publisher.',
    );
  }
  return { subjectToken, clientId };
}

/**
 * Refuses a job that a publisher does not allow. Names are compared exactly, with upper and lower case.
 * @throws OAuthError invalid_request
 */
function requireTrusted(publisher: TrustedPublisher, token: IdToken): void {
  if (token.provider !== publisher.provider) throw refuseToken('provider_differs');
  if (token.repository !== publisher.repository) {
    throw refuseToken('repository_differs', token.repository);
  }
  if (publisher.repositoryId !== null && token.repositoryId !== publisher.repositoryId) {
    throw refuseToken('repository_id_differs');
  }
  if (!token.subjects(allowedPlace(publisher, token)).includes(token.subject)) {
    throw refuseToken('subject_differs', token.subject);
  }
}

/** @throws OAuthError invalid_request */
function allowedPlace({ branch, environment }: TrustedPublisher, token: IdToken) {
  if (environment !== (token.environment ?? null)) {
    throw refuseToken('environment_differs', token.environment ?? 'no environment');
  }
  if (environment !== null) return { environment };
  if (branch === null) {
    if (token.isPullRequest) return 'pull request' as const;
    throw refuseToken('event_differs');
  }
  if (token.branch === branch) return { branch };
  if (token.branch === undefined) throw refuseToken('event_differs');
  throw refuseToken('branch_differs', token.branch);
}

/** Ids of tokens are unique for their issuer only (RFC 7519 §4.1.7). */
function tokenHash({ issuer, jti }: IdToken): string {
  return createHash('sha256').update(`${issuer}\n${jti}`).digest('hex');
}
