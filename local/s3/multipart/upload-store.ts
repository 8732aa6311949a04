import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, rmSync, unlinkSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import * as z from 'zod';
import { type Draft, readBody, readRecord, withDraft } from '../objects/object-files.ts';
import { StoredMetadata } from '../objects/object-metadata.ts';
import { S3Error } from '../protocol/s3-error.ts';
import { compareUtf8 } from '../objects/list-page.ts';

/** A multipart upload in progress. */
export const UploadRecord = z.object({
  uploadId: z.string(),
  key: z.string(),
  initiatedAt: z.string(),
  metadata: StoredMetadata,
});
export type UploadRecord = z.infer<typeof UploadRecord>;

/** One uploaded part. */
export const PartRecord = z.object({
  partNumber: z.number().int(),
  size: z.number().int(),
  etag: z.string(),
  lastModified: z.string(),
  crc32: z.string().optional(),
});
export type PartRecord = z.infer<typeof PartRecord>;

/** The multipart uploads of one bucket, on disk and indexed in memory. */
export interface UploadStore {
  create(upload: Omit<UploadRecord, 'uploadId'>): Promise<UploadRecord>;
  /** `NoSuchUpload` unless it exists and belongs to the key. */
  get(uploadId: string, key: string): UploadRecord;
  parts(upload: UploadRecord): PartRecord[];
  putPart(upload: UploadRecord, part: PartRecord, draft: Draft): Promise<void>;
  readPart(upload: UploadRecord, part: PartRecord): Readable;
  remove(upload: UploadRecord): Promise<void>;
  /** By key, then by age. */
  list(): UploadRecord[];
}

const RECORD = 'upload';

interface Entry {
  upload: UploadRecord;
  parts: Map<number, PartRecord>;
}

/** Opens the uploads in a directory. An upload without its record was being removed: it is deleted. */
export function openUploads(dir: string, temporaryDir: string): UploadStore {
  const entries = loadUploads(dir);
  const fileOf = (upload: UploadRecord, name: string) => join(dir, upload.uploadId, name);

  function entry(uploadId: string, key: string): Entry {
    const found = entries.get(uploadId);
    if (found === undefined || found.upload.key !== key) throw new S3Error('NoSuchUpload');
    return found;
  }

  return {
    async create(input) {
      const upload = { ...input, uploadId: randomBytes(24).toString('hex') };
      mkdirSync(join(dir, upload.uploadId));
      await withDraft(temporaryDir, async (draft) => {
        await draft.seal(upload);
        draft.publish(fileOf(upload, RECORD));
      });
      entries.set(upload.uploadId, { upload, parts: new Map() });
      return upload;
    },
    get: (uploadId, key) => entry(uploadId, key).upload,
    parts: ({ uploadId, key }) =>
      [...entry(uploadId, key).parts.values()].sort((a, b) => a.partNumber - b.partNumber),
    async putPart(upload, part, draft) {
      await draft.seal(part);
      const { parts } = entry(upload.uploadId, upload.key);
      draft.publish(fileOf(upload, String(part.partNumber)));
      parts.set(part.partNumber, part);
    },
    readPart: (upload, part) => readBody(fileOf(upload, String(part.partNumber)), 0, part.size - 1),
    async remove(upload) {
      entry(upload.uploadId, upload.key);
      entries.delete(upload.uploadId);
      unlinkSync(fileOf(upload, RECORD));
      await rm(join(dir, upload.uploadId), { recursive: true, force: true });
    },
    list: () =>
      [...entries.values()]
        .map(({ upload }) => upload)
        .sort((a, b) => compareUtf8(a.key, b.key) || compareUtf8(a.initiatedAt, b.initiatedAt)),
  };
}

function loadUploads(dir: string): Map<string, Entry> {
  mkdirSync(dir, { recursive: true });
  const entries = new Map<string, Entry>();
  for (const uploadId of readdirSync(dir)) {
    const record = join(dir, uploadId, RECORD);
    if (!existsSync(record)) {
      rmSync(join(dir, uploadId), { recursive: true });
      continue;
    }
    const parts = readdirSync(join(dir, uploadId))
      .filter((name) => name !== RECORD)
      .map((name) => readRecord(join(dir, uploadId, name), PartRecord));
    entries.set(uploadId, {
      upload: readRecord(record, UploadRecord),
      parts: new Map(parts.map((part) => [part.partNumber, part])),
    });
  }
  return entries;
}
