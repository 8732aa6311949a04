import { ProjectId, type Slug } from '../../../contract/fields.ts';
import type { AccountCaller } from '../../caller.ts';
import { CodedError } from '../../errors.ts';
import { plusSeconds } from '../../instants.ts';
import type { Addresses } from '../addresses/addresses.ts';
import { isReserved, slugTaken } from '../addresses/check-slug.ts';
import { confirmWrite } from '../confirm-write.ts';
import { toProjectResource } from '../project-view.ts';
import type { Project } from '../project.ts';
import { effectiveLimits } from '../quota.ts';
import { type ChangeProjectDeps, purgeEdge } from '../settings/change-project.ts';
import { buildChange, requireChanged } from '../settings/project-change.ts';
import {
  type DeletedProject,
  type DeletedProjectStore,
  restoredFields,
  restoreMarginSeconds,
} from './restore-project.ts';

/** Dependencies of {@link listDeletedProjects}. */
export interface DeletedProjectsDeps {
  deleted: DeletedProjectStore;
  addresses: Pick<Addresses, 'siteUrl'>;
  now(): Date;
}

/** The caller's deleted projects that can be restored. */
export async function listDeletedProjects(deps: DeletedProjectsDeps, { account }: AccountCaller) {
  const now = deps.now();
  const found = await deps.deleted.listByAccount(account.id);
  const projects = found.filter((one) => isRestorable(one, now));
  return {
    projects: projects.map(({ project, keptUntil }) => ({
      ...toProjectResource(project, deps.addresses, now),
      deletedAt: project.removingAt ?? project.updatedAt,
      restorableUntil: keptUntil,
      bytes: project.bytes,
    })),
  };
}

/** A try fails only when another request restores or removes the same project. */
const tries = 3;

/**
 * Restores the caller's deleted project as it was, if the plan has room for it. A workspace that is gone
 * is left out.
 * @throws CodedError NOT_FOUND, SLUG_TAKEN, PROJECT_LIMIT_REACHED, STORAGE_LIMIT_REACHED
 */
export async function restoreDeleted(
  deps: DeletedProjectsDeps & ChangeProjectDeps & { brand: string },
  caller: AccountCaller,
  input: { projectId: string; slug?: Slug | undefined },
) {
  let isWorkspaceGone = false;
  for (let count = 1; count <= tries; count += 1) {
    const now = deps.now();
    const { project } = await requireDeleted(deps, caller, input.projectId, now);
    checkNewSlug(deps, project, input.slug);
    const live = await deps.projects.getVersion(project.id, project.version);
    if (live === undefined) throw new Error(`project ${project.id} lacks its live version`);
    const limits = effectiveLimits(deps.plans, caller.account, now);
    const fields = {
      ...restoredFields(project, input.slug, now),
      ...(isWorkspaceGone && { workspaceId: null }),
    };
    const change = buildChange(project, { fields, live, limits }, now);
    const outcome = await deps.owned
      .change(change)
      .catch(confirmWrite(deps.projects, change, 'changed' as const));
    if (outcome === 'workspace-gone') isWorkspaceGone = true;
    else if (outcome !== 'lost') {
      requireChanged(change, outcome);
      await purgeEdge(deps, { before: undefined, after: change.after });
      return toProjectResource(change.after, deps.addresses, now);
    }
  }
  throw notRestorable();
}

function checkNewSlug({ brand }: { brand: string }, project: Project, slug = project.slug): void {
  const isOurs = project.domainId === null;
  if (slug !== project.slug && isReserved(slug, isOurs ? brand : undefined)) throw slugTaken(slug);
}

async function requireDeleted(
  { deleted }: Pick<DeletedProjectsDeps, 'deleted'>,
  { account }: AccountCaller,
  id: string,
  now: Date,
): Promise<DeletedProject> {
  const projectId = ProjectId.safeParse(id).data;
  const found = projectId === undefined ? undefined : await deleted.get(projectId);
  if (found?.project.ownerId === account.id && isRestorable(found, now)) return found;
  throw notRestorable();
}

function isRestorable({ keptUntil }: DeletedProject, now: Date): boolean {
  return Date.parse(keptUntil) > plusSeconds(now, restoreMarginSeconds).getTime();
}

function notRestorable(): CodedError {
  return new CodedError('NOT_FOUND', {
    error: 'You have no deleted project with this id that can be restored.',
    nextStep: 'GET /v1/projects/deleted lists the projects that can be restored.',
  });
}
