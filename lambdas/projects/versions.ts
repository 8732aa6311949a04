import { counterTable } from '../../adapters/dynamodb/counter-table.ts';
import { documentClient } from '../../adapters/dynamodb/document-client.ts';
import * as contract from '../../contract/operations/versions.ts';
import * as files from '../../contract/operations/files.ts';
import { createFileLink } from '../../core/projects/versions/create-file-link.ts';
import { listFiles } from '../../core/projects/versions/list-files.ts';
import { diffVersion } from '../../core/projects/versions/diff-version.ts';
import { readFileTexts } from '../../contract/operations/file-texts.ts';
import { readTexts } from '../../core/projects/versions/read-files.ts';
import { listDeployments } from '../../core/projects/versions/deployment.ts';
import { createPreviewLink } from '../../core/projects/versions/create-preview-link.ts';
import { replaceFiles } from '../../core/projects/versions/replace-files.ts';
import { updateFiles } from '../../core/projects/versions/update-files.ts';
import { rollBack } from '../../core/projects/versions/roll-back.ts';
import { bindWithKey } from '../http/bind.ts';
import { endpoint } from '../http/endpoint.ts';
import { deployedSecret } from '../shared/deployed-secrets.ts';
import { setting } from '../shared/settings.ts';
import { lazy } from '../shared/lazy.ts';
import { projectServices } from '../shared/project-services.ts';

const services = lazy(() => ({
  ...projectServices(),
  accessSecret: deployedSecret('ACCESS_SECRET_ARN'),
  counters: counterTable(documentClient(), setting('COUNTERS_TABLE')),
}));

export const bindings = [
  bindWithKey(contract.replaceFiles, {
    run: (caller, input) => replaceFiles(services(), caller, input),
  }),
  bindWithKey(files.listFiles, { run: (caller, input) => listFiles(services(), caller, input) }),
  bindWithKey(files.changeFiles, {
    run: (caller, input) => updateFiles(services(), caller, { ...input, mode: 'merge' }),
  }),
  bindWithKey(files.createFileLink, {
    run: (caller, input) => createFileLink(services(), caller, input),
  }),
  bindWithKey(readFileTexts, { run: (caller, input) => readTexts(services(), caller, input) }),
  bindWithKey(contract.listDeployments, {
    run: (caller, input) => listDeployments(services(), caller, input),
  }),
  bindWithKey(contract.rollBack, { run: (caller, input) => rollBack(services(), caller, input) }),
  bindWithKey(contract.previewVersion, {
    run: (caller, input) => createPreviewLink(services(), caller, input),
  }),
  bindWithKey(contract.diffVersion, {
    run: (caller, input) => diffVersion(services(), caller, input),
  }),
];

/** `/v1/projects/{projectId}`: push versions of a project, list, preview, compare and switch them. */
export const handler = endpoint(bindings);
