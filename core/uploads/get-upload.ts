import type { MaybeAccountCaller } from '../caller.ts';
import { CodedError } from '../errors.ts';
import type { Counters } from '../limits/counters.ts';
import { countCalls, looks } from './count-calls.ts';
import type { UploadArea, UploadStore } from './ports.ts';
import { type LargeUpload, UploadId } from './upload.ts';

/** What telling how far an upload is needs. */
export interface GetUploadDeps {
  uploads: Pick<UploadStore, 'get'>;
  area: Pick<UploadArea, 'arrived'>;
  counters: Pick<Counters, 'count'>;
  now(): Date;
}

/**
 * How far the caller's upload is.
 * @throws CodedError NOT_FOUND, RATE_LIMITED
 */
export async function getUpload(
  deps: GetUploadDeps,
  caller: MaybeAccountCaller,
  input: { uploadId: string },
) {
  const upload = await ownUpload(deps.uploads, caller, input.uploadId);
  const { uploadId, state, expiresAt, fileCount, bytes, projectId, failure } = upload;
  if (state === 'waiting')
    await countCalls(deps, caller, { ...looks, files: fileCount }, deps.now());
  const done = await doneOf(deps, upload);
  return {
    uploadId,
    status: state,
    expiresAt,
    files: { done: done.files, total: Math.max(fileCount, done.files) },
    bytes: { done: done.bytes, total: Math.max(bytes, done.bytes) },
    projectId,
    failure,
  };
}

/**
 * The caller's upload with this id; somebody else's does not exist for the caller.
 * @throws CodedError NOT_FOUND
 */
export async function ownUpload(
  uploads: Pick<UploadStore, 'get'>,
  { account }: MaybeAccountCaller,
  id: string,
): Promise<LargeUpload> {
  const uploadId = UploadId.safeParse(id).data;
  const upload = uploadId === undefined ? undefined : await uploads.get(uploadId);
  if (upload !== undefined && upload.accountId === (account?.id ?? null)) return upload;
  throw new CodedError('NOT_FOUND', {
    error: 'uploadId: there is no such upload of yours, or its time is over.',
    nextStep: 'Begin a new upload with POST /v1/uploads.',
  });
}

/** While it waits, what has arrived; then, what has been published of it. */
async function doneOf({ area }: GetUploadDeps, upload: LargeUpload) {
  if (upload.state === 'waiting') {
    const parts = [...(await area.arrived(upload.uploadId)).values()];
    return { files: parts.length, bytes: parts.reduce((sum, { size }) => sum + size, 0) };
  }
  return { files: upload.doneFiles, bytes: upload.doneBytes };
}
