import type { PublishingCaller } from '../../caller.ts';
import type { StoreId, StoreKey } from '../../content/content-keys.ts';
import type { PreparedUpload } from '../../content/prepare-upload.ts';
import { CodedError } from '../../errors.ts';
import { instant } from '../../instants.ts';
import type { Counters } from '../../limits/counters.ts';
import { type WrittenBytes, writtenBytes } from '../../limits/written-bytes.ts';
import type { ContentStore, ProjectStore } from '../../ports.ts';
import type { AccountHistory } from '../history/account-history.ts';
import type { NextProjectState } from '../change/project-change.ts';
import {
  type ChangeProjectDeps,
  changeProject,
  type ProjectSnapshot,
} from '../change/change-project.ts';
import {
  isSameContent,
  type VersionWithFiles,
  surplusVersions,
  loadVersionFiles,
  readKeptFiles,
} from './kept-versions.ts';
import { enforceHistoryLimit } from '../history/history-limit.ts';
import type { FileMerge, FolderMerge } from './merge-files.ts';
import { type PushedSettings, pushedSettings, settingsAlone } from './pushed-settings.ts';
import { type AssetRetention, assetRetention } from './retain-assets.ts';
import { storeMergedVersion } from './store-merged-version.ts';
import { type Project, type Version, warningsOf } from '../project.ts';
import { summarizeHistory } from '../history/project-history.ts';
import {
  beginStoring,
  removeManifests,
  reusableStore,
  type UnpublishedVersion,
  withoutFiles,
} from '../publishing/store-version.ts';
import { requireWaiting, withoutPush } from './waiting-pushes.ts';
import { unlessRemoved } from '../owned-projects.ts';
import { discardUpload } from '../removal/abandoned-upload.ts';
import type { UploadId } from '../../uploads/upload.ts';

/** The dependencies for pushing a version. */
export interface PushDeps extends ChangeProjectDeps {
  projects: ProjectStore;
  history: AccountHistory;
  content: ContentStore;
  counters: Pick<Counters, 'count'>;
}

/**
 * Content for a project's next version: a whole upload, or a merge into the live version. A merge that a worker stores
 * becomes live whatever was published meanwhile, because it has those files too; so its number is the next one then.
 */
export type Push = {
  project: Project;
  expectedVersion?: number | undefined;
  /** Keeps the new version beside the live one, which stays live. */
  draft: boolean | undefined;
  note?: Version['note'];
  /** Change with the live version, in one step for visitors; never with `draft`. */
  settings?: PushedSettings | undefined;
  /** Set by a worker: the store of its intent, and the version number that the request returned. */
  queued?: { store: StoreId; number: number } | undefined;
  onStored?(file: { size: number }): void;
} & IdenticalContent &
  ({ upload: PreparedUpload; merge?: undefined } | { merge: FileMerge | FolderMerge });

/** How a push treats content that is live already. */
export interface IdenticalContent {
  /** Creates no version for it. Never with `queued`: the number of that version is taken. */
  skipsIdentical?: boolean | undefined;
}

/** A project after a push, and the warnings about the version. */
export interface PushResult extends Pick<Version, 'warnings'> {
  project: Project;
  /** The new version if it is a draft. */
  draft?: Version | undefined;
  /** The upload from which a worker makes the version later. */
  uploadId?: UploadId;
}

/**
 * Stores content and makes it the live version, also content that is live already unless
 * `skipsIdentical` is set. Afterwards it prunes earlier versions of the account that exceed its
 * plan.
 * @throws CodedError RATE_LIMITED
 */
