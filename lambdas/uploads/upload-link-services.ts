import { counterTable } from '../../adapters/dynamodb/counter-table.ts';
import { documentClient } from '../../adapters/dynamodb/document-client.ts';
import { keyTable } from '../../adapters/dynamodb/accounts/key-table.ts';
import { oauthGrantTable } from '../../adapters/dynamodb/oauth/oauth-grant-table.ts';
import { sessionTable } from '../../adapters/dynamodb/accounts/session-table.ts';
import { mailNotices } from '../../adapters/dynamodb/projects/mail-notices.ts';
import { maxUploadParts } from '../../contract/operations/uploads.ts';
import { lazy } from '../shared/lazy.ts';
import { projectServices } from '../shared/project-services.ts';
import { setting } from '../shared/settings.ts';
import { deployedTempLimits } from '../shared/deployed-limits.ts';

/** The dependencies for making and using upload links. */
export const uploadLinkServices = lazy(() => {
  const client = documentClient();
  return {
    ...projectServices(),
    keys: keyTable(client, setting('ACCOUNTS_TABLE')),
    sessions: sessionTable(client, setting('ACCOUNTS_TABLE')),
    grants: oauthGrantTable(client, setting('OAUTH_TABLE')),
    notices: mailNotices(client, setting('PROJECTS_TABLE')),
    counters: counterTable(client, setting('COUNTERS_TABLE')),
    tempLimits: deployedTempLimits(),
    maxParts: maxUploadParts,
  };
});

/** The origin of signed URLs. It depends on the bucket, and locally on the port. */
export const storageOrigin = lazy(() => uploadLinkServices().area.origin());
