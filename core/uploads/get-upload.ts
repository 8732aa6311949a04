import type { MaybeAccountCaller } from '../caller.ts';
import { countAttempt, type Counters } from '../limits/counters.ts';
import type { LargeUpload, UploadArea, UploadStore } from './upload.ts';
import { countByAddress } from '../limits/address-limits.ts';
import type { RateLimitRule } from '../limits/sliding-window.ts';
import { findOwnUpload } from './lock-upload.ts';

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
  if (state === 'waiting')
    await limitStorageCalls(deps, caller, { ...statusCalls, files: fileCount }, deps.now());
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

/** Before publication: what has arrived. After it began: what has been published. */
async function readProgress({ area }: GetUploadDeps, upload: LargeUpload) {
  if (upload.state === 'waiting') {
    const parts = [...(await area.arrived(upload.uploadId)).values()];
    return { files: parts.length, bytes: parts.reduce((sum, { size }) => sum + size, 0) };
  }
  return { files: upload.doneFiles, bytes: upload.doneBytes };
}

/** S3 is called once for each file; uploads with at most this many are not counted. */
const freeFiles = 20;

/** A limit for requests that call S3 once for each file of an upload. */
interface CallLimit {
  key: string;
  rule: RateLimitRule;
  what: string;
}

/** For `POST /v1/uploads`; a ZIP is one file. */
export const beginCalls: CallLimit = {
  key: 'upload-lists',
  rule: { limit: 60, windowSeconds: 3600 },
  what: `uploads of more than ${freeFiles} files each; one ZIP sent as \`archive\` is not counted`,
};

/** For `GET /v1/uploads/{uploadId}`. */
const statusCalls: CallLimit = {
  key: 'upload-looks',
  rule: { limit: 10, windowSeconds: 60 },
  what: `status requests for waiting uploads of more than ${freeFiles} files`,
};

/**
 * Limits requests of which each one may call S3 thousands of times.
 * @throws CodedError RATE_LIMITED
 */
export async function limitStorageCalls(
  { counters }: { counters: Pick<Counters, 'count'> },
  caller: MaybeAccountCaller,
  { key, files, ...counted }: CallLimit & { files: number },
  now: Date,
): Promise<void> {
  if (files <= freeFiles) return;
  const { account } = caller;
  await (account === undefined
    ? countByAddress(counters, caller, { ...counted, name: key }, now)
    : countAttempt(counters, caller, { ...counted, key: `${key}#${account.id}` }, now));
}
