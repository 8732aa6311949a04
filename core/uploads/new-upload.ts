import { randomUUID } from 'node:crypto';
import type { Instant } from '../../contract/fields.ts';
import type { MaybeAccountCaller } from '../caller.ts';
import { CodedError } from '../errors.ts';
import type { WrittenBytes } from '../limits/written-bytes.ts';
import { type LargeUpload, UploadId, type UploadStore } from './upload.ts';

/** The fields of an upload that are known before it is created. */
type Begun = Pick<LargeUpload, 'kind' | 'fileCount' | 'bytes' | 'createdAt' | 'expiresAt'>;

/** An upload of the caller that waits for its bytes. */
export function newUpload({ account, linkHash }: MaybeAccountCaller, begun: Begun): LargeUpload {
  return {
    uploadId: UploadId.parse(randomUUID()),
    accountId: account?.id ?? null,
    ...(linkHash !== undefined && { linkHash }),
    ...begun,
    state: 'waiting',
    projectId: null,
    doneFiles: 0,
    doneBytes: 0,
    failure: null,
  };
}

/** When the upload ends unless it is published, and what limits its bytes; -1 and undefined mean no limit. */
interface Reservation {
  dueAt: Instant;
  maxStagedBytes: number;
  /** The account's day. */
  staged: WrittenBytes | undefined;
}

/**
 * Writes the upload's row and reserves its bytes before any of them is stored. They count toward the account's day.
 * @throws CodedError STORAGE_LIMIT_REACHED, RATE_LIMITED
 */
export async function createReserved(
  uploads: Pick<UploadStore, 'create'>,
  upload: LargeUpload,
  { dueAt, maxStagedBytes, staged }: Reservation,
): Promise<void> {
  await staged?.count(upload.bytes);
  const created = await uploads.create(upload, dueAt, maxStagedBytes);
  if (created === 'created') return;
  await staged?.refund(upload.bytes);
  throw new CodedError('STORAGE_LIMIT_REACHED', {
    error: `Uploads that are not published yet can have at most ${maxStagedBytes} bytes together; ${created.stagedBytes} are reserved, and this one has ${upload.bytes}.`,
    nextStep:
      'Publish an upload that you have begun, or wait: an unused upload ends an hour after it was begun and frees its bytes within 20 minutes. Or upgrade to a larger plan.',
  });
}
