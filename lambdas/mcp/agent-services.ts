import { accountRepository } from '../../adapters/account-repository.ts';
import { documentClient } from '../../adapters/dynamodb.ts';
import { keyTable } from '../../adapters/key-table.ts';
import { oauthGrantTable } from '../../adapters/oauth-grant-table.ts';
import { oauthTokenTable } from '../../adapters/oauth-token-table.ts';
import { once } from './once.ts';
import { setting } from './settings.ts';

/** What telling who calls the MCP endpoint needs. */
export const agentServices = once(() => {
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
