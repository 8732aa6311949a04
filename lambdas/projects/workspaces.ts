import { documentClient } from '../../adapters/dynamodb/document-client.ts';
import { backOff } from '../../core/back-off.ts';
import { workspaceProjects } from '../../adapters/dynamodb/workspaces/workspace-projects.ts';
import { workspaceRepository } from '../../adapters/dynamodb/workspaces/workspace-repository.ts';
import * as contract from '../../contract/operations/workspaces.ts';
import {
  createWorkspace,
  deleteWorkspace,
  listWorkspaces,
  renameWorkspace,
} from '../../core/workspaces/manage-workspaces.ts';
import { bind } from '../http/bind.ts';
import { endpoint } from '../http/endpoint.ts';
import { logError } from '../shared/logger.ts';
import { lazy } from '../shared/lazy.ts';
import { setting } from '../shared/settings.ts';

const services = lazy(() => {
  const client = documentClient();
  const tables = { projects: setting('PROJECTS_TABLE'), accounts: setting('ACCOUNTS_TABLE') };
  return {
    workspaces: workspaceRepository(client, tables.accounts),
    projects: workspaceProjects(client, tables),
    pause: backOff,
    onFailure: (item: unknown, error: unknown) =>
      logError('workspace deletion deferred to the next call', error, { item }),
    now: () => new Date(),
  };
});

export const bindings = [
  bind(contract.listWorkspaces, (caller) => listWorkspaces(services(), caller)),
  bind(contract.createWorkspace, (caller, input) => createWorkspace(services(), caller, input)),
  bind(contract.renameWorkspace, (caller, input) => renameWorkspace(services(), caller, input)),
  bind(contract.deleteWorkspace, (caller, input) => deleteWorkspace(services(), caller, input)),
];

/** `/v1/workspaces`: folders of an account's projects. */
export const handler = endpoint(bindings);
