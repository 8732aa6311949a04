import type { AccountCaller } from '../caller.ts';
import { newStoreId, type StoreId, storePrefix } from '../content/content-keys.ts';
import type { PreparedUpload } from '../content/prepare-upload.ts';
import { CodedError } from '../errors.ts';
import { instant, plusSeconds } from '../instants.ts';
import type { ContentStore, ProjectStore } from '../ports.ts';
import { handOut, type JobQueue, jobSeconds, needsWorker } from '../uploads/job.ts';
import type { OpenUploadDeps } from '../uploads/open-upload.ts';
import type { LargeUpload } from '../uploads/upload.ts';
import { type AnyUpload, withUpload } from '../uploads/with-upload.ts';
import { type Manifest, placeIn } from '../visit/manifest.ts';
import type { Next } from './change.ts';
import { type ChangeProjectDeps, changeProject, type Met } from './change-project.ts';
import { deploymentOf, toldOf } from './deployment.ts';
import { failingAsUpload } from './failing-as-upload.ts';
import { surplusVersions, withFiles } from './kept-versions.ts';
import { type KnownFiles, knownFiles } from './known-files.ts';
import { ownedProject } from './owned-project.ts';
import type { Project, Version } from './project.ts';
import { chargeOf, checkCharge, limitsOf } from './quota.ts';
import { beginStoring, type StoredVersion, storeVersion } from './store-version.ts';
import { removeIntent } from './sweep.ts';
import { uploadLimits } from './upload-limits.ts';

/** What pushing a version needs. */
export interface PushDeps extends ChangeProjectDeps {
  projects: ProjectStore;
  content: ContentStore;
}

/** What replacing files needs. */
export interface ReplaceFilesDeps extends PushDeps, OpenUploadDeps {
  jobs: JobQueue;
  addresses: { siteUrl(host: string): string };
}

/** New content for a project. */
export interface Replacement extends AnyUpload {
  projectId: string;
  /** The live version that the caller means to replace. */
  expectedVersion?: number | undefined;
}

/**
 * Publishes an upload as a new version of the caller's project, in one step for visitors. Content
 * that is live already makes no new version.
 * @throws CodedError those of prepareUpload and changeProject; VERSION_CONFLICT; UPLOAD_FAILED when storing fails
 */
export async function replaceFiles(
  deps: ReplaceFilesDeps,
  caller: AccountCaller,
  input: Replacement,
) {
  const found = await ownedProject(deps.projects, caller, input.projectId);
  checkExpected(found, input.expectedVersion);
  const limits = limitsOf(deps.plans, caller.account, deps.now());
  const { version, told } = await withUpload(
    deps,
    caller,
    { input, limits: uploadLimits(limits) },
    async ({ upload, large }) => {
      if (large !== undefined && needsWorker(upload)) {
        checkCharge(chargeOf(found, { ...found, bytes: upload.bytes }, limits), caller.account);
        const version = await accept(deps, caller, { input, large });
        return { result: { version, told: {} }, publishedAs: undefined };
      }
      const push = { project: found, upload, expectedVersion: input.expectedVersion };
      const { project, told } = await failingAsUpload(caller, () =>
        pushVersion(deps, caller, push),
      );
      return { result: { version: project.version, told }, publishedAs: project.id };
    },
  );
  return { ...deploymentOf(version), url: deps.addresses.siteUrl(found.host), ...told };
}

/** The version has its number at once, and goes live when a worker has stored it. */
async function accept(
  deps: ReplaceFilesDeps,
  caller: AccountCaller,
  { input, large }: { input: Replacement; large: LargeUpload },
): Promise<number> {
  const { requestId, account } = caller;
  const { expectedVersion, zipIndexHtmlPath, asFileBundle } = input;
  const { uploadId } = large;
  const store = newStoreId();
  const project = await changeProject(deps, caller, input.projectId, ({ project, live, now }) => {
    checkExpected(project, expectedVersion);
    const number = project.lastVersion + 1;
    const job = { kind: 'push', uploadId, accountId: account.id, number, requestId } as const;
    const begins = {
      projectId: project.id,
      store,
      startedAt: instant(now),
      sweepAt: instant(plusSeconds(now, jobSeconds)),
      job: { ...job, expectedVersion, zipIndexHtmlPath, asFileBundle },
    };
    return { fields: { lastVersion: number }, live, begins };
  });
  await handOut(deps, { projectId: project.id, store });
  return project.lastVersion;
}

