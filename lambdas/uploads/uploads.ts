import * as contract from '../../contract/operations/uploads.ts';
import { counterTable } from '../../adapters/dynamodb/counter-table.ts';
import { documentClient } from '../../adapters/dynamodb/document-client.ts';
import { beginUpload } from '../../core/uploads/begin-upload.ts';
import { getUpload } from '../../core/uploads/get-upload.ts';
import { bind } from '../http/bind.ts';
import { endpoint } from '../http/endpoint.ts';
import { lazy } from '../shared/lazy.ts';
import { deployedPlans, deployedTempLimits } from '../shared/deployed-limits.ts';
import { setting } from '../shared/settings.ts';
import { uploadStores } from '../shared/upload-stores.ts';

const services = lazy(() => {
  const client = documentClient();
  return {
    ...uploadStores(client),
    counters: counterTable(client, setting('COUNTERS_TABLE')),
    plans: deployedPlans(),
    tempLimits: deployedTempLimits(),
    maxParts: contract.maxUploadParts,
    now: () => new Date(),
  };
});

export const bindings = [
  bind(contract.beginUpload, (caller, input) => beginUpload(services(), caller, input)),
  bind(contract.getUpload, (caller, input) => getUpload(services(), caller, input)),
];

/** `/v1/uploads`: direct uploads of large files to storage. */
export const handler = endpoint(bindings);
