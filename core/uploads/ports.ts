import type { ErrorBody } from '../../contract/errors.ts';
import type { Instant, ProjectId } from '../../contract/fields.ts';
import type { ByteSource } from '../content/zip/byte-source.ts';
import type { AnnouncedFile, LargeUpload, UploadId } from './upload.ts';

/** Uploads and what has become of them. */
export interface UploadStore {
  /**
   * Notes an upload. One of an account reserves its bytes among all that the account's uploads
   * hold at once, in the same step, unless they would be more than `maxStagedBytes` (-1: unlimited).
   */
  create(upload: LargeUpload, dueAt: Instant, maxStagedBytes: number): Promise<Creation>;
  get(uploadId: UploadId): Promise<LargeUpload | undefined>;
  /** Takes an upload for one publication; false when it is taken, or its time is over. */
  take(uploadId: UploadId, at: Instant, dueAt: Instant): Promise<boolean>;
  /** The publication was refused: the upload may be used again. */
  giveBack(uploadId: UploadId, dueAt: Instant): Promise<void>;
  /** Notes how much of it is stored; `total` is what its archive proved to hold. */
  progress(uploadId: UploadId, done: Amount, total: Amount): Promise<void>;
  /** It is told for a while what became of an upload; its bytes are reserved no more. */
  end(uploadId: UploadId, end: UploadEnd, dueAt: Instant): Promise<void>;
  /** Keeps an upload that is due from being taken, and its bytes from being reserved; false when it is not due any more. */
  expire(uploadId: UploadId, at: Instant): Promise<boolean>;
  remove(uploadId: UploadId): Promise<void>;
}

/** What noting an upload met: how much the account's uploads hold already, where that was too much. */
export type Creation = 'created' | { stagedBytes: number };

/** How much of an upload. */
export interface Amount {
  fileCount: number;
  bytes: number;
}

/** What became of an upload. */
export type UploadEnd =
  | ({ state: 'published'; projectId: ProjectId } & Amount)
  | { state: 'failed'; failure: ErrorBody };

/** A file of an upload that has arrived. */
export interface ArrivedPart {
  size: number;
  /** While its URL may still replace it: which bytes were found. Absent once they are closed. */
  open?: { multipartId: string; tag: string };
}

/** What has arrived of an upload, by the numbers of its parts. */
export type ArrivedParts = ReadonlyMap<number, ArrivedPart>;

/** Where uploads wait. Parts are numbered as the upload announced its files. */
export interface UploadArea {
  /**
   * Signs a URL for each file that takes exactly its bytes by PUT, until `until` or until the
   * upload is closed or removed, whichever is first.
   */
  open(uploadId: UploadId, files: readonly AnnouncedFile[], until: Date): Promise<string[]>;
  /** Scheme and host of the URLs. */
  origin(): Promise<string>;
  /** The files as they were announced; `undefined` once the upload was removed. */
  list(uploadId: UploadId): Promise<readonly AnnouncedFile[] | undefined>;
  arrived(uploadId: UploadId): Promise<ArrivedParts>;
  /** Keeps these parts as they are: their URLs are dead. False when one was replaced in the meantime. */
  close(uploadId: UploadId, parts: ArrivedParts): Promise<boolean>;
  source(uploadId: UploadId, part: { index: number; size: number }): ByteSource;
  /** Removes everything of an upload; its URLs are dead. */
  remove(uploadId: UploadId): Promise<void>;
}
