import type { AccountCaller } from '../../caller.ts';
import type { StoreId } from '../../content/content-keys.ts';
import type { PreparedUpload } from '../../content/prepare-upload.ts';
import { CodedError } from '../../errors.ts';
import { instant } from '../../instants.ts';
import type { ContentStore, ProjectStore } from '../../ports.ts';
import type { AccountHistory } from '../history/account-history.ts';
import type { Next } from '../settings/change.ts';
import { type ChangeProjectDeps, changeProject, type Met } from '../settings/change-project.ts';
import { toldOf } from './deployment.ts';
import { type ReadVersion, surplusVersions, withFiles, withManifest } from './kept-versions.ts';
import { holdHistory, trialEnd } from '../history/hold-history.ts';
import { knownFiles } from '../publishing/known-files.ts';
import type { Merge } from './merge-files.ts';
import { storeMerged } from './merged-version.ts';
import type { Project, Version } from '../project.ts';
import { historyOf } from '../history/project-history.ts';
import { storingOnce } from '../publishing/store-once.ts';
import { beginStoring, type StoredVersion } from '../publishing/store-version.ts';
import type { OwnStore } from '../publishing/own-store.ts';
import { removeIntent } from '../removal/sweep.ts';

/** What pushing a version needs. */
export interface PushDeps extends ChangeProjectDeps {
  projects: ProjectStore;
  history: AccountHistory;
  content: ContentStore;
}

/** Content on its way to become a project's next version: an upload, or files that go into the live one. */
export type Push = {
  project: Project;
  expectedVersion?: number | undefined;
} & (
  | {
      upload: PreparedUpload;
      merge?: undefined;
      /** Where its intent stands already, and the number that it was promised. */
      accepted?: { store: StoreId; number: number } | undefined;
      onStored?(file: { size: number }): void;
    }
  | { merge: Merge; accepted?: undefined }
);

/** A project as it is after a push, and what its owner is told of the version. */
export interface Pushed {
  project: Project;
  told: ReturnType<typeof toldOf>;
}

/**
 * Stores content and makes it the live version. What the account's earlier versions hold above its
 * plan leaves afterwards.
 */
export async function pushVersion(
  deps: PushDeps,
  caller: AccountCaller,
  push: Push,
): Promise<Pushed> {
  const { id } = push.project;
  const { accepted } = push;
  const store = accepted?.store ?? (await beginStoring(deps, id, deps.now()));
  const target = { projectId: id, store };
  const storeOver =
    push.merge === undefined ? replacing(deps, target, push) : merging(deps, target, push.merge);
  let told = {};
  let before: Project | undefined;
  try {
    const project = await changeProject(deps, caller, id, async (met) => {
      checkExpected(met.project, push.expectedVersion);
      const kept = await deps.projects.versions(id);
      const { live, stored } = await storeOver(met, kept);
      told = toldOf(stored);
      const isLive = accepted === undefined && live !== undefined && isSame(live, stored);
      const wanted = isLive ? undefined : next(met, { stored, number: accepted?.number }, kept);
      before = wanted === undefined ? undefined : met.project;
      // With its first earlier version: at the trial's end there is something to compare.
      const isFirst = met.project.history.versions === 0;
      const planCheckAt = isFirst ? trialEnd(caller.account, met.now) : undefined;
      return wanted && { ...wanted, planCheckAt };
    });
    if (before === undefined) await withdraw(deps, target);
    else await holdHistory(deps, caller.account.id, { before, after: project });
    return { project, told };
  } catch (error) {
    // Of another failure nobody knows whether the version went live: its intent tells the sweep.
    if (error instanceof CodedError) await withdraw(deps, target);
    throw error;
  }
}

/** Stores what a push makes of one state of its project; that of an earlier state is stored already. */
type StoreOver = (
  met: Met,
  kept: readonly Version[],
) => Promise<{ live: ReadVersion | undefined; stored: StoredVersion }>;

function replacing(
  { content }: PushDeps,
  target: OwnStore,
  push: Extract<Push, { upload: PreparedUpload }>,
): StoreOver {
  const storeOnce = storingOnce(content, target, push);
  return async ({ project }, versions) => {
    const kept = await withFiles(content, target.projectId, versions);
    const stored = await storeOnce(push.upload, knownFiles(kept));
    return { live: kept.find(({ version }) => version === project.version), stored };
  };
}

/** Of the other versions nothing is read: they may be a hundred, with 20,000 files each. */
function merging({ content }: PushDeps, target: OwnStore, merge: Merge): StoreOver {
  const storeOnce = storingOnce(content, target);
  return async (met) => {
    const live = await withManifest(content, target.projectId, met.live);
    const stored = await storeMerged({ content, storeOnce }, target, {
      live,
      merge,
      limits: met.limits,
    });
    return { live, stored };
  };
}

function next(
  { project, live, limits, now }: Met,
  {
    stored,
    number = project.lastVersion + 1,
  }: { stored: StoredVersion; number?: number | undefined },
  kept: readonly Version[],
): Omit<Next, 'limits'> | undefined {
  const { files: _, ...content } = stored;
  const lastVersion = Math.max(project.lastVersion, number);
  const createdAt = instant(now);
  const { type, bytes, fileCount } = stored;
  const adds: Version = { ...content, version: number, createdAt };
  // A worker may end after a push that was asked for later: that one stays live.
  const isOvertaken = number < project.version;
  const asLive = { type, bytes, fileCount, version: number, publishedAt: createdAt };
  // Newer state than `met` may have the same number already; this change is lost then.
  const others = kept.filter(({ version }) => version !== number);
  const leaving = surplusVersions(
    isOvertaken ? [...others.filter(({ version }) => version !== project.version), adds] : others,
    limits.versionsKept,
  );
  // Newer ones fill the history already.
  if (leaving.includes(adds)) return undefined;
  const staying = [...others.filter((one) => !leaving.includes(one)), adds];
  const history = historyOf(staying, isOvertaken ? project.version : number);
  const fields = { ...(isOvertaken ? {} : asLive), lastVersion, history };
  return { fields, live: isOvertaken ? live : adds, adds, pruned: leaving };
}

/** Whether two versions give visitors the same. */
function isSame(live: ReadVersion, stored: StoredVersion): boolean {
  if (live.type !== stored.type || live.home !== stored.home) return false;
  // Of a version from before rules were read there are none.
  if ((live.rules === undefined) !== (stored.rules === undefined)) return false;
  if (live.files.size !== stored.files.size) return false;
  for (const [path, { size, hash }] of stored.files) {
    const entry = live.files.get(path);
    if (entry === undefined || entry.size !== size || entry.hash !== hash) return false;
  }
  return true;
}

/**
 * Refuses a change that was made from another version than the live one.
 * @throws CodedError VERSION_CONFLICT
 */
export function checkExpected({ version }: Project, expected: number | undefined): void {
  if (expected === undefined || expected === version) return;
  throw new CodedError('VERSION_CONFLICT', {
    error: `\`expectedVersion\` is ${expected}; version ${version} is live.`,
  });
}

/** What the sweep would find too, removed at once. */
async function withdraw(deps: PushDeps, { projectId, store }: OwnStore): Promise<void> {
  try {
    await removeIntent(deps, projectId, store, deps.now());
  } catch (error) {
    deps.onFailure({ kind: 'intent', projectId, store }, error);
  }
}
