import * as contract from '../contract/operations/projects.ts';
import * as settings from '../contract/operations/project-settings.ts';
import { archiveProject, unarchiveProject } from '../core/projects/archive-project.ts';
import { claimProject } from '../core/projects/claim-project.ts';
import { createProject } from '../core/projects/create-project.ts';
import { deleteProject } from '../core/projects/delete-project.ts';
import { getProject } from '../core/projects/get-project.ts';
import { listProjects } from '../core/projects/list-projects.ts';
import { updateProject } from '../core/projects/update-project.ts';
import { bindWithKey } from './runtime/bind.ts';
import { endpoint } from './runtime/endpoint.ts';
import { once } from './runtime/once.ts';
import { projectServices } from './runtime/project-services.ts';

const services = once(projectServices);

export const bindings = [
  bindWithKey(contract.listProjects, {
    run: (caller, input) => listProjects(services(), caller, input),
  }),
  bindWithKey(contract.createProject, {
    run: (caller, input) => createProject(services(), caller, input),
  }),
  bindWithKey(contract.claimProject, {
    run: (caller, input) => claimProject(services(), caller, input),
  }),
  bindWithKey(contract.getProject, {
    run: (caller, input) => getProject(services(), caller, input),
  }),
  bindWithKey(contract.deleteProject, {
    run: (caller, input) => deleteProject(services(), caller, input),
  }),
  bindWithKey(settings.updateProject, {
    run: (caller, input) => updateProject(services(), caller, input),
  }),
  bindWithKey(settings.archiveProject, {
    run: (caller, input) => archiveProject(services(), caller, input),
  }),
  bindWithKey(settings.unarchiveProject, {
    run: (caller, input) => unarchiveProject(services(), caller, input),
  }),
];

/** `/v1/projects`: publish, keep, list, read, change, archive and delete an account's projects. */
export const handler = endpoint(bindings);
