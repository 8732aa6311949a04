import type { ProjectId, UploadedFile } from '../../contract/fields.ts';
import type { Caller, MaybeAccountCaller } from '../caller.ts';
import { CodedError } from '../errors.ts';
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
  closeParts,
  discardStaged,
  lockUpload,
  markPublished,
  releaseUpload,
  stageArchive,
  type LockUploadDeps,
  type UploadDeps,
} from './lock-upload.ts';
import type { LargeUpload, PublishedUpload } from './upload.ts';

/** Files in the request, or the id of an upload that went straight to storage. */
export interface UploadInput extends Upload {
  uploadId?: string | undefined;
}

/** An upload that passed its checks, and its row if its bytes were sent to storage first. */
export interface ResolvedUpload {
  upload: PreparedUpload;
  large: LargeUpload | undefined;
}

/** The result of `publish`. `publishedAs` is undefined if a worker publishes the upload later. */
export interface UploadOutcome<T> {
  result: T;
  publishedAs: ProjectId | undefined;
}

/**
 * Checks an upload, in the request or in storage, and passes it to `publish`. An upload in storage
 * is locked, so that it is published once; a refusal releases it. Any other error keeps the lock, because a
 * worker may already have the job. A ZIP in the request that unpacks to more than the request can
 * publish is put into storage first, for a worker.
 * @throws CodedError those of prepareUpload, prepareStored and lockUpload; what `publish` throws
 */
export async function withUpload<T>(
  deps: LockUploadDeps,
  caller: MaybeAccountCaller,
  { input, limits }: { input: UploadInput; limits: UploadLimits },
  publish: (resolved: ResolvedUpload) => Promise<UploadOutcome<T>>,
): Promise<T> {
  if (input.uploadId === undefined) {
    const archive = await openSentArchive(input, limits);
    if (archive !== undefined && exceedsRequest(archive, limits)) {
      return withStagedArchive(deps, caller, { input, limits, file: archive.file }, publish);
    }
    const upload = await prepareUpload(input, limits, archive);
    return (await publish({ upload, large: undefined })).result;
  }
  return withLockedUpload(deps, caller, input.uploadId, async (large, stored) => {
    const upload = await mapToUploadFailed(caller, () => prepareStored(stored, input, limits));
    const { result, publishedAs } = await publish({ upload, large });
    return { result, published: publishedAs && publishedUpload(publishedAs, upload) };
  });
}

function exceedsRequest({ index }: SentArchive, { request }: UploadLimits): boolean {
  if (request === undefined) return false;
  return index.files.length > request.maxFiles || index.unpackedBytes > request.maxBytes;
}

/** Puts the ZIP of a request into storage as a locked upload. A refusal leaves nothing of it. */
async function withStagedArchive<T>(
  deps: UploadDeps,
  caller: MaybeAccountCaller,
  { file, input, limits }: { file: UploadedFile; input: UploadInput; limits: UploadLimits },
  publish: (resolved: ResolvedUpload) => Promise<UploadOutcome<T>>,
): Promise<T> {
  const source = bytesSource(file.bytes);
  const stored = { kind: 'archive', files: [{ path: file.name, source }] } as const;
  const upload = await prepareStored(stored, input, limits);
  const large = await stageArchive(deps, caller, file, limits.request?.maxStagedBytes ?? -1);
  try {
    await mapToUploadFailed(caller, () => deps.area.put(large.uploadId, file.name, file.bytes));
    return (await publish({ upload, large })).result;
  } catch (error) {
    if (error instanceof CodedError) await discardStaged(deps, large);
    throw error;
  }
}

/** What an upload was published as, for its row. */
export function publishedUpload(
  projectId: ProjectId,
  { fileCount, bytes, warnings = [] }: PreparedUpload,
): PublishedUpload {
  return { projectId, fileCount, bytes, ...(warnings.length > 0 && { warnings: [...warnings] }) };
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
  uploadId: string,
  use: (upload: LargeUpload, stored: StoredUpload) => Promise<UseOfUpload<T>>,
): Promise<T> {
  const locked = await lockUpload(deps, caller, uploadId);
  const { upload, stored } = locked;
  try {
    await mapToUploadFailed(caller, () => closeParts(deps, locked));
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

/**
 * Runs work that stores an upload. An unexpected error becomes UPLOAD_FAILED: nothing was kept.
 * @throws CodedError UPLOAD_FAILED
 */
export async function mapToUploadFailed<T>(
  { requestId }: Pick<Caller, 'requestId'>,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    if (cause instanceof CodedError) throw cause;
    const error = 'The upload could not be stored.';
    throw new CodedError('UPLOAD_FAILED', { error, requestId }, { cause });
  }
}
