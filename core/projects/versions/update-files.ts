import type { IncludeHidden } from '../../content/left-out/sift-paths.ts';
import { workPool } from '../publishing/work-pool.ts';
import type { ProjectId, UploadedFile } from '../../../contract/fields.ts';
import type { PublishingCaller } from '../../caller.ts';
import { textsOf } from '../../content/describe-content.ts';
import { filesByCheckedPath } from '../../content/prepare-upload.ts';
import type { StoredUpload } from '../../content/prepare-stored-upload.ts';
import { normalPath, quoted } from '../../content/safe-path.ts';
import { CodedError, invalidField } from '../../errors.ts';
import { countPublication } from '../../limits/count-publication.ts';
import type { RequestLimitDeps } from '../../limits/counters.ts';
import type { LockUploadDeps } from '../../uploads/lock-upload.ts';
import { mapToUploadFailed } from '../../uploads/upload-failed.ts';
import { withLockedUpload } from '../../uploads/with-upload.ts';
import type { FileMerge } from './merge-files.ts';
import type { Project } from '../project.ts';
import { requireOwnedProject } from '../owned-projects.ts';
import { type PushedSettings, pushedSettings } from './pushed-settings.ts';
import { checkExpectedVersion, pushVersion } from './push-version.ts';
import { effectiveLimits } from '../quota.ts';
import { replaceProjectFiles, type ReplaceFilesDeps, describePush } from './replace-files.ts';
import { fetchPictures, type PictureChoice, pictureRoom } from '../publishing/take-pictures.ts';
import { uploadLimits } from '../publishing/upload-limits.ts';

/** A change of a project's files. */
export interface FileUpdate extends PushedSettings, PictureChoice {
  projectId: string;
  files?: readonly UploadedFile[] | undefined;
  /** An upload in storage in place of `files`; only with `merge`. */
  uploadId?: string | undefined;
  /** Paths of the live version; only with `merge`. */
  delete?: readonly string[] | undefined;
  /** Whether the files go into the live version, or take its place. */
  mode: 'merge' | 'replace';
  /** Whether files are published even if they seem to contain keys. */
  allowSecrets?: boolean | undefined;
  /** The live version that the change was made from. */
  expectedVersion?: number | undefined;
  /** Keeps the new version beside the live one, for a preview. */
  draft?: boolean | undefined;
  /** What the caller says about the new version. */
  note?: string | undefined;
  /** Publishes hidden files and what an ignore file names too. */
  includeHidden?: IncludeHidden | undefined;
}

/**
 * Publishes a new version with some files of the live one added, replaced or removed, or with all
 * of them replaced. A merge applies to the version that is live when it is written, even if others
 * change the project meanwhile. Content that is live already creates no new version: an agent that
 * repeats a call must not prune versions.
 * @throws CodedError INVALID_REQUEST; those of planMerge and replaceProjectFiles
 */
export async function changeProjectFiles(
  deps: ReplaceFilesDeps,
  caller: PublishingCaller,
  { files = [], delete: paths = [], mode, ...input }: FileUpdate,
) {
  if (mode === 'merge') return mergeFiles(deps, caller, { ...input, files, paths });
  if (paths.length > 0) {
    throw invalidUpdate('delete', '`delete` goes with the mode `merge`; `replace` keeps no file');
  }
  if (files.length === 0) throw invalidUpdate('files', '`files` has to hold at least one file');
  return replaceProjectFiles(deps, caller, {
    ...input,
    files,
    skipsIdentical: true,
    hasExactPaths: true,
  });
}

async function mergeFiles(
  deps: ReplaceFilesDeps,
  caller: PublishingCaller,
  input: MergeRequest &
    Pick<FileUpdate, 'expectedVersion' | 'draft' | 'note' | 'takePictures'> &
    PushedSettings,
) {
  // Checked first, so that a refused request reads no file of the upload.
  const project = await requireOwnedProject(deps.projects, caller, input.projectId);
  const { expectedVersion, draft, note } = input;
  checkExpectedVersion(project, expectedVersion);
  const settings = pushedSettings(input);
  return withMerge(deps, caller, input, async (merge) => {
    requireChange(merge);
    const whole =
      input.takePictures === true ? await mergeWithPictures(deps, caller, project, merge) : merge;
    const push = {
      project,
      merge: whole,
      expectedVersion,
      draft,
      note,
      settings,
      skipsIdentical: true,
    };
    return describePush(deps, await pushVersion(deps, caller, push));
  });
}

