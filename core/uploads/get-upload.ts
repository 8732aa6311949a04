import type { MaybeAccountCaller } from '../caller.ts';
import type { Counters } from '../limits/counters.ts';
import type { LargeUpload, UploadArea, UploadStore } from './upload.ts';
import { findOwnUpload } from './lock-upload.ts';
import { limitUploadRequests } from './storage-calls.ts';

/** The dependencies for reading the progress of an upload. */
export interface GetUploadDeps {
  uploads: Pick<UploadStore, 'get'>;
  area: Pick<UploadArea, 'arrived'>;
  counters: Pick<Counters, 'count'>;
  now(): Date;
}

/**
 * The status and progress of the caller's upload.
 * @throws CodedError NOT_FOUND, RATE_LIMITED
 */
export async function getUpload(
  deps: GetUploadDeps,
  caller: MaybeAccountCaller,
  input: { uploadId: string },
) {
  const upload = await findOwnUpload(deps.uploads, caller, input.uploadId);
  const { uploadId, state, expiresAt, fileCount, bytes, projectId, failure, warnings } = upload;
  if (state === 'waiting') {
    await limitUploadRequests(deps, caller, { request: 'status', files: fileCount }, deps.now());
  }
  const done = await readProgress(deps, upload);
  return {
    uploadId,
    status: state,
    expiresAt,
    files: { done: done.files, total: Math.max(fileCount, done.files) },
    bytes: { done: done.bytes, total: Math.max(bytes, done.bytes) },
    projectId,
    failure,
    ...(warnings !== undefined && { warnings }),
  };
}

/**
 * Before publication: the files that have arrived, and the bytes of parts. After it began: the files that have been
 * published.
 */
async function readProgress({ area }: GetUploadDeps, upload: LargeUpload) {
  if (upload.state === 'waiting') {
    const arrived = [...(await area.arrived(upload.uploadId)).values()];
    const whole = arrived.filter(({ isWhole }) => isWhole);
    return { files: whole.length, bytes: arrived.reduce((sum, { size }) => sum + size, 0) };
  }
  return { files: upload.doneFiles, bytes: upload.doneBytes };
}
