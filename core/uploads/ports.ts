import type { ErrorBody } from '../../contract/errors.ts';
import type { Instant, ProjectId } from '../../contract/fields.ts';
import type { ByteSource } from '../content/byte-source.ts';
import type { AnnouncedFile, LargeUpload, UploadId } from './upload.ts';

/** Uploads and what has become of them. */
export interface UploadStore {
  create(upload: LargeUpload, dueAt: Instant): Promise<void>;
  get(uploadId: UploadId): Promise<LargeUpload | undefined>;
  /** Takes an upload for one publication; false when it is taken, or its time is over. */
  take(uploadId: UploadId, at: Instant, dueAt: Instant): Promise<boolean>;
  /** The publication was refused: the upload may be used again. */
  giveBack(uploadId: UploadId, dueAt: Instant): Promise<void>;
  progress(uploadId: UploadId, done: { files: number; bytes: number }): Promise<void>;
  /** It is told for a while what became of an upload. */
  end(uploadId: UploadId, end: UploadEnd, dueAt: Instant): Promise<void>;
  /** Keeps an upload that is due from being taken; false when it is not due any more. */
  expire(uploadId: UploadId, at: Instant): Promise<boolean>;
  remove(uploadId: UploadId): Promise<void>;
}

/** What became of an upload. */
export type UploadEnd =
  | { state: 'published'; projectId: ProjectId }
  | { state: 'failed'; failure: ErrorBody };

/** Where uploads wait. Parts are numbered as the upload announced its files. */
export interface UploadArea {
  /** A URL that takes exactly `size` bytes by PUT until `until`. */
  sign(uploadId: UploadId, part: { index: number; size: number }, until: Date): Promise<string>;
  putList(uploadId: UploadId, files: readonly AnnouncedFile[]): Promise<void>;
  /** The files as they were announced; `undefined` once the upload was removed. */
  list(uploadId: UploadId): Promise<readonly AnnouncedFile[] | undefined>;
  /** Bytes of every part that has arrived. */
  arrived(uploadId: UploadId): Promise<ReadonlyMap<number, number>>;
  source(uploadId: UploadId, part: { index: number; size: number }): ByteSource;
  /** Removes everything of an upload. */
  remove(uploadId: UploadId): Promise<void>;
}
