import { accountRepository } from '../../adapters/account-repository.ts';
import { counterTable } from '../../adapters/counter-table.ts';
import { documentClient } from '../../adapters/dynamodb.ts';
import { once } from './once.ts';
import { setting } from './settings.ts';

/** What the authorization server needs. */
export const oauthServices = once(() => {
  const client = documentClient();
  return {
    accounts: accountRepository(client, setting('ACCOUNTS_TABLE')),
    counters: counterTable(client, setting('COUNTERS_TABLE')),
    baseUrl: setting('BASE_URL'),
    sendsIssuer: setting('OAUTH_SENDS_ISSUER') === 'true',
    now: () => new Date(),
  };
});
