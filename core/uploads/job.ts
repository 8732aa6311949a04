import * as z from 'zod';
import { AccountId, Instant, PublishedBy, Spa } from '../../contract/fields.ts';
import { maxFunctionSeconds } from '../../contract/limits.ts';
import type { StoreKey } from '../content/content-keys.ts';
import { NamedPreview } from '../projects/previews/named-preview.ts';
import type { PreparedUpload } from '../content/prepare-upload.ts';
import { UploadId } from './upload.ts';

/** What an upload takes of its file request: its number, and a part of what its sender's network may send in the day of `at`. */
export const RequestPlace = z.object({
  number: z.int(),
  /** The sender's address, in whose part a worker counts the bytes. */
  address: z.string(),
  share: z.object({ keys: z.array(z.string()), at: Instant }).optional(),
});
export type RequestPlace = z.infer<typeof RequestPlace>;

/** An upload that a worker is to publish: as a project's first version, or as its next one. */
export const UploadJob = z.object({
  kind: z.enum(['first', 'push']),
  uploadId: UploadId,
  accountId: AccountId,
  /** The number that its version gets. */
  number: z.number().int().positive(),
  /** The live version that a push is to replace. */
  expectedVersion: z.number().optional(),
  zipIndexHtmlPath: z.string().optional(),
  home: z.literal('auto').optional(),
  asFileBundle: z.boolean().optional(),
  includeHidden: z.union([z.boolean(), z.literal('never')]).optional(),
  allowSecrets: z.boolean().optional(),
  takePictures: z.boolean().optional(),
  /** A push that does not become live. */
  draft: z.boolean().optional(),
  /** What its publisher says about the version. */
  note: z.string().optional(),
  /** Settings of the project that become those of the push. */
  settings: z
    .object({
      title: z.string().optional(),
      spa: z.optional(Spa),
      prettyUrls: z.boolean().optional(),
    })
    .optional(),
  /** A push that adds the upload as a new folder. */
  into: z.object({ folder: z.string(), expectsPrivate: z.boolean() }).optional(),
  /** A push that a named preview shows. */
  preview: z
    .object({
      name: z.string(),
      access: NamedPreview.shape.access,
      lifeSeconds: z.number().int().positive(),
    })
    .optional(),
  /** The place of the upload in its file request, which gets it back if this fails. */
  received: RequestPlace.optional(),
  publishedBy: PublishedBy,
  requestId: z.string(),
});
export type UploadJob = z.infer<typeof UploadJob>;

/** Sends jobs to workers; a job may arrive twice, or late. */
export interface JobQueue {
  /** Jobs of an account wait for those of others that have fewer. */
  send(job: StoreKey, accountId: AccountId): Promise<void>;
}

/** After this a job fails. */
export const jobDeadlineSeconds = 2 * 3600;

/** After this no worker runs for a job any more: one may have begun just before the deadline. */
export const jobLifeSeconds = jobDeadlineSeconds + maxFunctionSeconds;

/** A job that is not done after this is sent again. */
export const jobRetrySeconds = 1200;

/**
 * Sends a job to a worker. A failure does not fail the request: the job is stored, and the sweep
 * sends it again when it is due.
 */
export async function sendJob(
  deps: { jobs: JobQueue; onFailure(item: unknown, error: unknown): void },
  key: StoreKey,
  accountId: AccountId,
): Promise<void> {
  try {
    await deps.jobs.send(key, accountId);
  } catch (error) {
    deps.onFailure({ kind: 'job', ...key }, error);
  }
}

const mebibyte = 1024 * 1024;
/**
 * The amount that a request can reliably publish within its 29 s (Amazon API Gateway quota). Each file of
 * an upload in storage is a request to S3.
 */
const requestCapacity = { bytes: 16 * mebibyte, files: 200 };

/** The same for a ZIP in the request: its small files are written together (docs/performance.md). */
export const receivedCapacity = { maxBytes: requestCapacity.bytes, maxFiles: 2000 };

/** Whether an upload takes longer than a request may. */
export function needsWorker(upload: PreparedUpload): boolean {
  const { bytes, unpackedBytes = bytes, fileCount } = upload;
  return unpackedBytes > requestCapacity.bytes || fileCount > requestCapacity.files;
}
