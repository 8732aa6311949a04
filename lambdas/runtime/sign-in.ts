import { accountRepository } from '../../adapters/account-repository.ts';
import { documentClient } from '../../adapters/dynamodb.ts';
import { authenticate, renew } from '../../core/accounts/authenticate.ts';
import type { AccountCaller } from '../../core/caller.ts';
import type { ApiRequest } from './api-request.ts';
import { once } from './once.ts';
import { setting } from './settings.ts';

const services = once(() => ({
  accounts: accountRepository(documentClient(), setting('ACCOUNTS_TABLE')),
  keyPrefix: setting('KEY_PREFIX'),
  now: () => new Date(),
}));

/**
 * The caller with the account of the key they sent; a use of a key renews it.
 * @throws CodedError API_KEY_MISSING, API_KEY_INVALID, API_KEY_EXPIRED
 */
export async function signedIn(request: ApiRequest, renews: boolean): Promise<AccountCaller> {
  const who = await authenticate(services(), request.headers['authorization']);
  if (renews) await renew(services(), who);
  return { ...request.caller, account: who.account, key: who.key };
}
