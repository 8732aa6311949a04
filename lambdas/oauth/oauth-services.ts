import { accountRepository } from '../../adapters/dynamodb/accounts/account-repository.ts';
import { clientDocuments } from '../../adapters/outgoing-http/client-documents.ts';
import { counterTable } from '../../adapters/dynamodb/counter-table.ts';
import { documentClient } from '../../adapters/dynamodb/document-client.ts';
import { oauthClientTable } from '../../adapters/dynamodb/oauth/oauth-client-table.ts';
import { oauthCodeTable } from '../../adapters/dynamodb/oauth/oauth-code-table.ts';
import { keyTable } from '../../adapters/dynamodb/accounts/key-table.ts';
import { oauthDeviceTable } from '../../adapters/dynamodb/oauth/oauth-device-table.ts';
import { oauthGrantTable } from '../../adapters/dynamodb/oauth/oauth-grant-table.ts';
import { oauthTokenTable } from '../../adapters/dynamodb/oauth/oauth-token-table.ts';
import { keySets } from '../../adapters/outgoing-http/key-sets.ts';
import { publisherTable } from '../../adapters/dynamodb/accounts/publisher-table.ts';
import { usedTokenTable } from '../../adapters/dynamodb/oauth/used-token-table.ts';
import { CiProvider } from '../../contract/operations/trusted-publishers.ts';
import * as z from 'zod';
import { lazy } from '../shared/lazy.ts';
import { setting } from '../shared/settings.ts';
import { sessionTable } from '../../adapters/dynamodb/accounts/session-table.ts';
import { deployedSecret } from '../shared/deployed-secrets.ts';
import { deployedPlans } from '../shared/deployed-limits.ts';
import { signInServices } from '../accounts/sign-in-services.ts';

const Issuers = z.record(CiProvider, z.url());

/** The dependencies of the authorization server. */
export const oauthServices = lazy(() => {
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
    devices: oauthDeviceTable(client, table),
    keys: keyTable(client, setting('ACCOUNTS_TABLE')),
    sessions: sessionTable(client, setting('ACCOUNTS_TABLE')),
    publishers: publisherTable(client, setting('ACCOUNTS_TABLE')),
    usedTokens: usedTokenTable(client, table),
    keySets: keySets(),
    issuers: Issuers.parse(JSON.parse(setting('CI_ISSUERS'))),
    keyPrefix: setting('KEY_PREFIX'),
    baseUrl: setting('BASE_URL'),
    now: () => new Date(),
  };
});

/** The dependencies of the authorization pages: sign-in and consent. */
export const authorizeServices = lazy(() => {
  const client = documentClient();
  return {
    ...oauthServices(),
    ...signInServices(client),
    plans: deployedPlans(),
    brand: setting('BRAND'),
    accessSecret: deployedSecret('ACCESS_SECRET_ARN'),
  };
});
