import { accountRepository } from '../../adapters/account-repository.ts';
import { counterTable } from '../../adapters/counter-table.ts';
import { documentClient } from '../../adapters/dynamodb.ts';
import { authenticate, renew } from '../../core/accounts/authenticate.ts';
import type { AccountCaller } from '../../core/caller.ts';
import { countRequest } from '../../core/limits/request-limit.ts';
import type { ApiRequest } from './api-request.ts';
import { once } from './once.ts';
import { deployedPlans } from './plans.ts';
import { setting } from './settings.ts';

const services = once(() => ({
  accounts: accountRepository(documentClient(), setting('ACCOUNTS_TABLE')),
  counters: counterTable(documentClient(), setting('COUNTERS_TABLE')),
  plans: deployedPlans(),
  keyPrefix: setting('KEY_PREFIX'),
  now: () => new Date(),
}));

/**
 * The caller with the account of the key they sent; a use of a key is counted and renews it.
 * @throws CodedError API_KEY_MISSING, API_KEY_INVALID, API_KEY_EXPIRED, RATE_LIMITED
 */
export async function signedIn(request: ApiRequest, renews: boolean): Promise<AccountCaller> {
  const who = await authenticate(services(), request.headers['authorization']);
  const caller = { ...request.caller, account: who.account, key: who.key };
  await countRequest(services(), caller);
  if (renews) await renew(services(), who);
  return caller;
}
