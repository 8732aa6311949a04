import type { AccountId, DomainId, ProjectId } from '../../../contract/fields.ts';
import type { HitRemoval } from '../../analytics/ports.ts';
import { projectPrefix, type StoreKey } from '../../content/content-keys.ts';
import type {
  ContentStore,
  DroppedItem,
  EdgeCache,
  KeptCertificate,
  NoticeKey,
  ProjectStore,
} from '../../ports.ts';
import { removeUpload } from '../../uploads/lock-upload.ts';
import { instant } from '../../instants.ts';
import type { UploadArea, UploadStore } from '../../uploads/upload.ts';
import type { LaneKey } from '../../webhooks/webhook.ts';
import type { PlanChecks, PlanCheckTime } from '../history/account-history.ts';
import { forgetEndedPreviews } from '../previews/manage-previews.ts';
import { changeIfPresent } from '../moderation/operator-change.ts';
import { removeDroppedVersion } from '../versions/drop-version.ts';
import { eraseDeadFiles } from '../versions/erase-dead-files.ts';
import type { OwnedProjectStore } from '../owned-projects.ts';
import { removeAbandonedUpload } from './abandoned-upload.ts';
import { byTurns, firstLines, firstNotices } from './by-turns.ts';
import { withinMs } from './processing-places.ts';
import { isEndUnannounced, removalDueAt } from './expiry.ts';
import type { Project } from '../project.ts';
import { removalWhenDue } from './removal.ts';
import {
  dropReserveMs,
  eraseReserveMs,
  planReserveMs,
  type SweepItem,
  sweepPlaces,
} from './sweep-places.ts';

/** Dependencies of removing one project. */
export interface RemovalDeps {
  projects: Pick<
    ProjectStore,
    | 'listDue'
    | 'listDueDrops'
    | 'get'
    | 'isRemovalDue'
    | 'seizeIntent'
    | 'deleteIntent'
    | 'deletePurge'
    | 'releaseHost'
    | 'removeRows'
    | 'listVersions'
    | 'getVersion'
    | 'getDroppedVersion'
    | 'deleteDroppedVersion'
    | 'postponeDrop'
    | 'scheduleErasure'
    | 'packsToErase'
    | 'endErasure'
    | 'listDroppedVersions'
  >;
  content: Pick<ContentStore, 'get' | 'rewrite' | 'deletePrefix' | 'deleteKeys'>;
  hits: HitRemoval;
}

/** Dependencies of {@link sweep}. */
export interface SweepDeps extends RemovalDeps {
  owned: Pick<OwnedProjectStore, 'beginRemoval' | 'change'>;
  uploads: Pick<UploadStore, 'expire' | 'remove'>;
  area: Pick<UploadArea, 'remove'>;
  edge: EdgeCache;
  /** Mails the owner of a project that it expires in a day. */
  mailExpiry(project: Project, now: Date): Promise<void>;
  /** Continues an upload that a worker is to publish; false for any other upload. */
  resumeUpload(key: StoreKey, now: Date): Promise<boolean>;
  history: Pick<PlanChecks, 'dueChecks'>;
  /** Compares an account with its plan; false when there was nothing to do. */
  settlePlanTime(time: PlanCheckTime, run: { now: Date; isLate(): boolean }): Promise<boolean>;
  /** Removes an account's oldest earlier versions until the rest fits its plan. */
  resumeTrim(accountId: AccountId, now: Date): Promise<void>;
  /** Checks a custom domain and does its next step; false when there was nothing to do. */
  advanceDomain(domainId: DomainId, now: Date): Promise<boolean>;
  removeCertificate(kept: KeptCertificate, now: Date): Promise<boolean>;
  /** Sends a mail that is due, or passes deliveries to their sender; false when there was nothing to do. */
  sendNotice(key: NoticeKey | LaneKey, now: Date): Promise<boolean>;
  /** Called with an item that failed; the others continue. */
  onFailure(item: unknown, error: unknown): void;
}

