import { counterTable } from '../adapters/counter-table.ts';
import { documentClient } from '../adapters/dynamodb.ts';
import { projectRepository } from '../adapters/project-repository.ts';
import * as contract from '../contract/operations/temp-projects.ts';
import { addresses } from '../core/projects/addresses.ts';
import { admitTempUpload, publishTemp } from '../core/projects/publish-temp.ts';

import { bind } from './runtime/bind.ts';
import { endpoint } from './runtime/endpoint.ts';
import { leftToSweep } from './runtime/left-to-sweep.ts';
import { once } from './runtime/once.ts';
import { setting } from './runtime/settings.ts';
import { deployedTempLimits } from './runtime/temp-limits.ts';
import { strangersUploadStores } from './runtime/upload-stores.ts';
import { versionContent } from './runtime/version-content.ts';

const services = once(() => {
  const client = documentClient();
  const tables = {
    projects: setting('PROJECTS_TABLE'),
    sites: setting('SITES_TABLE'),
    counters: setting('COUNTERS_TABLE'),
  };
  return {
    projects: projectRepository(client, tables),
    ...strangersUploadStores(client),
    content: versionContent(),
    counters: counterTable(client, setting('COUNTERS_TABLE')),
    addresses: addresses(setting('BASE_URL'), setting('SITES_DOMAIN')),
    limits: deployedTempLimits(),
    onFailure: leftToSweep,
    now: () => new Date(),
  };
});

export const bindings = [
  bind(contract.publishTemp, {
    admit: (caller) => admitTempUpload(services(), caller),
    run: (caller, input) => publishTemp(services(), caller, input),
  }),
];

/** `/v1/projects/temp`: publish without an account. */
export const handler = endpoint(bindings);
