import { ProjectId } from '../../../contract/fields.ts';
import type { AccountState } from '../../accounts/suspension.ts';
import type { EdgeCache, ProjectStore, SiteDirectory } from '../../ports.ts';
import { changeOf, type Next } from '../settings/change.ts';
import { forgetNow } from '../settings/change-project.ts';
import type { OwnedProjectStore } from '../owned-projects.ts';
import type { Project } from '../project.ts';
import { unlimited } from '../quota.ts';

/** What an operator's changes of projects need. */
export interface OperateDeps {
  projects: Pick<ProjectStore, 'get' | 'version'>;
  owned: Pick<OwnedProjectStore, 'change'>;
  sites: SiteDirectory;
  edge: EdgeCache;
  /** Told of what maintenance has to finish. */
  onFailure(item: unknown, error: unknown): void;
  now(): Date;
}

/** Why an operator's command changed nothing, and what can be done; one sentence or two. */
export class OperatorError extends Error {
  override name = 'OperatorError';
}

const otherState =
  'Somebody else suspends or unsuspends this account now. Look at it, then try again.';

/** Each try loses only to another change of the same project. */
const tries = 20;

/**
 * The project with this id, or the one that this host serves.
 * @throws OperatorError
 */
export async function projectAt(
  deps: Pick<OperateDeps, 'sites'>,
  target: string,
): Promise<ProjectId> {
  const text = target.trim().toLowerCase();
  const id = ProjectId.safeParse(text).data;
  if (id !== undefined) return id;
  const host = text.replace(/^https?:\/\//, '').replace(/[/:?#].*$/, '');
  const site = host === '' ? undefined : await deps.sites.get(host);
  if (site === undefined) {
    throw new OperatorError(`${target} is no project's id, and no site is served there.`);
  }
  return site.projectId;
}

/**
 * Changes anybody's project to what `next` makes of it, over whatever state it is in when it is
 * written; without a next state nothing is written.
 * @param expects how its owner's account must stand
 * @throws OperatorError
 */
export async function operateOn(
  deps: Omit<OperateDeps, 'sites'>,
  projectId: ProjectId,
  next: (project: Project, now: Date) => Next['fields'] | undefined,
  expects: AccountState | 'any' = 'any',
): Promise<Project> {
  for (let count = 1; count <= tries; count += 1) {
    const project = await deps.projects.get(projectId);
    if (project === undefined || project.removingAt !== null) throw noProject(projectId);
    const live = await deps.projects.version(projectId, project.version);
    const now = deps.now();
    const fields = next(project, now);
    if (fields === undefined) return project;
    // The live version left while it was looked for: there is another one now.
    if (live === undefined && project.version > 0) continue;
    const change = changeOf(project, { fields, live, limits: unlimited, expects }, now);
    const outcome = await deps.owned.change(change);
    if (outcome === 'changed') {
      await forgetNow(deps, change);
      return change.after;
    }
    if (outcome === 'account-state') throw new OperatorError(otherState);
    if (outcome !== 'lost') throw new Error(`an operator's change met ${JSON.stringify(outcome)}`);
  }
  throw new Error(`a project changed ${tries} times while it was to be changed`);
}

function noProject(projectId: ProjectId): OperatorError {
  return new OperatorError(`There is no project ${projectId}, or its owner deleted it.`);
}
