import { daySeconds } from '../../contract/limits.ts';
import type { MaybeAccountCaller } from '../caller.ts';
import type { StoredUpload } from '../content/prepare-stored-upload.ts';
import { CodedError } from '../errors.ts';
import { instant, plusSeconds } from '../instants.ts';
import type { Counters } from '../limits/counters.ts';
import { limitUploadRequests } from './storage-calls.ts';
import { mapToUploadFailed } from './upload-failed.ts';
import {
  type AnnouncedFile,
  type ArrivedFiles,
  type LargeUpload,
  type UploadArea,
  type PublishedUpload,
  UploadId,
  type UploadStore,
} from './upload.ts';

/** The dependencies for reading an upload. */
export interface UploadDeps {
  uploads: UploadStore;
  area: UploadArea;
  /** Reports what the next sweep has to finish. */
  onFailure(item: unknown, error: unknown): void;
  now(): Date;
}

/** The dependencies for using an upload. */
export interface LockUploadDeps extends UploadDeps {
  counters: Pick<Counters, 'count'>;
}

/** No publication of an upload takes longer, retries included. */
export const publishingSeconds = 4 * 3600;
/** A request has ended after this: its function ends after 29 seconds (Amazon API Gateway quota), and clocks differ. */
const requestSeconds = 60;
/** How long the result of an upload can be read. */
const statusSeconds = daySeconds;

/** An upload that is reserved for one publication. */
export interface LockedUpload {
  upload: LargeUpload;
  stored: StoredUpload;
}

/** Which upload is to be locked. */
export interface WantedUpload {
  uploadId: string;
  /** Repeating the request does no harm, so one that was cut off keeps its lock for a minute only. */
  isRepeatable?: boolean;
}

/**
 * Reserves the caller's complete upload for one publication. Its URLs stop working before that.
 * Closing them takes one request to S3 for each file; those that a cut-off request has closed stay
 * closed for the next.
 * @throws CodedError NOT_FOUND, UPLOAD_INCOMPLETE, UPLOAD_FAILED, RATE_LIMITED
 */
export async function lockUpload(
  deps: LockUploadDeps,
  caller: MaybeAccountCaller,
  { uploadId: id, isRepeatable = false }: WantedUpload,
): Promise<LockedUpload> {
  const upload = await findOwnUpload(deps.uploads, caller, id);
  requireUnlocked(upload, deps.now());
  await limitUploadRequests(deps, caller, { request: 'use', files: upload.fileCount }, deps.now());
  const files = await deps.area.list(upload.uploadId);
  if (files === undefined) throw uploadEnded();
  const parts = await requireAllParts(deps, upload, files);
  await mapToUploadFailed(caller, () => closeParts(deps.area, upload, parts));
  const now = deps.now();
  const lock = {
    dueAt: instant(plusSeconds(now, publishingSeconds)),
    ...(isRepeatable && { until: instant(plusSeconds(now, requestSeconds)) }),
  };
  if (!(await deps.uploads.lock(upload.uploadId, instant(now), lock))) throw uploadEnded();
  return { upload, stored: storedUpload(deps.area, upload, files) };
}

/** The bytes of a used upload are removed. @throws CodedError NOT_FOUND */
function requireUnlocked({ state, lockedUntil }: LargeUpload, now: Date): void {
  if (state === 'waiting') return;
  if (state !== 'publishing' || lockedUntil === undefined) throw uploadEnded();
  if (lockedUntil > instant(now)) {
    throw new CodedError('NOT_FOUND', {
      error: 'uploadId: another request is using this upload.',
      nextStep:
        'Wait a minute. If GET /v1/uploads/{uploadId} still says `publishing` then, send the same request again.',
    });
  }
}

/**
 * Makes the URLs of a complete upload invalid, so that its bytes cannot change while it is published.
 * @throws CodedError UPLOAD_INCOMPLETE
 */
async function closeParts(
  area: Pick<UploadArea, 'close'>,
  { uploadId }: LargeUpload,
  parts: ArrivedFiles,
): Promise<void> {
  if (await area.close(uploadId, parts)) return;
  throw new CodedError('UPLOAD_INCOMPLETE', {
    error: 'A file was sent again while the upload was being used.',
    nextStep: 'Wait until every PUT has been answered, then send the same request again.',
  });
}