/** A merge with the pictures that its Markdown files show from other sites. */
async function mergeWithPictures(
  deps: ReplaceFilesDeps,
  caller: PublishingCaller,
  { type, fileCount, bytes }: Project,
  merge: FileMerge,
): Promise<FileMerge> {
  // Nobody sees Markdown set in a site.
  if (type === 'html' || type === 'zip') return merge;
  const sent = Array.from(merge.sent, ([path, { length: size }]) => ({ path, size }));
  const added = sent.reduce((sum, { size }) => sum + size, bytes);
  const size = { fileCount: fileCount + sent.length, bytes: added, replacedBytes: bytes };
  const taken = await fetchPictures(deps, caller, {
    texts: textsOf({ files: sent, look: async (path) => merge.sent.get(path) }),
    has: (path) => merge.sent.has(path),
    room: pictureRoom(deps, caller, size),
    by: 'request',
  });
  const pictures = taken.files.map(({ path, bytes: content }) => [path, content] as const);
  const warnings = [...(merge.warnings ?? []), ...taken.warnings];
  return { ...merge, sent: new Map([...merge.sent, ...pictures]), warnings };
}

/** A merge before its files are read. */
export interface MergeRequest
  extends Pick<FileUpdate, 'projectId' | 'uploadId' | 'allowSecrets' | 'includeHidden'> {
  files: readonly UploadedFile[];
  paths: readonly string[];
}

/**
 * Reads and checks the files of a merge, in the request or in storage, and passes them to `use`.
 * @throws CodedError INVALID_REQUEST; those of filesByCheckedPath and lockUpload; what `use` throws
 */
export async function withMerge<T extends { projectId: ProjectId }>(
  deps: RequestLimitDeps & LockUploadDeps,
  caller: PublishingCaller,
  input: MergeRequest,
  use: (merge: FileMerge) => Promise<T>,
): Promise<T> {
  await countPublication(deps, caller);
  const limits = effectiveLimits(deps.plans, caller.account, deps.now());
  const deleted = [...new Set(input.paths.map(normalPath))];
  const merge = async (files: readonly UploadedFile[]) => {
    const kept = await filesByCheckedPath(files, input, uploadLimits(limits));
    const both = deleted.find((path) => kept.sent.has(path));
    if (both !== undefined)
      throw invalidUpdate('delete', `${quoted(both)} is both sent and deleted`);
    return mapToUploadFailed(caller, () =>
      use({ ...kept, deleted, allowSecrets: input.allowSecrets }),
    );
  };
  if (input.uploadId === undefined) return merge(input.files);
  // Merging the same files again makes no new version.
  const wanted = { uploadId: input.uploadId, isRepeatable: true };
  return withLockedUpload(deps, caller, wanted, async ({ fileCount, bytes }, stored) => {
    const files = await mapToUploadFailed(caller, () => readStoredFiles(stored));
    const result = await merge(files);
    return { result, published: { projectId: result.projectId, fileCount, bytes } };
  });
}

/** A merge has its files in memory. Bytes. */
const maxMergedBytes = 100 * 1024 * 1024;
/** Small files come one by one from storage, and the request has 29 seconds for all. */
const readsAtOnce = 16;

/**
 * The files of an upload in storage, under the names that it was announced with.
 * @throws CodedError INVALID_REQUEST for an archive, PAYLOAD_TOO_LARGE
 */
async function readStoredFiles({ kind, files }: StoredUpload): Promise<UploadedFile[]> {
  if (kind === 'archive') {
    throw invalidField(
      'uploadId',
      'this upload is an archive, which is not unpacked into single files',
      {
        nextStep:
          'Begin an upload of `files`, or replace all files with PUT /v1/projects/{projectId}.',
      },
    );
  }
  const bytes = files.reduce((sum, { source }) => sum + source.size, 0);
  if (bytes > maxMergedBytes) {
    throw new CodedError('PAYLOAD_TOO_LARGE', {
      error: `The upload has ${bytes} bytes; one change of single files can have at most ${maxMergedBytes}.`,
      nextStep:
        'Change fewer files at once, or replace all files with PUT /v1/projects/{projectId}.',
    });
  }
  const read: UploadedFile[] = [];
  const pool = workPool({ count: readsAtOnce, bytes: maxMergedBytes });
  for (const [index, { path, source }] of files.entries()) {
    await pool.add(source.size, async () => {
      const content = source.size === 0 ? new Uint8Array() : await source.read(0, source.size - 1);
      read[index] = { name: path, contentType: '', bytes: content };
    });
  }
  await pool.settled();
  return read;
}

function requireChange({ sent, deleted, warnings = [] }: FileMerge): void {
  if (sent.size > 0 || deleted.length > 0) return;
  const nothing = 'there is nothing to do: send `files`, or paths to `delete`';
  throw invalidUpdate('files', warnings[0]?.message ?? nothing);
}

function invalidUpdate(field: 'files' | 'delete', message: string): CodedError {
  return new CodedError('INVALID_REQUEST', {
    error: `The files were not changed: ${message}.`,
    details: [{ path: field, message }],
  });
}
