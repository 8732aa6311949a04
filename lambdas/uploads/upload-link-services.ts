import { counterTable } from '../../adapters/counter-table.ts';
import { documentClient } from '../../adapters/dynamodb.ts';
import { keyTable } from '../../adapters/key-table.ts';
import { oauthGrantTable } from '../../adapters/oauth-grant-table.ts';
import { uploadLinkTable } from '../../adapters/upload-link-table.ts';
import { maxUploadParts } from '../../contract/operations/uploads.ts';
import { once } from './once.ts';
import { projectServices } from './project-services.ts';
import { setting } from './settings.ts';
import { deployedTempLimits } from './temp-limits.ts';

/** What making and using upload links needs. */
export const uploadLinkServices = once(() => {
  const client = documentClient();
  return {
    ...projectServices(),
    links: uploadLinkTable(client, setting('PROJECTS_TABLE')),
    keys: keyTable(client, setting('ACCOUNTS_TABLE')),
    grants: oauthGrantTable(client, setting('OAUTH_TABLE')),
    counters: counterTable(client, setting('COUNTERS_TABLE')),
    tempLimits: deployedTempLimits(),
    maxParts: maxUploadParts,
  };
});

/** Where signed URLs lead to: it depends on the bucket, and locally on the port. */
export const storageOrigin = once(() => uploadLinkServices().area.origin());