/** An upload on its way to become a project's next version. */
export interface Push {
  project: Project;
  upload: PreparedUpload;
  expectedVersion?: number | undefined;
  /** Where its intent stands already, and the number that it was promised. */
  accepted?: { store: StoreId; number: number };
  onStored?(file: { size: number }): void;
}

/** Stores an upload and makes it the live version; gives the project as it is then, and what its owner is told. */
export async function pushVersion(
  deps: PushDeps,
  caller: AccountCaller,
  push: Push,
): Promise<{ project: Project; told: ReturnType<typeof toldOf> }> {
  const { id } = push.project;
  const { accepted } = push;
  const store = accepted?.store ?? (await beginStoring(deps, id, deps.now()));
  const target = { projectId: id, store };
  let stored: StoredVersion | undefined;
  let isKept = false;
  try {
    const project = await changeProject(deps, caller, id, async (met) => {
      checkExpected(met.project, push.expectedVersion);
      const kept = await withFiles(deps.content, id, await deps.projects.versions(id));
      const known = knownFiles(kept);
      if (stored === undefined || !stillHeld(stored, known)) {
        // What was stored before may be found elsewhere now, and would belong to no version.
        if (stored !== undefined) await deps.content.deletePrefix(storePrefix(id, store));
        stored = await storeVersion(deps.content, target, push.upload, { ...push, known });
      }
      const live = kept.find(({ version }) => version === met.project.version);
      const isLive = accepted === undefined && live !== undefined && isSame(live, stored);
      const wanted = isLive ? undefined : next(met, { stored, number: accepted?.number }, kept);
      isKept = wanted !== undefined;
      return wanted;
    });
    if (!isKept) await withdraw(deps, target);
    return { project, told: stored === undefined ? {} : toldOf(stored) };
  } catch (error) {
    // Of another failure nobody knows whether the version went live: its intent tells the sweep.
    if (error instanceof CodedError) await withdraw(deps, target);
    throw error;
  }
}

function next(
  { project, live, limits, now }: Met,
  {
    stored,
    number = project.lastVersion + 1,
  }: { stored: StoredVersion; number?: number | undefined },
  kept: readonly (Version & { files: Manifest })[],
): Omit<Next, 'limits'> | undefined {
  const { files: _, ...content } = stored;
  const lastVersion = Math.max(project.lastVersion, number);
  const createdAt = instant(now);
  const { type, bytes, fileCount } = stored;
  const adds: Version = { ...content, version: number, createdAt };
  // A worker may end after a push that was asked for later: that one stays live.
  const isOvertaken = number < project.version;
  const fields = { type, bytes, fileCount, version: number, lastVersion, publishedAt: createdAt };
  // Newer state than `met` may have the same number already; this change is lost then.
  const others = kept.filter(({ version }) => version !== number).map(asStored);
  const leaving = surplusVersions(
    isOvertaken ? [...others.filter(({ version }) => version !== project.version), adds] : others,
    limits.versionsKept,
  );
  // Newer ones fill the history already.
  if (leaving.includes(adds)) return undefined;
  return {
    ...(isOvertaken ? { fields: { lastVersion }, live } : { fields, live: adds }),
    adds,
    pruned: leaving,
  };
}

/** A row has room for a manifest as it is stored, not for one that was read. */
function asStored(kept: Version & { files: Manifest }): Version {
  const { files: _, ...version } = kept;
  return version;
}

/** Whether every file that was not stored again still stands where it was found. */
function stillHeld({ store, files }: StoredVersion, known: KnownFiles): boolean {
  for (const [path, entry] of files) {
    if (entry.kept !== undefined && !known.holds(placeIn(store, path, entry))) return false;
  }
  return true;
}

/** Whether two versions give visitors the same. */
function isSame(
  live: Pick<Version, 'type' | 'home' | 'rules'> & { files: Manifest },
  stored: StoredVersion,
): boolean {
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

function checkExpected({ version }: Project, expected: number | undefined): void {
  if (expected === undefined || expected === version) return;
  throw new CodedError('VERSION_CONFLICT', {
    error: `\`expectedVersion\` is ${expected}; version ${version} is live.`,
  });
}

/** What the sweep would find too, removed at once. */
async function withdraw(
  deps: PushDeps,
  { projectId, store }: Pick<StoredVersion, 'store'> & { projectId: Project['id'] },
): Promise<void> {
  try {
    await removeIntent(deps, projectId, store, deps.now());
  } catch (error) {
    deps.onFailure({ kind: 'intent', projectId, store }, error);
  }
}