export async function pushVersion(
  deps: PushDeps,
  caller: PublishingCaller,
  push: Push,
): Promise<PushResult> {
  const { id } = push.project;
  const { queued } = push;
  const store = queued?.store ?? (await beginStoring(deps, id, deps.now()));
  const target = { projectId: id, store };
  const counted = { ...target, written: writtenBytes(deps, caller, 'stored') };
  const storeForSnapshot =
    push.merge === undefined
      ? storeReplacement(deps, counted, push)
      : storeMerge(deps, caller, counted, push);
  let warnings: Pick<Version, 'warnings'> = {};
  let before: Project | undefined;
  let added: Version | undefined;
  const retention = assetRetention(deps.content);
  try {
    const project = await changeProject(deps, caller, id, async (snapshot) => {
      if (queued !== undefined) requireWaiting(snapshot.project, queued.number, undefined);
      checkExpectedVersion(snapshot.project, push.expectedVersion);
      const kept = await deps.projects.listVersions(id);
      const { live, stored } = await storeForSnapshot(snapshot, kept);
      warnings = warningsOf(stored);
      const skips = push.skipsIdentical === true && queued === undefined;
      const isSkipped = skips && live !== undefined && isSameContent(live, stored);
      [added, before] = [undefined, undefined];
      if (isSkipped) return settingsAlone(snapshot, push.settings);
      const isLiveReplaced = await replacesLive(deps, push.merge, snapshot);
      const made = { publishedBy: caller.publishedBy, stored, isLiveReplaced };
      const next = nextState(snapshot, { ...push, ...made }, kept);
      added = next?.adds;
      before = next === undefined ? undefined : snapshot.project;
      const retained =
        next && (await retainAfterPush(retention, snapshot, { push, next, live, stored }));
      return next && { ...next, fields: { ...next.fields, ...retained } };
    });
    if (before === undefined) await discardUpload(deps, target);
    else await enforceHistoryLimit(deps, caller.account.id, { before, after: project });
    return {
      project,
      ...warnings,
      ...(push.draft === true && added !== undefined && { draft: added }),
    };
  } catch (error) {
    // After any other error the version may be live. The sweep decides by its intent.
    if (error instanceof CodedError) await discardUpload(deps, target);
    throw error;
  }
}

/** Retains the assets of the version that is replaced; nothing changes if that version stays live. */
async function retainAfterPush(
  retention: AssetRetention,
  { project, live: current, now }: ProjectSnapshot,
  {
    push: { merge },
    next,
    live,
    stored,
  }: {
    push: Push;
    next: Omit<NextProjectState, 'limits'>;
    live: VersionWithFiles | undefined;
    stored: UnpublishedVersion;
  },
): Promise<Pick<Project, 'retained' | 'retainedLists'>> {
  if (next.live === current) return {};
  const change = { leaving: live, next: stored, deleted: merge?.deleted };
  return retention.retain({ ...project, liveStore: current.store }, change, now);
}

/**
 * Stores the version that a push makes from one state of its project; called again when that state
 * has changed.
 */
type StoreForSnapshot = (
  snapshot: ProjectSnapshot,
  kept: readonly Version[],
) => Promise<{ live: VersionWithFiles | undefined; stored: UnpublishedVersion }>;

/** Where a push stores, and the account's counter of what it writes. */
type CountedTarget = StoreKey & { written: WrittenBytes };

function storeReplacement(
  { content }: PushDeps,
  { written, ...target }: CountedTarget,
  push: Extract<Push, { upload: PreparedUpload }>,
): StoreForSnapshot {
  const storeOnce = reusableStore(content, target, {
    ...push,
    spa: push.settings?.spa ?? push.project.spa,
    written,
  });
  return async ({ project }, versions) => {
    const { live, known } = await readKeptFiles(content, project, versions);
    return { live, stored: await storeOnce(push.upload, known) };
  };
}

/** Reads the live version only: there may be a hundred others, with 20,000 files each. */
function storeMerge(
  { content, projects }: PushDeps,
  caller: PublishingCaller,
  { written, ...target }: CountedTarget,
  push: Extract<Push, { merge: object }>,
): StoreForSnapshot {
  const storeOnce = reusableStore(content, target, { ...push, isPart: true, written });
  const { merge, settings } = push;
  let earlier: UnpublishedVersion | undefined;
  return async (snapshot) => {
    // The earlier attempt lost the race, so no version uses its manifest.
    if (earlier?.manifestHash !== undefined) await removeManifests(content, target);
    const live = await loadVersionFiles(content, target.projectId, snapshot.live).catch(
      unlessRemoved(projects, caller, target.projectId),
    );
    const stored = await storeMergedVersion({ content, storeOnce }, target, {
      live,
      merge,
      limits: snapshot.limits,
      spa: settings?.spa ?? snapshot.project.spa,
      project: snapshot.project,
    });
    earlier = stored;
    return { live, stored };
  };
}

