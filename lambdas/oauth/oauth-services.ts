import { accountRepository } from '../../adapters/dynamodb/accounts/account-repository.ts';
import { clientDocuments } from '../../adapters/outgoing-http/client-documents.ts';
import { counterTable } from '../../adapters/dynamodb/counter-table.ts';
import { documentClient } from '../../adapters/dynamodb/document-client.ts';
import { oauthClientTable } from '../../adapters/dynamodb/oauth/oauth-client-table.ts';
import { oauthCodeTable } from '../../adapters/dynamodb/oauth/oauth-code-table.ts';
import { oauthGrantTable } from '../../adapters/dynamodb/oauth/oauth-grant-table.ts';
import { oauthTokenTable } from '../../adapters/dynamodb/oauth/oauth-token-table.ts';
import { once } from '../shared/once.ts';
import { setting } from '../shared/settings.ts';

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
