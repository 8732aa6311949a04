import type { AccountCaller } from '../../caller.ts';
import type { ProjectStore } from '../../ports.ts';
import { viewDeployment } from './deployment.ts';
import { ownedProject } from '../owned-project.ts';

/**
 * Every kept version of the caller's project, newest first.
 * @throws CodedError NOT_FOUND
 */
export async function listDeployments(
  deps: { projects: Pick<ProjectStore, 'get' | 'versions'> },
  caller: AccountCaller,
  input: { projectId: string },
) {
  const project = await ownedProject(deps.projects, caller, input.projectId);
  const versions = await deps.projects.versions(project.id);
  return versions.map((version) => viewDeployment(project, version));
}
