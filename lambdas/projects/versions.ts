import { counterTable } from '../../adapters/dynamodb/counter-table.ts';
import { documentClient } from '../../adapters/dynamodb/document-client.ts';
import * as contract from '../../contract/operations/versions.ts';
import * as previews from '../../contract/operations/previews.ts';
import * as files from '../../contract/operations/files.ts';
import { deletePreview, listPreviews } from '../../core/projects/previews/manage-previews.ts';
import { putPreview } from '../../core/projects/previews/put-preview.ts';
import { createFileLink } from '../../core/projects/versions/create-file-link.ts';
import { listProjectFiles } from '../../core/projects/versions/list-files.ts';
import { diffVersion } from '../../core/projects/versions/diff-version.ts';
import * as texts from '../../contract/operations/file-texts.ts';
import { readFileTexts } from '../../core/projects/versions/read-files.ts';
import { listDeployments } from '../../core/projects/versions/deployment.ts';
import { previewVersion } from '../../core/projects/versions/create-preview-link.ts';
import { replaceProjectFiles } from '../../core/projects/versions/replace-files.ts';
import { changeProjectFiles } from '../../core/projects/versions/update-files.ts';
import { rollBackProject } from '../../core/projects/versions/roll-back.ts';
import { bind } from '../http/bind.ts';
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
  bind(contract.replaceProjectFiles, (caller, input) =>
    replaceProjectFiles(services(), caller, input),
  ),
  bind(files.listProjectFiles, (caller, input) => listProjectFiles(services(), caller, input)),
  bind(files.changeProjectFiles, (caller, input) =>
    changeProjectFiles(services(), caller, { ...input, mode: 'merge' }),
  ),
  bind(files.createFileLink, (caller, input) => createFileLink(services(), caller, input)),
  bind(texts.readFileTexts, (caller, input) => readFileTexts(services(), caller, input)),
  bind(contract.listDeployments, (caller, input) => listDeployments(services(), caller, input)),
  bind(contract.rollBackProject, (caller, input) => rollBackProject(services(), caller, input)),
  bind(contract.previewVersion, (caller, input) => previewVersion(services(), caller, input)),
  bind(contract.diffVersion, (caller, input) => diffVersion(services(), caller, input)),
  bind(previews.putPreview, (caller, { expiresIn = '7d', access = 'project', ...input }) =>
    putPreview(services(), caller, {
      ...input,
      access,
      lifeSeconds: previews.previewLifeSeconds(expiresIn),
    }),
  ),
  bind(previews.listPreviews, (caller, input) => listPreviews(services(), caller, input)),
  bind(previews.deletePreview, (caller, input) => deletePreview(services(), caller, input)),
];

/** `/v1/projects/{projectId}`: push versions of a project, list, preview, compare and switch them. */
export const handler = endpoint(bindings);
