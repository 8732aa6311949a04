import { accountRepository } from '../../adapters/account-repository.ts';
import { clientDocuments } from '../../adapters/client-documents.ts';
import { counterTable } from '../../adapters/counter-table.ts';
import { documentClient } from '../../adapters/dynamodb.ts';
import { oauthClientTable } from '../../adapters/oauth-client-table.ts';
import { oauthCodeTable } from '../../adapters/oauth-code-table.ts';
import { oauthGrantTable } from '../../adapters/oauth-grant-table.ts';
import { oauthTokenTable } from '../../adapters/oauth-token-table.ts';
import { once } from './once.ts';
import { setting } from './settings.ts';

/** What the authorization server needs. */
export const oauthServices = once(() => {
  const client = documentClient();
  const table = setting('OAUTH_TABLE');
  return {
    accounts: accountRepository(client, setting('ACCOUNTS_TABLE')),
    counters: counterTable(client, setting('COUNTERS_TABLE')),
    clients: oauthClientTable(client, table),
    documents: clientDocuments(),
    authorizationCodes: oauthCodeTable(client, table),
    grants: oauthGrantTable(client, table),
    tokens: oauthTokenTable(client, table),
    keyPrefix: setting('KEY_PREFIX'),
    baseUrl: setting('BASE_URL'),
    sendsIssuer: setting('OAUTH_SENDS_ISSUER') === 'true',
    now: () => new Date(),
  };
});
