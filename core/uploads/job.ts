import * as z from 'zod';
import { AccountId, type ProjectId } from '../../contract/fields.ts';
import type { StoreId } from '../content/content-keys.ts';
import type { PreparedUpload } from '../content/prepare-upload.ts';
import { UploadId } from './upload.ts';

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
  asFileBundle: z.boolean().optional(),
  /** Of the request that asked for it. */
  requestId: z.string(),
});
export type UploadJob = z.infer<typeof UploadJob>;

/** The name of a job. */
export interface JobKey {
  projectId: ProjectId;
  store: StoreId;
}

/** Hands jobs to workers; one may arrive twice, or late. */
export interface JobQueue {
  send(job: JobKey): Promise<void>;
}

/** Then a job that nobody has done is handed out again. */
export const jobSeconds = 1200;

/**
 * Hands a job to a worker. A failure is no failure of the request: the job stands written, and is
 * handed out again when it is due.
 */
export async function handOut(
  deps: { jobs: JobQueue; onFailure(item: unknown, error: unknown): void },
  key: JobKey,
): Promise<void> {
  try {
    await deps.jobs.send(key);
  } catch (error) {
    deps.onFailure({ kind: 'job', ...key }, error);
  }
}

const mebibyte = 1024 * 1024;
/** What a request can surely publish before its 29 s are over (Amazon API Gateway quota). */
const atOnce = { bytes: 16 * mebibyte, files: 200 };

/** Whether an upload takes longer than a request may. */
export function needsWorker({ bytes, fileCount }: PreparedUpload): boolean {
  return bytes > atOnce.bytes || fileCount > atOnce.files;
}
