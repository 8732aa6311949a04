import { accountRepository } from '../../adapters/dynamodb/accounts/account-repository.ts';
import { documentClient } from '../../adapters/dynamodb/document-client.ts';
import { keyTable } from '../../adapters/dynamodb/accounts/key-table.ts';
import { oauthGrantTable } from '../../adapters/dynamodb/oauth/oauth-grant-table.ts';
import { oauthTokenTable } from '../../adapters/dynamodb/oauth/oauth-token-table.ts';
import { lazy } from '../shared/lazy.ts';
import { setting } from '../shared/settings.ts';

/** The dependencies for identifying the caller of the MCP endpoint. */
export const agentServices = lazy(() => {
  const client = documentClient();
  const accountsTable = setting('ACCOUNTS_TABLE');
  const table = setting('OAUTH_TABLE');
  return {
    accounts: accountRepository(client, accountsTable),
    keys: keyTable(client, accountsTable),
    grants: oauthGrantTable(client, table),
    tokens: oauthTokenTable(client, table),
    keyPrefix: setting('KEY_PREFIX'),
    now: () => new Date(),
  };
});
