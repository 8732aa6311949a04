import type { AccountCaller } from '../caller.ts';
import { type PreparedUpload, prepareUpload, type Upload } from '../content/prepare-upload.ts';
import { CodedError } from '../errors.ts';
import { instant } from '../instants.ts';
import type { ContentStore, ProjectStore } from '../ports.ts';
import { type Manifest, placeIn } from '../visit/manifest.ts';
import { type ChangeProjectDeps, changeProject, type Met } from './change-project.ts';
import { deploymentOf } from './deployment.ts';
import { failingAsUpload } from './failing-as-upload.ts';
import { surplusVersions, withFiles } from './kept-versions.ts';
import { type KnownFiles, knownFiles } from './known-files.ts';
import { ownedProject } from './owned-project.ts';
import type { Project, Version } from './project.ts';
import { limitsOf } from './quota.ts';
import { beginStoring, type StoredVersion, storeVersion } from './store-version.ts';
import { removeIntent } from './sweep.ts';
import { uploadLimits } from './upload-limits.ts';

/** What pushing a version needs. */
export interface ReplaceFilesDeps extends ChangeProjectDeps {
  projects: ProjectStore;
  content: ContentStore;
  addresses: { siteUrl(host: string): string };
}

/** New content for a project. */
export interface Replacement extends Upload {
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
  const upload = await prepareUpload(input, uploadLimits(limits));
  const project = await failingAsUpload(caller, () =>
    pushVersion(deps, caller, { project: found, upload, expectedVersion: input.expectedVersion }),
  );
  const { deploymentId } = deploymentOf(project.version);
  return { deploymentId, url: deps.addresses.siteUrl(project.host) };
}

/** An upload on its way to become a project's next version. */
export interface Push {
  project: Project;
  upload: PreparedUpload;
  expectedVersion?: number | undefined;
  onStored?(file: { size: number }): void;
}

/** Stores an upload and makes it the live version; gives the project as it is then. */
export async function pushVersion(
  deps: ReplaceFilesDeps,
  caller: AccountCaller,
  push: Push,
): Promise<Project> {
  const { id } = push.project;
  const store = await beginStoring(deps, id, deps.now());
  const target = { projectId: id, store };
  let stored: StoredVersion | undefined;
  let isLive = false;
  try {
    const project = await changeProject(deps, caller, id, async (met) => {
      checkExpected(met.project, push.expectedVersion);
      const kept = await withFiles(deps.content, id, await deps.projects.versions(id));
      const known = knownFiles(kept);
      if (stored === undefined || !stillHeld(stored, known)) {
        stored = await storeVersion(deps.content, target, push.upload, { ...push, known });
      }
      const live = kept.find(({ version }) => version === met.project.version);
      isLive = live !== undefined && isSame(live, stored);
      return isLive ? undefined : next(met, stored, kept);
    });
    if (isLive) await withdraw(deps, target);
    return project;
  } catch (error) {
    // Of another failure nobody knows whether the version went live: its intent tells the sweep.
    if (error instanceof CodedError) await withdraw(deps, target);
    throw error;
  }
}

function next({ project, limits, now }: Met, stored: StoredVersion, kept: readonly Version[]) {
  const { files: _, ...content } = stored;
  const number = project.lastVersion + 1;
  const createdAt = instant(now);
  const { type, bytes, fileCount } = stored;
  return {
    fields: {
      ...{ type, bytes, fileCount, version: number, lastVersion: number },
      publishedAt: createdAt,
    },
    live: { ...content, version: number, createdAt },
    isNewVersion: true,
    pruned: surplusVersions(kept, limits.versionsKept),
  };
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
  live: Pick<Version, 'type' | 'home'> & { files: Manifest },
  stored: StoredVersion,
): boolean {
  if (live.type !== stored.type || live.home !== stored.home) return false;
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
  deps: ReplaceFilesDeps,
  { projectId, store }: Pick<StoredVersion, 'store'> & { projectId: Project['id'] },
): Promise<void> {
  try {
    await removeIntent(deps, projectId, store, deps.now());
  } catch (error) {
    deps.onFailure({ kind: 'intent', projectId, store }, error);
  }
}
