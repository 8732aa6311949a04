import type { AccountId, ProjectId } from '../../../contract/fields.ts';
import type { HitRemoval } from '../../analytics/ports.ts';
import { projectPrefix, type StoreId, storePrefix } from '../../content/content-keys.ts';
import type { ContentStore, DueItem, EdgeCache, ProjectStore } from '../../ports.ts';
import type { JobKey } from '../../uploads/job.ts';
import { removeUpload } from '../../uploads/open-upload.ts';
import type { UploadArea, UploadStore } from '../../uploads/ports.ts';
import type { PlanChecks, PlanCheckTime } from '../history/account-history.ts';
import { removeDropped } from '../versions/drop-version.ts';
import type { OwnedProjectStore } from '../owned-projects.ts';
import { removalWhenDue } from './removal.ts';

/** What removing needs. */
export interface RemovalDeps {
  projects: Pick<
    ProjectStore,
    | 'due'
    | 'get'
    | 'isRemovalDue'
    | 'seizeIntent'
    | 'endIntent'
    | 'endPurge'
    | 'releaseHost'
    | 'removeRows'
    | 'versions'
    | 'dropped'
    | 'endDrop'
  >;
  content: Pick<ContentStore, 'get' | 'deletePrefix' | 'deleteKeys'>;
  hits: HitRemoval;
}

/** What removing everything whose time is over needs. */
export interface SweepDeps extends RemovalDeps {
  owned: Pick<OwnedProjectStore, 'beginRemoval'>;
  uploads: Pick<UploadStore, 'expire' | 'remove'>;
  area: Pick<UploadArea, 'remove'>;
  edge: EdgeCache;
  /** Goes on with an upload that a worker was to publish; false when it is none. */
  resumeUpload(key: JobKey, now: Date): Promise<boolean>;
  history: Pick<PlanChecks, 'dueChecks'>;
  /** Compares an account with its plan; false when there was nothing to do. */
  settlePlanTime(time: PlanCheckTime, now: Date): Promise<boolean>;
  /** Has an account's oldest earlier versions leave until they fit its plan. */
  resumeTrim(accountId: AccountId, now: Date): Promise<void>;
  /** Told of an item that could not be removed; the others go on. */
  onFailure(item: unknown, error: unknown): void;
}

/** How much a sweep removed and what it could not. */
export interface SweepResult {
  projects: number;
  intents: number;
  purges: number;
  drops: number;
  uploads: number;
  plans: number;
  trims: number;
  failures: number;
}

/** Does everything that is due, until `deadline`: expired and half-removed projects, abandoned uploads, purges. */
export async function sweep(deps: SweepDeps, now: Date, deadline: () => boolean) {
  const result: SweepResult = {
    projects: 0,
    intents: 0,
    purges: 0,
    drops: 0,
    uploads: 0,
    plans: 0,
    trims: 0,
    failures: 0,
  };
  const settleOne = async (item: SweptItem) => {
    try {
      if (await settle(deps, item, now)) result[`${item.kind}s`] += 1;
    } catch (error) {
      result.failures += 1;
      deps.onFailure(item, error);
    }
  };
  const underWay = new Set<Promise<void>>();
  for await (const item of dueItems(deps, now)) {
    if (deadline()) break;
    const work: Promise<void> = settleOne(item).finally(() => underWay.delete(work));
    underWay.add(work);
    if (underWay.size >= settledAtOnce) await Promise.race(underWay);
  }
  await Promise.all(underWay);
  return result;
}

type SweptItem = DueItem | ({ kind: 'plan' } & PlanCheckTime);

async function* dueItems({ projects, history }: SweepDeps, now: Date): AsyncGenerator<SweptItem> {
  yield* projects.due(now);
  for await (const time of history.dueChecks(now)) yield { kind: 'plan', ...time };
}

/** Enough to keep up with what may be published in a minute. */
const settledAtOnce = 16;

/** False when there was nothing to do any more. */
async function settle(deps: SweepDeps, item: SweptItem, now: Date): Promise<boolean> {
  switch (item.kind) {
    case 'upload':
      return removeUpload(deps, item.uploadId, now);
    case 'plan':
      return deps.settlePlanTime({ accountId: item.accountId, dueAt: item.dueAt }, now);
    case 'trim':
      await deps.resumeTrim(item.accountId, now);
      return true;
    case 'project':
    case 'intent':
    case 'drop':
    case 'purge':
      return settleOfProject(deps, item, now);
  }
}

async function settleOfProject(
  deps: SweepDeps,
  item: Extract<DueItem, { projectId: ProjectId }>,
  now: Date,
): Promise<boolean> {
  const { projectId } = item;
  switch (item.kind) {
    case 'project':
      return removeDue(deps, projectId, now);
    case 'intent':
      return settleIntent(deps, item, now);
    case 'drop':
      await removeDropped(deps, projectId, item.version);
      return true;
    case 'purge':
      await deps.edge.forget(projectId);
      await deps.projects.endPurge(projectId, now);
      return true;
  }
}

async function settleIntent(deps: SweepDeps, key: JobKey, now: Date): Promise<boolean> {
  const { projectId, store } = key;
  return (
    (await deps.resumeUpload({ projectId, store }, now)) ||
    removeIntent(deps, projectId, store, now)
  );
}

/** What is known of a project that is to be removed wholly. */
export interface ProjectRemains {
  projectId: ProjectId;
  host?: string;
  claimHash?: string;
}

/**
 * Removes all that hangs on a project: the address first, so that no visitor meets half a site,
 * then bytes, what is known of its visitors, then rows, its own row last, so that a crash at any point is taken up again.
 */
export async function removeRemains(deps: RemovalDeps, remains: ProjectRemains): Promise<void> {
  const { projectId, host, claimHash } = remains;
  if (host !== undefined) await deps.projects.releaseHost(host, projectId);
  await deps.content.deletePrefix(projectPrefix(projectId));
  await deps.hits.forget(projectId);
  await deps.projects.removeRows(projectId, claimHash);
}

/** What removing an abandoned upload needs. */
export interface IntentDeps {
  projects: Pick<ProjectStore, 'seizeIntent' | 'endIntent'>;
  content: Pick<ContentStore, 'deletePrefix'>;
}

/**
 * Removes the bytes of an abandoned upload, then its row: while that stands, they are found again.
 * False when it became a version, however late this looks.
 */
export async function removeIntent(
  deps: IntentDeps,
  projectId: ProjectId,
  store: StoreId,
  now: Date,
): Promise<boolean> {
  if (!(await deps.projects.seizeIntent({ projectId, store }, now))) return false;
  await removeStored(deps, projectId, store);
  return true;
}

/** The rest of it, where nothing can make it a version any more. */
export async function removeStored(
  deps: { projects: Pick<ProjectStore, 'endIntent'>; content: IntentDeps['content'] },
  projectId: ProjectId,
  store: StoreId,
): Promise<void> {
  await deps.content.deletePrefix(storePrefix(projectId, store));
  await deps.projects.endIntent({ projectId, store });
}

/**
 * The index lags, a claim may come in the last second, and so may a deletion that can be taken
 * back: the project's own row decides.
 */
async function removeDue(deps: SweepDeps, projectId: ProjectId, now: Date): Promise<boolean> {
  const project = await deps.projects.get(projectId);
  if (project === undefined) return false;
  const isTaken =
    project.removingAt === null
      ? deps.owned.beginRemoval(removalWhenDue(project, now))
      : deps.projects.isRemovalDue(projectId, now);
  if (!(await isTaken)) return false;
  await removeRemains(deps, { projectId, claimHash: project.claimHash });
  return true;
}