const nothingDone = {
  projects: 0,
  intents: 0,
  purges: 0,
  notices: 0,
  webhooks: 0,
  drops: 0,
  erasures: 0,
  uploads: 0,
  plans: 0,
  trims: 0,
  domains: 0,
  certificates: 0,
  failures: 0,
};

/** How many items of each kind a sweep processed, and how many failed. */
export type SweepResult = Record<keyof typeof nothingDone, number>;

/**
 * Processes everything that is due: expired and partly removed projects, abandoned uploads, purges,
 * trims. Each kind that strangers can make many of has places of its own, so that none waits for another: the name
 * servers of domains may let us wait, the projects of a closed account or the files of abandoned uploads take a whole run.
 * @param remainingMs when this is 0, the sweep ends, with a failure for what is not done by then
 */
export async function sweep(
  deps: SweepDeps,
  now: Date,
  remainingMs: () => number,
): Promise<SweepResult> {
  const result: SweepResult = { ...nothingDone };
  const process = async (item: SweepItem) => {
    try {
      if (await processItem(deps, item, { now, remainingMs })) result[`${item.kind}s`] += 1;
    } catch (error) {
      result.failures += 1;
      deps.onFailure(item, error);
    }
  };
  const places = sweepPlaces(process, remainingMs);
  const work = async () => {
    const erasures: SweepItem[] = [];
    const [notices, lines] = [firstNotices(), firstLines()];
    // What is due may be more than a run can list: what was found is done, and the next run begins elsewhere.
    const listUntilMs = (remainingMs() * 2) / 3;
    for await (const item of dueItems(deps, now)) {
      if (remainingMs() <= listUntilMs) break;
      if (item.kind === 'erasure') erasures.push(item);
      else if (item.kind === 'notice') notices.add(item);
      else if (item.kind === 'webhook') lines.add(item);
      else places.enqueue(item);
    }
    for (const item of [...notices.inOrder(), ...lines.inOrder()]) places.enqueue(item);
    await places.urgentDone();
    // Last: nobody waits for files to go, and a few versions of many files take a whole run.
    // Each kind has half of the time that is left, so that many of one never stop the other.
    const dropsBeginMs = remainingMs() / 2;
    // One after another: each has a whole pack in memory.
    for (const item of erasures) {
      if (remainingMs() <= Math.max(dropsBeginMs, eraseReserveMs)) break;
      await places.lastOnes.take(item);
      await places.lastOnes.allDone();
    }
    for (const item of byTurns(await firstDrops(deps, now), (drop) => drop.projectId)) {
      if (remainingMs() <= dropReserveMs) break;
      await places.lastOnes.take(item);
    }
    await places.allDone();
  };
  await withinMs(work(), remainingMs());
  for (const item of places.unfinished()) {
    result.failures += 1;
    deps.onFailure(item, new Error('it was not finished when the run ended'));
  }
  // A copy: items that finish after this are not counted.
  return { ...result };
}

/** The dropped versions that a run begins with, in memory at once. There may be any number. */
const maxDrops = 2000;

async function firstDrops({ projects }: SweepDeps, now: Date): Promise<DroppedItem[]> {
  const first: DroppedItem[] = [];
  for await (const item of projects.listDueDrops(now)) {
    first.push(item);
    if (first.length === maxDrops) break;
  }
  return first;
}

async function* dueItems({ projects, history }: SweepDeps, now: Date): AsyncGenerator<SweepItem> {
  // Plans first: the projects of a closed account must go offline, whatever else is due.
  for await (const time of history.dueChecks(now)) yield { kind: 'plan', ...time };
  yield* projects.listDue(now);
}

interface SweepTime {
  now: Date;
  remainingMs: () => number;
}

