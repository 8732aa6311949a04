import type { ProjectId } from '../../contract/fields.ts';
import type { MaybeAccountCaller } from '../caller.ts';
import type { StoredUpload } from '../content/prepare-stored.ts';
import { CodedError } from '../errors.ts';
import { instant, plusSeconds } from '../instants.ts';
import { ownUpload } from './get-upload.ts';
import type { Amount, ArrivedParts, UploadArea, UploadStore } from './ports.ts';
import type { AnnouncedFile, LargeUpload } from './upload.ts';

/** What reading an upload needs. */
export interface OpenUploadDeps {
  uploads: UploadStore;
  area: UploadArea;
  /** Told of what the next sweep has to finish. */
  onFailure(item: unknown, error: unknown): void;
  now(): Date;
}

/** No publication of an upload takes longer, whoever works at it. */
const publishingSeconds = 4 * 3600;
/** For so long it is told what became of an upload. */
const toldSeconds = 24 * 3600;

/** An upload that is taken for one publication. */
export interface TakenUpload {
  upload: LargeUpload;
  stored: StoredUpload;
  /** As they were found; {@link closeParts} keeps them so. */
  parts: ArrivedParts;
}

/**
 * The caller's upload, whole and taken for one publication.
 * @throws CodedError NOT_FOUND, UPLOAD_INCOMPLETE
 */
export async function openUpload(
  deps: OpenUploadDeps,
  caller: MaybeAccountCaller,
  id: string,
): Promise<TakenUpload> {
  const upload = await ownUpload(deps.uploads, caller, id);
  // The bytes of a used one are gone.
  if (upload.state !== 'waiting') throw usedUp();
  const files = await deps.area.list(upload.uploadId);
  if (files === undefined) throw usedUp();
  const parts = await arrivedParts(deps, upload, files);
  const now = deps.now();
  const dueAt = instant(plusSeconds(now, publishingSeconds));
  if (!(await deps.uploads.take(upload.uploadId, instant(now), dueAt))) throw usedUp();
  return { upload, stored: storedUpload(deps.area, upload, files), parts };
}

/**
 * Ends the URLs of a taken upload: what is published is what was found, and nothing arrives later.
 * @throws CodedError UPLOAD_INCOMPLETE
 */
export async function closeParts(
  { area }: Pick<OpenUploadDeps, 'area'>,
  { upload, parts }: TakenUpload,
): Promise<void> {
  if (await area.close(upload.uploadId, parts)) return;
  throw new CodedError('UPLOAD_INCOMPLETE', {
    error: 'A file was sent again while the upload was being used.',
    nextStep: 'Wait until every PUT has been answered, then send the same request again.',
  });
}

/** An upload that was taken before, as a worker reads it. */
export async function readTaken(
  { area }: Pick<OpenUploadDeps, 'area'>,
  upload: LargeUpload,
): Promise<StoredUpload> {
  const files = await area.list(upload.uploadId);
  if (files === undefined) throw new Error(`the bytes of upload ${upload.uploadId} are gone`);
  return storedUpload(area, upload, files);
}

function usedUp(): CodedError {
  return new CodedError('NOT_FOUND', {
    error: 'uploadId: this upload was used already, or its time is over.',
    nextStep: 'Begin a new upload with POST /v1/uploads.',
  });
}

async function arrivedParts(
  { uploads, area }: OpenUploadDeps,
  { uploadId }: LargeUpload,
  files: readonly AnnouncedFile[],
): Promise<ArrivedParts> {
  const arrived = await area.arrived(uploadId);
  const missing = files.filter(({ size }, index) => arrived.get(index)?.size !== size);
  const [first] = missing;
  if (first === undefined) return arrived;
  // Another publication of it may have ended in the meantime.
  if ((await uploads.get(uploadId))?.state !== 'waiting') throw usedUp();
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

/** The publication of a taken upload was refused: it may be used again. */
export async function giveBack(
  { uploads }: Pick<OpenUploadDeps, 'uploads'>,
  { uploadId, expiresAt }: LargeUpload,
): Promise<void> {
  await uploads.giveBack(uploadId, expiresAt);
}

/** An upload has become a project's content: it is told for a day, its bytes go. */
export async function endPublished(
  deps: OpenUploadDeps,
  { uploadId }: Pick<LargeUpload, 'uploadId'>,
  published: Amount & { projectId: ProjectId },
): Promise<void> {
  await deps.uploads.end(uploadId, { state: 'published', ...published }, toldUntil(deps));
  await deps.area.remove(uploadId);
}

/** An upload could not be published: why is told for a day, its bytes go. */
export async function endFailed(
  deps: OpenUploadDeps,
  { uploadId }: Pick<LargeUpload, 'uploadId'>,
  failure: NonNullable<LargeUpload['failure']>,
): Promise<void> {
  await deps.uploads.end(uploadId, { state: 'failed', failure }, toldUntil(deps));
  await deps.area.remove(uploadId);
}

function toldUntil({ now }: Pick<OpenUploadDeps, 'now'>) {
  return instant(plusSeconds(now(), toldSeconds));
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
