import type { RequestPlace } from './job.ts';
import type { ProjectId, UploadedFile, Warnings } from '../../contract/fields.ts';
import type { MaybeAccountCaller } from '../caller.ts';
import { CodedError } from '../errors.ts';
import type { WrittenBytes } from '../limits/written-bytes.ts';
import { instant, plusSeconds } from '../instants.ts';
import { prepareStored, type StoredUpload } from '../content/prepare-stored-upload.ts';
import {
  openSentArchive,
  type PreparedUpload,
  prepareUpload,
  type SentArchive,
  type Upload,
  type UploadLimits,
} from '../content/prepare-upload.ts';
import { bytesSource } from '../content/zip/byte-source.ts';
import {
  lockUpload,
  markPublished,
  publishingSeconds,
  releaseUpload,
  removeUpload,
  type LockUploadDeps,
  type UploadDeps,
  type WantedUpload,
} from './lock-upload.ts';
import { createReserved, newUpload } from './new-upload.ts';
import { mapToUploadFailed } from './upload-failed.ts';
import type { LargeUpload, PublishedUpload } from './upload.ts';

/** Files in the request, or the id of an upload that went straight to storage. */
export interface UploadInput extends Upload {
  uploadId?: string | undefined;
  /** The most bytes, unpacked, if it may have fewer than the plan allows. */
  maxBytes?: number | undefined;
  /** Called once the upload has passed its checks, before it is published; may refuse it. Gives its place in a file request. */
  onChecked?: () => Promise<RequestPlace>;
}

/** An upload, and its limits; a ZIP that is put into storage for a worker counts in `staged`. */
interface UploadInLimits {
  input: UploadInput;
  limits: UploadLimits;
  staged?: WrittenBytes | undefined;
}

/** An upload that passed its checks, and its row if its bytes were sent to storage first. */
export interface ResolvedUpload {
  upload: PreparedUpload;
  large: LargeUpload | undefined;
  received?: RequestPlace | undefined;
}

/** The result of `publish`. `publishedAs` is undefined if a worker publishes the upload later. */
export interface UploadOutcome<T> {
  result: T;
  publishedAs: ProjectId | undefined;
  /** Of the version. */
  warnings?: Warnings;
}

/**
 * Checks an upload, in the request or in storage, and passes it to `use`. An upload in storage
 * is locked, so that it is published once; a refusal releases it. Any other error keeps the lock, because a
 * worker may already have the job. A ZIP in the request that unpacks to more than the request can
 * publish is put into storage first, for a worker.
 * @throws CodedError those of prepareUpload, prepareStored and lockUpload; what `use` and `onChecked` throw
 */
export async function withUpload<T>(
  deps: LockUploadDeps,
  caller: MaybeAccountCaller,
  { input, limits: ofPlan, staged }: UploadInLimits,
  use: (resolved: ResolvedUpload) => Promise<UploadOutcome<T>>,
): Promise<T> {
  const limits = limitBytes(ofPlan, input.maxBytes);
  const publish: typeof use = async (resolved) => {
    return use({ ...resolved, received: await input.onChecked?.() });
  };
  if (input.uploadId === undefined) {
    const archive = await openSentArchive(input, limits);
    if (archive !== undefined && exceedsRequest(archive, limits)) {
      return withStagedArchive(
        deps,
        caller,
        { input, limits, staged, file: archive.file },
        publish,
      );
    }
    const upload = await prepareUpload(input, limits, archive);
    return (await publish({ upload, large: undefined })).result;
  }
  const { uploadId } = input;
  return withLockedUpload(deps, caller, { uploadId }, async (large, stored) => {
    const upload = await mapToUploadFailed(caller, () => prepareStored(stored, input, limits));
    const { result, publishedAs, warnings } = await publish({ upload, large });
    return { result, published: publishedAs && publishedUpload(publishedAs, upload, warnings) };
  });
}

/** The limits of an upload that may have no more bytes than this, unpacked. */
function limitBytes(limits: UploadLimits, most = Number.POSITIVE_INFINITY): UploadLimits {
  const { maxBytes, maxArchiveBytes } = limits;
  return {
    ...limits,
    maxBytes: Math.min(maxBytes, most),
    maxArchiveBytes: Math.min(maxArchiveBytes, most),
  };
}

