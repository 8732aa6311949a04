import type { AccountCaller } from '../../caller.ts';
import { instant } from '../../instants.ts';
import { countPublication } from '../../limits/count-publication.ts';
import type { RequestLimitDeps } from '../../limits/counters.ts';
import { type ChangeProjectDeps, changeProject } from '../change/change-project.ts';

/**
 * Archives the caller's project: visitors no longer see it and it does not count toward the quota.
 * @throws CodedError NOT_FOUND, PROJECT_LIMIT_REACHED, UPLOAD_INCOMPLETE
 */
export async function archiveProject(
  deps: ChangeProjectDeps,
  caller: AccountCaller,
  input: { projectId: string },
) {
  await changeProject(deps, caller, input.projectId, ({ project, live, now }) =>
    project.archivedAt === null
      ? { fields: { archivedAt: instant(now) }, live, at: now }
      : undefined,
  );
  return { archived: true as const };
}

/**
 * Restores an archived project, if the plan has room for it. It counts as a publication, because webhooks may be told
 * that the plan is nearly used up.
 * @throws CodedError NOT_FOUND, PROJECT_LIMIT_REACHED, STORAGE_LIMIT_REACHED, UPLOAD_INCOMPLETE, RATE_LIMITED
 */
export async function unarchiveProject(
  deps: ChangeProjectDeps & RequestLimitDeps,
  caller: AccountCaller,
  input: { projectId: string },
) {
  await countPublication(deps, caller);
  await changeProject(deps, caller, input.projectId, ({ project, live }) =>
    project.archivedAt === null ? undefined : { fields: { archivedAt: null }, live },
  );
  return { archived: false as const };
}
