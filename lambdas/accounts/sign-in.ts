import type { Operation } from '../../contract/operation.ts';
import { accountRepository } from '../../adapters/dynamodb/accounts/account-repository.ts';
import { counterTable } from '../../adapters/dynamodb/counter-table.ts';
import { documentClient } from '../../adapters/dynamodb/document-client.ts';
import { keyTable } from '../../adapters/dynamodb/accounts/key-table.ts';
import { sessionTable } from '../../adapters/dynamodb/accounts/session-table.ts';
import { authenticate, renew } from '../../core/accounts/keys/authenticate.ts';
import type { AccountCaller, KeyCaller, SessionCaller } from '../../core/caller.ts';
import { countRequest } from '../../core/limits/request-limit.ts';
import type { ApiRequest } from '../http/api-request.ts';
import { CodedError } from '../../core/errors.ts';
import { requirePaid } from '../../core/accounts/require-paid.ts';
import { findSession, noteSessionUse } from '../../core/accounts/sessions/session.ts';
import { once } from '../shared/once.ts';
import { requireOwnPage } from '../http/own-pages.ts';
import { deployedPlans } from '../shared/plans.ts';
import { sessionToken } from './session-cookie.ts';
import { setting } from '../shared/settings.ts';

const services = once(() => {
  const client = documentClient();
  const table = setting('ACCOUNTS_TABLE');
  return {
    accounts: accountRepository(client, table),
    keys: keyTable(client, table),
    sessions: sessionTable(client, table),
    counters: counterTable(client, setting('COUNTERS_TABLE')),
    plans: deployedPlans(),
    keyPrefix: setting('KEY_PREFIX'),
    now: () => new Date(),
  };
});

/**
 * The caller with the account of the key they sent; a use of a key is counted and renews it.
 * @throws CodedError API_KEY_MISSING, API_KEY_INVALID, API_KEY_EXPIRED, RATE_LIMITED
 */
export async function signedIn(request: ApiRequest, renews: boolean): Promise<KeyCaller> {
  const who = await authenticate(services(), request.headers['authorization']);
  const { account, key, keyHash } = who;
  const credential = { kind: 'key', keyHash } as const;
  const caller = { ...request.caller, account, key, credential };
  await countRequest(services(), caller);
  if (renews) await renew(services(), who);
  return caller;
}

/**
 * Refuses an operation that the caller's plan does not include.
 * @throws CodedError FREE_TIER_RESTRICTED
 */
export function requirePlan({ paid }: Pick<Operation, 'paid'>, { account }: AccountCaller): void {
  if (paid) requirePaid(account, services().now());
}

/**
 * The caller with the account that is signed in in their browser. A write has to come from a page
 * of ours; a use of a session is noted.
 * @throws CodedError SESSION_MISSING, ORIGIN_REFUSED
 */
export async function inSession(request: ApiRequest): Promise<SessionCaller> {
  const token = sessionToken(request.headers['cookie']);
  if (token === undefined && request.headers['authorization'] !== undefined) {
    throw new CodedError('SESSION_MISSING', {
      error: 'An API key does not open this: keys cannot be managed with a key.',
    });
  }
  const found = await findSession(services(), token);
  if (request.method !== 'GET') requireOwnPage(request, setting('BASE_URL'));
  const { account } = found;
  await countRequest(services(), { ...request.caller, account });
  return { ...request.caller, account, session: await noteSessionUse(services(), found) };
}
