import { counterTable } from '../../adapters/dynamodb/counter-table.ts';
import { documentClient } from '../../adapters/dynamodb/document-client.ts';
import { projectRepository } from '../../adapters/dynamodb/projects/project-repository.ts';
import * as contract from '../../contract/operations/temp-projects.ts';
import { addresses } from '../../core/projects/addresses/addresses.ts';
import {
  admitTempUpload,
  publishTempProject,
} from '../../core/projects/publishing/publish-temp.ts';
import { bind } from '../http/bind.ts';
import { endpoint } from '../http/endpoint.ts';
import { logDeferredCleanup } from '../shared/logger.ts';
import { lazy } from '../shared/lazy.ts';
import { setting } from '../shared/settings.ts';
import { deployedTempLimits } from '../shared/deployed-limits.ts';
import { anonymousUploadStores } from '../shared/upload-stores.ts';
import { versionContent } from '../shared/version-content.ts';

const services = lazy(() => {
  const client = documentClient();
  const tables = {
    projects: setting('PROJECTS_TABLE'),
    sites: setting('SITES_TABLE'),
    counters: setting('COUNTERS_TABLE'),
  };
  return {
    projects: projectRepository(client, tables),
    ...anonymousUploadStores(client),
    content: versionContent(),
    counters: counterTable(client, setting('COUNTERS_TABLE')),
    addresses: addresses(setting('BASE_URL'), setting('SITES_DOMAIN')),
    limits: deployedTempLimits(),
    onFailure: logDeferredCleanup,
    now: () => new Date(),
  };
});

export const bindings = [
  bind(
    contract.publishTempProject,
    (caller, input) => publishTempProject(services(), caller, input),
    {
      admit: (caller) => admitTempUpload(services(), caller),
    },
  ),
];

/** `/v1/projects/temp`: publish without an account. */
export const handler = endpoint(bindings);
