import type { AccountId, Instant, ProjectId, Slug } from '../../../contract/fields.ts';
import { hasExpired, plusSeconds } from '../../instants.ts';
import type { EdgeCache, ProjectStore } from '../../ports.ts';
import { buildChange, type NextProjectState } from '../change/project-change.ts';
import { purgeEdge } from '../change/change-project.ts';
import { OperatorError } from '../moderation/operator-change.ts';
import type { OwnedProjectStore } from '../owned-projects.ts';
import type { Project, Version } from '../project.ts';
import { unlimited } from '../quota.ts';

/** Dependencies of {@link restoreAsOperator}. */
export interface RestoreProjectDeps {
  deleted: Pick<DeletedProjectStore, 'get'>;
  projects: Pick<ProjectStore, 'getVersion'>;
  owned: Pick<OwnedProjectStore, 'change'>;
  edge: EdgeCache;
  /** Called with work that maintenance has to complete. */
  onFailure(item: unknown, error: unknown): void;
  now(): Date;
}

/** The sweep's clock may be ahead of this one, and what it began to remove cannot be restored. */
export const restoreMarginSeconds = 600;

/**
 * Restores a project that its owner deleted: its address, settings, versions and usage, even above
 * the plan. Changes nothing if the address is in use by another project.
 * @throws OperatorError
 */
export async function restoreAsOperator(
  deps: RestoreProjectDeps,
  input: { projectId: ProjectId; slug?: Slug | undefined },
): Promise<Project> {
  const now = deps.now();
  const { project } = await requireRestorable(deps, input.projectId, now);
  const live = await deps.projects.getVersion(project.id, project.version);
  if (live === undefined) throw new Error(`project ${project.id} lacks its live version`);
  const fields = restoredFields(project, input.slug, now);
  const outcome = await tryRestore(deps, { project, live, fields }, now);
  if (outcome !== 'workspace-gone') return outcome;
  const alone = { ...fields, workspaceId: null };
  const again = await tryRestore(deps, { project, live, fields: alone }, now);
  if (again !== 'workspace-gone') return again;
  throw new Error('a project without a workspace was refused for its workspace');
}

async function tryRestore(
  deps: RestoreProjectDeps,
  {
    project,
    live,
    fields,
  }: { project: Project; live: Version; fields: NextProjectState['fields'] },
  now: Date,
): Promise<Project | 'workspace-gone'> {
  const change = buildChange(project, { fields, live, limits: unlimited }, now);
  const { after } = change;
  const outcome = await deps.owned.change(change);
  if (outcome === 'changed') {
    await purgeEdge(deps, { before: undefined, after });
    return after;
  }
  if (outcome === 'workspace-gone') return outcome;
  if (outcome === 'account-state') {
    throw new OperatorError('The account of this project is suspended. Unsuspend it first.');
  }
  if (outcome === 'slug-taken' || outcome === 'slug-reserved') {
    const why =
      outcome === 'slug-taken' ? 'is in use by another project' : 'is reserved for another account';
    throw new OperatorError(`The address ${after.host} ${why}. Choose another with --slug.`);
  }
  if (outcome === 'domain-gone') {
    throw new OperatorError(
      `The custom domain of ${after.host} is removed or takes no projects now. The owner can restore the project at an address of this service.`,
    );
  }
  if (outcome === 'lost')
    throw new OperatorError(
      'This project is being restored or removed by another process. Try again.',
    );
  throw new Error(`a restoration failed: ${JSON.stringify(outcome)}`);
}

async function requireRestorable(
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

/** An expired project would be removed again immediately, so it is restored without an expiry. */
export function restoredFields(
  project: Project,
  slug: Slug | undefined,
  now: Date,
): NextProjectState['fields'] {
  const { slug: old, host } = project;
  return {
    removingAt: null,
    // What was pushed before the deletion and not published by then is deleted too.
    waitingPushes: undefined,
    ...(slug !== undefined && { slug, host: slug + host.slice(old.length) }),
    ...(hasExpired(project, now) && { expiresAt: null }),
  };
}

/** A deleted project while its files are kept. */
export interface DeletedProject {
  project: Project;
  /** When its rows and files are removed. */
  keptUntil: Instant;
}

/** How many deleted projects to list, and after which `next` of an earlier page. */
export interface DeletedPage {
  limit: number;
  after?: string | undefined;
}

/** A page of deleted projects. Without `next` there are no others. */
export interface DeletedList {
  deleted: DeletedProject[];
  next?: string | undefined;
}

/** Finds projects that their owners deleted. */
export interface DeletedProjectStore {
  /** `undefined` for a project that is not deleted, or that is already removed. */
  get(projectId: ProjectId): Promise<DeletedProject | undefined>;
  /**
   * The deleted projects of an account, most recently deleted first: `next` continues after a page.
   * A page may have fewer than `limit`.
   */
  listByAccount(accountId: AccountId, page: DeletedPage): Promise<DeletedList>;
  /**
   * Removes the project from the list and makes it due for removal at `dueAt`, if that is earlier
   * and it was not restored.
   */
  endKeeping(deleted: DeletedProject, dueAt: Instant): Promise<void>;
}
