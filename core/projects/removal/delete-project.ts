import { daySeconds } from '../../../contract/limits.ts';
import type { AccountCaller } from '../../caller.ts';
import type { Counters } from '../../limits/counters.ts';
import type { EdgeCache } from '../../ports.ts';
import { type OwnedProjectStore, requireOwnedProject } from '../owned-projects.ts';
import type { Plans } from '../../accounts/account.ts';
import type { Project } from '../project.ts';
import { previewBytes, runningPreviews } from '../previews/named-preview.ts';
import { effectiveLimits } from '../quota.ts';
import { purgeWishOf } from './purge.ts';
import { removalOnRequest, withoutReservation } from './removal.ts';
import { type DeletedProjectStore, restoreMarginSeconds } from './restore-project.ts';
import { type RemovalDeps, removeProjectData } from './sweep.ts';
import type { AccountId } from '../../../contract/fields.ts';
import { instant, plusSeconds } from '../../instants.ts';

/** Dependencies of {@link deleteProject}. */
export interface DeleteProjectDeps {
  projects: RemovalDeps['projects'];
  owned: Pick<OwnedProjectStore, 'beginRemoval'>;
  content: RemovalDeps['content'];
  hits: RemovalDeps['hits'];
  edge: EdgeCache;
  deleted: Pick<DeletedProjectStore, 'listByAccount' | 'endKeeping'>;
  plans: Plans;
  counters: Pick<Counters, 'count'>;
  keptDays: number;
  /** Called with work that the next sweep has to complete. */
  onFailure(item: unknown, error: unknown): void;
  now(): Date;
}

/** A try fails only when another change of the same project is written first. */
const tries = 5;

/**
 * Deletes a project. After the first write nobody sees it and it does not count toward the quota.
 * The sweep removes the rest when it can no longer be restored, and completes what failed here. All
 * deleted projects of an account together may take as many bytes as its plan has storage; the
 * oldest beyond that are removed.
 * @throws CodedError NOT_FOUND
 */
export async function deleteProject(
  deps: DeleteProjectDeps,
  caller: AccountCaller,
  input: { projectId: string },
) {
  let isReserved: boolean | undefined;
  for (let count = 1; count <= tries; count += 1) {
    const project = await requireOwnedProject(deps.projects, caller, input.projectId);
    isReserved ??= await reservesAddress(deps, caller);
    const removal = removalOnRequest(project, deps.keptDays, deps.now());
    if (await deps.owned.beginRemoval(isReserved ? removal : withoutReservation(removal))) {
      await finishDeletion(deps, caller, project);
      return { deleted: true };
    }
  }
  throw new Error(`a project changed ${tries} times while it was to be removed`);
}

/** How many addresses deleted projects of an account leave reserved in a day. */
const reservedAddresses = { limit: 100, windowSeconds: daySeconds };

/**
 * Whether the address of a project that is deleted now stays reserved for its account. An account that creates and
 * deletes projects all day must not keep thousands of names from everybody else for 90 days.
 */
async function reservesAddress(
  { counters, now }: Pick<DeleteProjectDeps, 'counters' | 'now'>,
  { account }: AccountCaller,
): Promise<boolean> {
  const { limit, windowSeconds } = reservedAddresses;
  return (await counters.count(`left-addresses#${account.id}`, windowSeconds, now())) <= limit;
}

/** The edge is purged before the files are removed: it must not fetch a missing file and cache that response. */
async function finishDeletion(
  deps: DeleteProjectDeps,
  { account }: AccountCaller,
  project: Project,
): Promise<void> {
  const { id, claimHash } = project;
  try {
    await deps.edge.purgeAfterDelay(id, purgeWishOf(project, undefined));
    if (deps.keptDays === 0) return await removeProjectData(deps, { projectId: id, claimHash });
    const { maxStorageBytes: maxBytes } = effectiveLimits(deps.plans, account, deps.now());
    await trimDeleted(deps, { accountId: account.id, latest: project }, { maxBytes });
  } catch (error) {
    deps.onFailure({ kind: 'project', projectId: id }, error);
  }
}

/** More than anybody looks through; also bounds what one deletion reads. */
const maxKept = 500;

type StoredFields = Pick<Project, 'bytes' | 'history' | 'previews'>;

/** How much of an account's deleted projects is kept; -1 means unlimited bytes. */
interface KeptLimit {
  maxBytes: number;
}

/**
 * The deleted projects for which there is no room beside the latest one, which is kept in any case. Pure.
 * @param earlier the projects deleted before it, latest first
 */
export function beyondKept<One extends { project: StoredFields }>(
  latest: One['project'],
  earlier: readonly One[],
  { maxBytes }: KeptLimit,
  now: Date,
): One[] {
  let bytes = storedBytes(latest, now);
  const surplus = earlier.findIndex(({ project }, index) => {
    bytes += storedBytes(project, now);
    return index + 1 >= maxKept || (maxBytes !== -1 && bytes > maxBytes);
  });
  return surplus === -1 ? [] : earlier.slice(surplus);
}

/** The files of its previews stay until each of them ends. */
function storedBytes(project: StoredFields, now: Date): number {
  return project.bytes + project.history.bytes + previewBytes(runningPreviews(project, now));
}

/**
 * Makes an account's oldest deleted projects due for removal until the rest has room. They become
 * due only when no restoration of them can still be running. The list is eventually consistent: a
 * deletion in the same second may be missed, and is counted at the next.
 * @param latest the project that was just deleted
 */
async function trimDeleted(
  deps: { deleted: Pick<DeletedProjectStore, 'listByAccount' | 'endKeeping'>; now(): Date },
  { accountId, latest }: { accountId: AccountId; latest: Project },
  limit: KeptLimit,
): Promise<void> {
  const { deleted } = await deps.deleted.listByAccount(accountId, { limit: maxKept + 1 });
  const earlier = deleted.filter(({ project }) => project.id !== latest.id);
  const now = deps.now();
  const dueAt = instant(plusSeconds(now, restoreMarginSeconds));
  const surplus = beyondKept(latest, earlier, limit, now);
  await Promise.all(surplus.map((one) => deps.deleted.endKeeping(one, dueAt)));
}
