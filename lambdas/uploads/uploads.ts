import * as contract from '../../contract/operations/uploads.ts';
import { counterTable } from '../../adapters/dynamodb/counter-table.ts';
import { documentClient } from '../../adapters/dynamodb/document-client.ts';
import { beginUpload } from '../../core/uploads/begin-upload.ts';
import { getUpload } from '../../core/uploads/get-upload.ts';
import { bindForAll } from '../http/bind.ts';
import { endpoint } from '../http/endpoint.ts';
import { once } from '../shared/once.ts';
import { deployedPlans } from '../shared/plans.ts';
import { setting } from '../shared/settings.ts';
import { deployedTempLimits } from '../shared/temp-limits.ts';
import { uploadStores } from './upload-stores.ts';

const services = once(() => {
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
  bindForAll(contract.beginUpload, {
    run: (caller, input) => beginUpload(services(), caller, input),
  }),
  bindForAll(contract.getUpload, { run: (caller, input) => getUpload(services(), caller, input) }),
];

/** `/v1/uploads`: large files on their way into storage. */
export const handler = endpoint(bindings);