/** The bytes of an upload that a request has locked; for a worker. */
export async function readLockedUpload(
  { area }: Pick<UploadDeps, 'area'>,
  upload: LargeUpload,
): Promise<StoredUpload> {
  const files = await area.list(upload.uploadId);
  if (files === undefined) throw new Error(`the bytes of upload ${upload.uploadId} are gone`);
  return storedUpload(area, upload, files);
}

function uploadEnded(): CodedError {
  return new CodedError('NOT_FOUND', {
    error: 'uploadId: this upload was already used, or it has expired.',
    // A request that was cut off after 29 seconds may have published it all the same.
    nextStep:
      'GET /v1/uploads/{uploadId} says whether it was published, and as which project. If not, begin a new upload with POST /v1/uploads.',
  });
}

async function requireAllParts(
  { uploads, area }: UploadDeps,
  { uploadId }: LargeUpload,
  files: readonly AnnouncedFile[],
): Promise<ArrivedFiles> {
  const arrived = await area.arrived(uploadId);
  const missing = files.filter((_, index) => arrived.get(index)?.isWhole !== true);
  const [first] = missing;
  if (first === undefined) return arrived;
  // Another publication may have used it since.
  if ((await uploads.get(uploadId))?.state !== 'waiting') throw uploadEnded();
  throw new CodedError('UPLOAD_INCOMPLETE', {
    error: `${missing.length} of ${files.length} files have not arrived, among them ${first.path}.`,
  });
}

function storedUpload(
  area: Pick<UploadArea, 'source'>,
  { uploadId, kind }: LargeUpload,
  files: readonly AnnouncedFile[],
): StoredUpload {
  return {
    kind,
    files: files.map(({ path, size }, index) => ({
      path,
      source: area.source(uploadId, { index, size }),
    })),
  };
}

/** Unlocks an upload whose publication was refused, so that it can be used again. */
export async function releaseUpload(
  { uploads }: Pick<UploadDeps, 'uploads'>,
  { uploadId, expiresAt }: LargeUpload,
): Promise<void> {
  await uploads.release(uploadId, expiresAt);
}

/** Records that an upload was published, for a day, and removes its bytes. */
export async function markPublished(
  deps: UploadDeps,
  { uploadId }: Pick<LargeUpload, 'uploadId'>,
  published: PublishedUpload,
): Promise<void> {
  await deps.uploads.end(uploadId, { state: 'published', ...published }, statusUntil(deps));
  await deps.area.remove(uploadId);
}

/** Records why an upload could not be published, for a day, and removes its bytes. */
export async function markFailed(
  deps: UploadDeps,
  { uploadId }: Pick<LargeUpload, 'uploadId'>,
  failure: NonNullable<LargeUpload['failure']>,
): Promise<void> {
  await deps.uploads.end(uploadId, { state: 'failed', failure }, statusUntil(deps));
  await deps.area.remove(uploadId);
}

function statusUntil({ now }: Pick<UploadDeps, 'now'>) {
  return instant(plusSeconds(now(), statusSeconds));
}

/** Removes an upload that is due: its bytes, then its row. */
export async function removeUpload(
  deps: { uploads: Pick<UploadStore, 'expire' | 'remove'>; area: Pick<UploadArea, 'remove'> },
  uploadId: LargeUpload['uploadId'],
  now: Date,
): Promise<boolean> {
  if (!(await deps.uploads.expire(uploadId, instant(now)))) return false;
  await deps.area.remove(uploadId);
  await deps.uploads.remove(uploadId);
  return true;
}

/**
 * The caller's upload with this id; uploads of other accounts are not found. A caller with an
 * upload link finds only uploads that were begun with it.
 * @throws CodedError NOT_FOUND
 */
export async function findOwnUpload(
  uploads: Pick<UploadStore, 'get'>,
  { account, linkHash }: MaybeAccountCaller,
  id: string,
): Promise<LargeUpload> {
  const uploadId = UploadId.safeParse(id).data;
  const upload = uploadId === undefined ? undefined : await uploads.get(uploadId);
  const isOwn = upload?.accountId === (account?.id ?? null);
  const isOfLink = linkHash === undefined || upload?.linkHash === linkHash;
  if (upload !== undefined && isOwn && isOfLink) return upload;
  throw new CodedError('NOT_FOUND', {
    error: 'uploadId: you have no upload with this id, or it has expired.',
    nextStep: 'Begin a new upload with POST /v1/uploads.',
  });
}