function nextState(
  { project, live, limits, now }: ProjectSnapshot,
  {
    stored,
    queued,
    draft = false,
    settings,
    publishedBy,
    note,
    merge,
    isLiveReplaced,
  }: Pick<Push, 'queued' | 'draft' | 'settings' | 'note' | 'merge'> &
    Pick<Version, 'publishedBy'> & { stored: UnpublishedVersion; isLiveReplaced: boolean },
  kept: readonly Version[],
): Omit<NextProjectState, 'limits'> | undefined {
  const number = numberOf(project, { queued, merge });
  const lastVersion = Math.max(project.lastVersion, number);
  const createdAt = instant(now);
  const { type, bytes, fileCount } = stored;
  // A later push may be published before this worker ends; it stays live.
  const keepsLive = draft || number < project.version;
  const said = { publishedBy, note, draft: keepsLive };
  const adds: Version = { ...withoutFiles(stored), version: number, createdAt, ...said };
  const shown = { type, bytes, fileCount, version: number, publishedAt: createdAt };
  const asLive = { ...shown, ...pushedSettings(settings) };
  // A newer state may have this number already; then this change fails as a lost race.
  const others = kept.filter(({ version }) => version !== number);
  const leaving = isLiveReplaced
    ? others.filter(({ version }) => version === live.version)
    : surplusVersions(
        keepsLive ? [...others.filter(({ version }) => version !== project.version), adds] : others,
        limits.versionsKept,
      );
  if (leaving.includes(adds)) {
    if (draft) throw noRoomForDraft();
    // Newer versions already fill the history.
    return undefined;
  }
  const staying = [...others.filter((one) => !leaving.includes(one)), adds];
  const history = summarizeHistory(staying, keepsLive ? project.version : number);
  const waits = queued && { waitingPushes: withoutPush(project, queued.number) };
  const fields = { ...(keepsLive ? {} : asLive), lastVersion, history, ...waits };
  return { fields, live: keepsLive ? live : adds, adds, pruned: leaving };
}

/**
 * Whether a sender's folder takes the place of the live version, whose files it has too: senders would push the owner's
 * versions out of the history otherwise. A version that a share link shows stays.
 */
async function replacesLive(
  { projects }: Pick<PushDeps, 'projects'>,
  merge: Push['merge'],
  { project, live }: ProjectSnapshot,
): Promise<boolean> {
  if (merge?.folder === undefined || live.publishedBy.kind !== 'link') return false;
  return !(await projects.linkedVersions(project.id)).has(live.version);
}

/** The number of a push's version: the reserved one, unless it has the files of every version before it. */
function numberOf({ lastVersion }: Project, { queued, merge }: Pick<Push, 'queued' | 'merge'>) {
  return merge === undefined && queued !== undefined ? queued.number : lastVersion + 1;
}

/** A plan that keeps only the live version. */
function noRoomForDraft(): CodedError {
  const message = 'needs a plan that keeps more than one version';
  return new CodedError('INVALID_REQUEST', {
    error: `\`draft\` ${message}.`,
    nextStep: 'Publish without `draft`, or upgrade to a larger plan.',
    details: [{ path: 'draft', message }],
  });
}

/**
 * Refuses a change that was made from another version than the live one.
 * @throws CodedError VERSION_CONFLICT
 */
export function checkExpectedVersion({ version }: Project, expected: number | undefined): void {
  if (expected === undefined || expected === version) return;
  throw new CodedError('VERSION_CONFLICT', {
    error: `\`expectedVersion\` is ${expected}; version ${version} is live.`,
  });
}
