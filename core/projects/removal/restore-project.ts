import type { ProjectId, Slug } from '../../../contract/fields.ts';
import { plusSeconds } from '../../instants.ts';
import type { EdgeCache, ProjectStore } from '../../ports.ts';
import { changeOf, type Next } from '../settings/change.ts';
import { forgetNow } from '../settings/change-project.ts';
import type { DeletedProject, DeletedProjects } from './deleted-projects.ts';
import { isExpired } from './ending.ts';
import { OperatorError } from '../moderation/operate.ts';
import type { OwnedProjectStore } from '../owned-projects.ts';
import type { Project, Version } from '../project.ts';
import { unlimited } from '../quota.ts';

/** What bringing a deleted project back needs. */
export interface RestoreProjectDeps {
  deleted: Pick<DeletedProjects, 'get'>;
  projects: Pick<ProjectStore, 'version'>;
  owned: Pick<OwnedProjectStore, 'change'>;
  edge: EdgeCache;
  /** Told of what maintenance has to finish. */
  onFailure(item: unknown, error: unknown): void;
  now(): Date;
}

/** The clock of whoever sweeps may be ahead of this one; what it has begun to remove stays gone. */
export const restoreMarginSeconds = 600;

/**
 * Brings a project back that its owner deleted: its address, its settings, its versions, and its
 * place in the sums, whatever the plan allows. Nothing changes where the address is somebody's.
 * @throws OperatorError
 */
export async function restoreProject(
  deps: RestoreProjectDeps,
  input: { projectId: ProjectId; slug?: Slug | undefined },
): Promise<Project> {
  const now = deps.now();
  const { project } = await stillKept(deps, input.projectId, now);
  const live = await deps.projects.version(project.id, project.version);
  if (live === undefined) throw new Error(`project ${project.id} lacks its live version`);
  const fields = restoredFields(project, input.slug, now);
  const outcome = await restore(deps, { project, live, fields }, now);
  if (outcome !== 'workspace-gone') return outcome;
  const alone = { ...fields, workspaceId: null };
  const again = await restore(deps, { project, live, fields: alone }, now);
  if (again !== 'workspace-gone') return again;
  throw new Error('a project without a workspace missed one');
}

/** One try. */
async function restore(
  deps: RestoreProjectDeps,
  { project, live, fields }: { project: Project; live: Version; fields: Next['fields'] },
  now: Date,
): Promise<Project | 'workspace-gone'> {
  const change = changeOf(project, { fields, live, limits: unlimited }, now);
  const { after } = change;
  const outcome = await deps.owned.change(change);
  if (outcome === 'changed') {
    await forgetNow(deps, { before: undefined, after });
    return after;
  }
  if (outcome === 'workspace-gone') return outcome;
  if (outcome === 'account-state') {
    throw new OperatorError('The account of this project is suspended. Unsuspend it first.');
  }
  if (outcome === 'slug-taken' || outcome === 'slug-reserved') {
    const why = outcome === 'slug-taken' ? "is somebody's by now" : 'is not for this account';
    throw new OperatorError(`The address ${after.host} ${why}. Choose another with --slug.`);
  }
  if (outcome === 'lost') throw new OperatorError('Somebody else is restoring or removing it now.');
  throw new Error(`a restoration met ${JSON.stringify(outcome)}`);
}

async function stillKept(
  deps: RestoreProjectDeps,
  projectId: ProjectId,
  now: Date,
): Promise<DeletedProject> {
  const found = await deps.deleted.get(projectId);
  const latest = plusSeconds(now, restoreMarginSeconds);
  if (found === undefined || Date.parse(found.keptUntil) <= latest.getTime()) {
    throw new OperatorError(`There is no deleted project ${projectId} that could be restored.`);
  }
  return found;
}

/** What had expired would be removed again at once: it comes back without an end. */
export function restoredFields(
  project: Project,
  slug: Slug | undefined,
  now: Date,
): Next['fields'] {
  const { slug: old, host } = project;
  return {
    removingAt: null,
    ...(slug !== undefined && { slug, host: slug + host.slice(old.length) }),
    ...(isExpired(project, now) && { expiresAt: null }),
  };
}