/** Returns false when there was nothing left to do. */
async function processItem(deps: SweepDeps, item: SweepItem, time: SweepTime): Promise<boolean> {
  if ('projectId' in item) return processProjectItem(deps, item, time);
  const { now, remainingMs } = time;
  switch (item.kind) {
    case 'notice':
    case 'webhook':
      return deps.sendNotice(item, now);
    case 'upload':
      return removeUpload(deps, item.uploadId, now);
    case 'plan':
      return deps.settlePlanTime(
        { accountId: item.accountId, dueAt: item.dueAt },
        { now, isLate: () => remainingMs() <= planReserveMs },
      );
    case 'trim':
      await deps.resumeTrim(item.accountId, now);
      return true;
    case 'domain':
      return deps.advanceDomain(item.domainId, now);
    case 'certificate':
      return deps.removeCertificate({ name: item.name, arn: item.arn }, now);
  }
}

async function processProjectItem(
  deps: SweepDeps,
  item: Extract<SweepItem, { projectId: ProjectId }>,
  { now, remainingMs }: SweepTime,
): Promise<boolean> {
  const { projectId } = item;
  switch (item.kind) {
    case 'erasure':
      return eraseDeadFiles(deps, projectId, now, () => remainingMs() <= eraseReserveMs);
    case 'notice':
      return deps.sendNotice(item, now);
    case 'drop': {
      const time = { now, isLate: () => remainingMs() <= dropReserveMs };
      await removeDroppedVersion(deps, projectId, item.version, time);
      await forgetEndedPreviews(deps, projectId, now);
      return true;
    }
    case 'project':
      return removeDueProject(deps, projectId, now);
    case 'intent':
      return processIntent(deps, item, now);
    case 'purge':
      await deps.edge.purge(projectId);
      await deps.projects.deletePurge(projectId, now);
      return true;
  }
}

async function processIntent(deps: SweepDeps, key: StoreKey, now: Date): Promise<boolean> {
  const { projectId, store } = key;
  return (
    (await deps.resumeUpload({ projectId, store }, now)) ||
    removeAbandonedUpload(deps, projectId, store, now)
  );
}

/** The known facts about a project whose data is to be removed completely. */
export interface ProjectRemains {
  projectId: ProjectId;
  host?: string;
  claimHash?: string;
}

/**
 * Removes everything of a project. Order matters: the address first, so that no visitor sees half a
 * site, then files, statistics and rows. Its own row is last, so that the sweep finds it after a crash.
 */
export async function removeProjectData(deps: RemovalDeps, remains: ProjectRemains): Promise<void> {
  const { projectId, host, claimHash } = remains;
  if (host !== undefined) await deps.projects.releaseHost(host, projectId);
  await deps.content.deletePrefix(projectPrefix(projectId));
  await deps.hits.removeHits(projectId);
  await deps.projects.removeRows(projectId, claimHash);
}

/**
 * The index is eventually consistent, and the project may be claimed, or deleted with a chance to
 * restore it, in the last second. So the project's own row decides. Its end is announced a day before.
 */
async function removeDueProject(
  deps: SweepDeps,
  projectId: ProjectId,
  now: Date,
): Promise<boolean> {
  const project = await deps.projects.get(projectId);
  if (project === undefined) return false;
  const removalAt = removalDueAt(project) ?? '';
  if (project.removingAt === null && isEndUnannounced(project) && removalAt > instant(now)) {
    let announced: Project | undefined;
    await changeIfPresent({ ...deps, now: () => now }, projectId, (found) => {
      announced = isEndUnannounced(found) ? found : undefined;
      const { expiresAt, updatedAt } = found;
      // Its owner changed nothing.
      return announced && { announcedEnd: expiresAt ?? undefined, updatedAt };
    });
    if (announced !== undefined) await deps.mailExpiry(announced, now);
    return true;
  }
  const isRemovable =
    project.removingAt === null
      ? deps.owned.beginRemoval(removalWhenDue(project, now))
      : deps.projects.isRemovalDue(projectId, now);
  if (!(await isRemovable)) return false;
  await removeProjectData(deps, { projectId, claimHash: project.claimHash });
  return true;
}
