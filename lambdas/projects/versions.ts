import * as contract from '../contract/operations/versions.ts';
import { diffVersion } from '../core/projects/diff-version.ts';
import { listDeployments } from '../core/projects/list-deployments.ts';
import { previewVersion } from '../core/projects/preview-version.ts';
import { replaceFiles } from '../core/projects/replace-files.ts';
import { rollBack } from '../core/projects/roll-back.ts';
import { bindWithKey } from './runtime/bind.ts';
import { endpoint } from './runtime/endpoint.ts';
import { deployedSecret } from './runtime/deployed-secrets.ts';
import { once } from './runtime/once.ts';
import { projectServices } from './runtime/project-services.ts';

const services = once(() => ({
  ...projectServices(),
  accessSecret: deployedSecret('ACCESS_SECRET_ARN'),
}));

export const bindings = [
  bindWithKey(contract.replaceFiles, {
    run: (caller, input) => replaceFiles(services(), caller, input),
  }),
  bindWithKey(contract.listDeployments, {
    run: (caller, input) => listDeployments(services(), caller, input),
  }),
  bindWithKey(contract.rollBack, { run: (caller, input) => rollBack(services(), caller, input) }),
  bindWithKey(contract.previewVersion, {
    run: (caller, input) => previewVersion(services(), caller, input),
  }),
  bindWithKey(contract.diffVersion, {
    run: (caller, input) => diffVersion(services(), caller, input),
  }),
];

/** `/v1/projects/{projectId}`: push versions of a project, list, preview, compare and switch them. */
export const handler = endpoint(bindings);
