import * as z from 'zod';
import { ErrorBody } from '../../contract/errors.ts';
import { AccountId, Instant, ProjectId } from '../../contract/fields.ts';

/** An upload's id; for one without an account it is all that shows whose it is. */
export const UploadId = z.uuid().brand<'UploadId'>();
export type UploadId = z.infer<typeof UploadId>;

/** An upload whose bytes go straight into storage, and what has become of it. */
export const LargeUpload = z.object({
  uploadId: UploadId,
  /** Null where it was begun without a key. */
  accountId: AccountId.nullable(),
  kind: z.enum(['files', 'archive']),
  fileCount: z.number().int().positive(),
  bytes: z.number().int().nonnegative(),
  state: z.enum(['waiting', 'publishing', 'published', 'failed']),
  projectId: ProjectId.nullable(),
  /** What a worker has stored so far. */
  doneFiles: z.number().int().nonnegative(),
  doneBytes: z.number().int().nonnegative(),
  failure: ErrorBody.nullable(),
  createdAt: Instant,
  /** Until then its bytes are waited for. */
  expiresAt: Instant,
});
export type LargeUpload = z.infer<typeof LargeUpload>;

/** A file that is to arrive. */
export const AnnouncedFile = z.object({
  path: z.string(),
  size: z.number().int().nonnegative(),
});
export type AnnouncedFile = z.infer<typeof AnnouncedFile>;
