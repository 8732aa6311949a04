import { ProjectId } from '../../contract/fields.ts';
import type { AccountCaller } from '../caller.ts';
import { CodedError } from '../errors.ts';
import type { ProjectStore } from '../ports.ts';
import type { Project } from './project.ts';

/**
 * The caller's project with this id. What belongs to somebody else, or is being removed, does not
 * exist for the caller.
 * @throws CodedError NOT_FOUND
 */
export async function ownedProject(
  projects: Pick<ProjectStore, 'get'>,
  caller: AccountCaller,
  id: string,
): Promise<Project> {
  const projectId = ProjectId.safeParse(id).data;
  const project = projectId === undefined ? undefined : await projects.get(projectId);
  if (project === undefined || project.ownerId !== caller.account.id) throw noProject();
  if (project.failure !== null) throw neverPublished(project.failure);
  if (project.removingAt !== null) throw noProject();
  return project;
}

function noProject(): CodedError {
  return new CodedError('NOT_FOUND', { error: 'You have no project with this id.' });
}

function neverPublished(failure: string): CodedError {
  return new CodedError('NOT_FOUND', {
    error: `This project was not published: ${failure}`,
    nextStep: 'Correct what `error` names, then upload and publish again. Nothing was kept.',
  });
}