function exceedsRequest({ index }: SentArchive, { request }: UploadLimits): boolean {
  if (request === undefined) return false;
  return index.files.length > request.maxFiles || index.unpackedBytes > request.maxBytes;
}

/** Puts the ZIP of a request into storage as a locked upload. After a refusal nothing of it stays. */
async function withStagedArchive<T>(
  deps: UploadDeps,
  caller: MaybeAccountCaller,
  { file, input, limits, staged }: UploadInLimits & { file: UploadedFile },
  publish: (resolved: ResolvedUpload) => Promise<UploadOutcome<T>>,
): Promise<T> {
  const source = bytesSource(file.bytes);
  const stored = { kind: 'archive', files: [{ path: file.name, source }] } as const;
  const upload = await prepareStored(stored, input, limits);
  const large = await stageArchive(deps, caller, file, {
    maxStagedBytes: limits.request?.maxStagedBytes ?? -1,
    staged,
  });
  try {
    await mapToUploadFailed(caller, () => deps.area.put(large.uploadId, file.name, file.bytes));
    return (await publish({ upload, large })).result;
  } catch (error) {
    if (error instanceof CodedError) await discardStaged(deps, large);
    throw error;
  }
}

/**
 * Begins an upload for the ZIP of a request, locked for the publication that the request queues.
 * @throws CodedError STORAGE_LIMIT_REACHED, RATE_LIMITED
 */
async function stageArchive(
  deps: UploadDeps,
  caller: MaybeAccountCaller,
  { bytes }: { bytes: Uint8Array },
  limits: { maxStagedBytes: number; staged: WrittenBytes | undefined },
): Promise<LargeUpload> {
  const now = deps.now();
  const createdAt = instant(now);
  const expiresAt = instant(plusSeconds(now, publishingSeconds));
  const size = { fileCount: 1, bytes: bytes.length };
  const begun = newUpload(caller, { kind: 'archive', ...size, createdAt, expiresAt });
  const upload = { ...begun, state: 'publishing' } as const;
  await createReserved(deps.uploads, upload, { dueAt: expiresAt, ...limits });
  return upload;
}

/** Removes the ZIP of a request whose publication was refused; if that fails, the sweep does it. */
async function discardStaged(
  deps: UploadDeps,
  { uploadId }: Pick<LargeUpload, 'uploadId'>,
): Promise<void> {
  const now = deps.now();
  try {
    await deps.uploads.release(uploadId, instant(now));
    await removeUpload(deps, uploadId, now);
  } catch (error) {
    deps.onFailure({ kind: 'upload', uploadId }, error);
  }
}

/** The result of publishing an upload, with the warnings of its version, for its row. */
export function publishedUpload(
  projectId: ProjectId,
  { fileCount, bytes }: PreparedUpload,
  warnings: Warnings,
): PublishedUpload {
  return { projectId, fileCount, bytes, ...(warnings !== undefined && { warnings }) };
}

/** The result of using a locked upload, and what it was published as; undefined if a worker publishes it. */
export interface UseOfUpload<T> {
  result: T;
  published: PublishedUpload | undefined;
}

/**
 * Locks the caller's upload in storage, whose bytes cannot change from then on, and passes it to `use`. A
 * refusal releases it. Any other error keeps the lock, because a worker may already have the job.
 * @throws CodedError those of lockUpload; what `use` throws
 */
export async function withLockedUpload<T>(
  deps: LockUploadDeps,
  caller: MaybeAccountCaller,
  wanted: WantedUpload,
  use: (upload: LargeUpload, stored: StoredUpload) => Promise<UseOfUpload<T>>,
): Promise<T> {
  const { upload, stored } = await lockUpload(deps, caller, wanted);
  try {
    const { result, published } = await use(upload, stored);
    if (published !== undefined) await markPublishedOrDefer(deps, upload, published);
    return result;
  } catch (error) {
    if (error instanceof CodedError) await releaseUpload(deps, upload);
    throw error;
  }
}

/** The upload is published already, so an error here is left to the sweep. */
async function markPublishedOrDefer(
  deps: UploadDeps,
  { uploadId }: LargeUpload,
  published: PublishedUpload,
): Promise<void> {
  try {
    await markPublished(deps, { uploadId }, published);
  } catch (error) {
    deps.onFailure({ kind: 'upload', uploadId }, error);
  }
}
