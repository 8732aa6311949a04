import { counterTable } from '../../adapters/counter-table.ts';
import { documentClient } from '../../adapters/dynamodb.ts';
import { hitReader } from '../../adapters/hit-reader.ts';
import { keyTable } from '../../adapters/key-table.ts';
import { oauthGrantTable } from '../../adapters/oauth-grant-table.ts';
import { oauthTokenTable } from '../../adapters/oauth-token-table.ts';
import { once } from '../runtime/once.ts';
import { setting } from '../runtime/settings.ts';
import { uploadLinkServices } from '../runtime/upload-link-services.ts';

/** What the use cases behind the tools need. */
export const services = once(() => uploadLinkServices());

/** What telling who looked needs. */
export const opensServices = once(() => {
  const { projects, now } = services();
  return { projects, now, hits: hitReader(documentClient(), setting('ANALYTICS_TABLE')) };
});

/** What telling who calls, and counting it, needs. */
export const agentServices = once(() => {
  const { accounts, plans, now } = services();
  const client = documentClient();
  return {
    accounts,
    plans,
    now,
    keys: keyTable(client, setting('ACCOUNTS_TABLE')),
    grants: oauthGrantTable(client, setting('OAUTH_TABLE')),
    tokens: oauthTokenTable(client, setting('OAUTH_TABLE')),
    counters: counterTable(client, setting('COUNTERS_TABLE')),
    keyPrefix: setting('KEY_PREFIX'),
  };
});
