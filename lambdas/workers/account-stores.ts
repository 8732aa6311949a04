import { accountRemoval } from '../../adapters/dynamodb/accounts/account-closing.ts';
import { keyTable } from '../../adapters/dynamodb/accounts/key-table.ts';
import { sessionTable } from '../../adapters/dynamodb/accounts/session-table.ts';
import { documentClient } from '../../adapters/dynamodb/document-client.ts';
import { oauthGrantTable } from '../../adapters/dynamodb/oauth/oauth-grant-table.ts';
import { setting } from '../shared/settings.ts';

/** The stores of an account's data other than projects, for its removal. */
export function accountStores() {
  const client = documentClient();
  const table = setting('ACCOUNTS_TABLE');
  return {
    removal: accountRemoval(client, table),
    keys: keyTable(client, table),
    sessions: sessionTable(client, table),
    grants: oauthGrantTable(client, setting('OAUTH_TABLE')),
  };
}
