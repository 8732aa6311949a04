import * as z from 'zod';
import { ErrorBody } from '../../contract/errors.ts';
import { AccountId, Instant, ProjectId, Warnings } from '../../contract/fields.ts';
import type { ByteSource } from '../content/zip/byte-source.ts';

/** An upload's id. For an upload without an account it is the only credential. */
export const UploadId = z.uuid().brand<'UploadId'>();
export type UploadId = z.infer<typeof UploadId>;

/** An upload whose bytes are sent to storage directly, and its state. */
export const LargeUpload = z.object({
  uploadId: UploadId,
  /** Null where it was begun without a key. */
  accountId: z.nullable(AccountId),
  /** The hash of the upload link that it was begun with. */
  linkHash: z.string().optional(),
  kind: z.enum(['files', 'archive']),
  fileCount: z.number().int().positive(),
  bytes: z.number().int().nonnegative(),
  state: z.enum(['waiting', 'publishing', 'published', 'failed']),
  projectId: z.nullable(ProjectId),
  /** The number of files that a worker has stored so far. */
  doneFiles: z.number().int().nonnegative(),
  doneBytes: z.number().int().nonnegative(),
  failure: ErrorBody.nullable(),
  /** Those of its version, once it is published. */
  warnings: Warnings,
  createdAt: Instant,
  /** Until then its URLs accept bytes. */
  expiresAt: Instant,
  /** While it is `publishing`: from then on the request that locked it has ended. Absent if a worker may use it. */
  lockedUntil: z.optional(Instant),
});
export type LargeUpload = z.infer<typeof LargeUpload>;

/** A file that is to arrive. */
export const AnnouncedFile = z.object({
  path: z.string(),
  size: z.number().int().nonnegative(),
});
export type AnnouncedFile = z.infer<typeof AnnouncedFile>;

/** How many URLs the bytes of a file get. */
export function partCount({ size }: Pick<AnnouncedFile, 'size'>, partBytes: number): number {
  return Math.max(1, Math.ceil(size / partBytes));
}

/** Uploads and their states. */
export interface UploadStore {
  /**
   * Creates an upload. For an account, the same step reserves its bytes, unless the account's
   * uploads would then reserve more than `maxStagedBytes` (-1: unlimited).
   */
  create(upload: LargeUpload, dueAt: Instant, maxStagedBytes: number): Promise<CreateResult>;
  get(uploadId: UploadId): Promise<LargeUpload | undefined>;
  /** Locks an upload for one publication; false when it is locked, used or expired. A lock ends at its `until`. */
  lock(uploadId: UploadId, at: Instant, lock: UploadLock): Promise<boolean>;
  /** Unlocks an upload whose publication was refused. */
  release(uploadId: UploadId, dueAt: Instant): Promise<void>;
  /** Records how much of it is stored; `total` is what its archive contains. */
  progress(uploadId: UploadId, done: UploadSize, total: UploadSize): Promise<void>;
  /** Records the result, which is kept until `dueAt`, and ends the reservation of its bytes. */
  end(uploadId: UploadId, end: UploadResult, dueAt: Instant): Promise<void>;
  /** Prevents an upload that is due from being locked and ends the reservation of its bytes; false when it is no longer due. */
  expire(uploadId: UploadId, at: Instant): Promise<boolean>;
  remove(uploadId: UploadId): Promise<void>;
}

/**
 * A lock of an upload: when the sweep ends the upload, and until when a request that may be
 * repeated holds the lock.
 */
export interface UploadLock {
  dueAt: Instant;
  until?: Instant;
}

/** Whether an upload was created; otherwise the bytes that the account's uploads hold already. */
export type CreateResult = 'created' | { stagedBytes: number };

/** Counts of files and bytes. */
export interface UploadSize {
  fileCount: number;
  bytes: number;
}

/** The project that an upload was published as, and its size. */
export interface PublishedUpload extends UploadSize, Pick<LargeUpload, 'warnings'> {
  projectId: ProjectId;
}

/** The result of an upload. */
export type UploadResult =
  | ({ state: 'published' } & PublishedUpload)
  | { state: 'failed'; failure: ErrorBody };

/** A file of an upload that has arrived, or of which some parts have. */
export interface ArrivedFile {
  size: number;
  /** Whether all its bytes have arrived. */
  isWhole: boolean;
  /**
   * Identifies the bytes that were found, while the file's URLs may still replace them. Absent once
   * the file is closed.
   */
  open?: { multipartId: string; parts: readonly { number: number; tag: string }[] };
}

/** The files of an upload that have arrived, by their numbers. */
export type ArrivedFiles = ReadonlyMap<number, ArrivedFile>;

/** A URL, and the bytes of a file that it takes. */
export interface SignedPart {
  url: string;
  index: number;
  offset: number;
  size: number;
}

/** The storage of uploads before they are published. Files are numbered as the upload announced them. */
export interface UploadArea {
  /**
   * Signs a URL for each `partBytes` of each file that takes exactly these bytes by PUT, until `until` or until the
   * upload is closed or removed, whichever is first. In the order of the files and their bytes.
   */
  open(
    uploadId: UploadId,
    files: readonly AnnouncedFile[],
    urls: { until: Date; partBytes: number },
  ): Promise<SignedPart[]>;
  /** Stores one file that came in a request; it has no URL. */
  put(uploadId: UploadId, path: string, bytes: Uint8Array): Promise<void>;
  /** Scheme and host of the URLs. */
  origin(): Promise<string>;
  /** The files as they were announced; `undefined` once the upload was removed. */
  list(uploadId: UploadId): Promise<readonly AnnouncedFile[] | undefined>;
  arrived(uploadId: UploadId): Promise<ArrivedFiles>;
  /** Freezes these whole files: their URLs stop working. False when one was replaced in the meantime. */
  close(uploadId: UploadId, files: ArrivedFiles): Promise<boolean>;
  source(uploadId: UploadId, part: { index: number; size: number }): ByteSource;
  /** Removes everything of an upload; its URLs stop working. */
  remove(uploadId: UploadId): Promise<void>;
}
