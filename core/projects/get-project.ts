import type { AccountCaller } from '../caller.ts';
import type { ProjectStore } from '../ports.ts';
import type { Addresses } from './addresses/addresses.ts';
import { ownedProject } from './owned-project.ts';
import { viewProject } from './project-view.ts';

/** What showing a project needs. */
export interface GetProjectDeps {
  projects: Pick<ProjectStore, 'get'>;
  addresses: Addresses;
  now(): Date;
}

/**
 * One of the caller's projects.
 * @throws CodedError NOT_FOUND
 */
export async function getProject(
  deps: GetProjectDeps,
  caller: AccountCaller,
  input: { projectId: string },
) {
  const project = await ownedProject(deps.projects, caller, input.projectId);
  return viewProject(project, deps.addresses, deps.now());
}
