import { gunzipSync, gzipSync } from 'node:zlib';
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  ListPartsCommand,
  PutObjectCommand,
  type S3Client,
  S3ServiceException,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import * as z from 'zod';
import type { ContentStore } from '../../core/ports.ts';
import { workPool } from '../../core/projects/publishing/work-pool.ts';
import type { ArrivedPart, ArrivedParts } from '../../core/uploads/ports.ts';
import { AnnouncedFile, type UploadId } from '../../core/uploads/upload.ts';

/**
 * Each file of a large upload is sent as the only part of a multipart upload of its own. S3 refuses
 * a part (404 `NoSuchUpload`) once that upload is completed or aborted, so that a signed URL is
 * dead from then on, however long its signature lasts (decision 0038).
 */
export interface UploadStorage {
  client: S3Client;
  /** The same without checksums, which whoever sends the bytes does not compute. */
  plain: S3Client;
  bucket: string;
  content: Pick<ContentStore, 'get' | 'deletePrefix'>;
}

/** The bucket's lifecycle empties it after a day, whatever happens. */
export const prefixOf = (uploadId: UploadId) => `temp/${uploadId}/`;
export const partKey = (uploadId: UploadId, index: number) => `${prefixOf(uploadId)}part-${index}`;
const listKey = (uploadId: UploadId) => `${prefixOf(uploadId)}list`;

/** An announced file and the multipart upload of S3 that takes its bytes. */
const WaitingFile = AnnouncedFile.extend({ multipartId: z.string() });

/** A client of the SDK has 50 sockets. */
const callsAtOnce = { count: 48, bytes: Number.POSITIVE_INFINITY };

async function forEach<T>(items: Iterable<T>, work: (item: T) => Promise<void>): Promise<void> {
  const pool = workPool(callsAtOnce);
  try {
    for (const item of items) await pool.add(0, () => work(item));
  } finally {
    await pool.settled();
  }
}

/** Begins a file each, notes them beside their bytes, and gives their URLs in the order of the files. */
export async function openFiles(
  { plain, client, bucket }: UploadStorage,
  uploadId: UploadId,
  { files, until }: { files: readonly AnnouncedFile[]; until: Date },
): Promise<string[]> {
  const waiting = files.map((file) => ({ ...file, multipartId: '' }));
  await forEach(waiting.entries(), async ([index, file]) => {
    const Key = partKey(uploadId, index);
    const { UploadId = '' } = await plain.send(
      new CreateMultipartUploadCommand({ Bucket: bucket, Key }),
    );
    file.multipartId = UploadId;
  });
  const Body = gzipSync(JSON.stringify(waiting));
  await client.send(new PutObjectCommand({ Bucket: bucket, Key: listKey(uploadId), Body }));
  const expiresIn = Math.max(1, Math.floor((until.getTime() - Date.now()) / 1000));
  // Signed, so that storage refuses any other length.
  const signableHeaders = new Set(['content-length', 'host']);
  const urls = waiting.map(({ size, multipartId }, index) => {
    const part = { Key: partKey(uploadId, index), UploadId: multipartId, PartNumber: 1 };
    const command = new UploadPartCommand({ Bucket: bucket, ...part, ContentLength: size });
    return getSignedUrl(plain, command, { expiresIn, signableHeaders });
  });
  return Promise.all(urls);
}

/** The files as they were announced; `undefined` once the upload was removed. */
export async function readFileList({ content }: UploadStorage, uploadId: UploadId) {
  const packed = await content.get(listKey(uploadId));
  if (packed === undefined) return undefined;
  return z.array(WaitingFile).parse(JSON.parse(gunzipSync(packed).toString()));
}

/** What has arrived: objects of files that are closed, and parts of those that are still open. */
export async function arrivedFiles(
  storage: UploadStorage,
  uploadId: UploadId,
): Promise<ArrivedParts> {
  const files = (await readFileList(storage, uploadId)) ?? [];
  const parts = await closedFiles(storage, uploadId);
  await forEach(files.entries(), async ([index, { multipartId }]) => {
    if (parts.has(index)) return;
    const sent = await sentPart(storage, partKey(uploadId, index), multipartId);
    if (sent !== undefined) parts.set(index, sent);
  });
  return parts;
}

async function closedFiles({ client, bucket }: UploadStorage, uploadId: UploadId) {
  const Prefix = `${prefixOf(uploadId)}part-`;
  const parts = new Map<number, ArrivedPart>();
  let ContinuationToken: string | undefined;
  do {
    const page = await client.send(
      new ListObjectsV2Command({ Bucket: bucket, Prefix, ContinuationToken }),
    );
    for (const { Key = '', Size = 0 } of page.Contents ?? []) {
      parts.set(Number(Key.slice(Prefix.length)), { size: Size });
    }
    ContinuationToken = page.NextContinuationToken;
  } while (ContinuationToken !== undefined);
  return parts;
}

async function sentPart(
  { client, bucket }: UploadStorage,
  Key: string,
  UploadId: string,
): Promise<ArrivedPart | undefined> {
  try {
    const { Parts = [] } = await client.send(
      new ListPartsCommand({ Bucket: bucket, Key, UploadId }),
    );
    const [part] = Parts;
    if (part === undefined) return undefined;
    return { size: part.Size ?? 0, open: { multipartId: UploadId, tag: part.ETag ?? '' } };
  } catch (error) {
    // Aborted in the meantime.
    if (isNamed(error, 'NoSuchUpload')) return undefined;
    throw error;
  }
}

/** Makes objects of parts, so that their URLs are dead; false when one came again since it was listed. */
export async function closeFiles(
  { plain, bucket }: UploadStorage,
  uploadId: UploadId,
  parts: ArrivedParts,
): Promise<boolean> {
  let areSame = true;
  await forEach(parts, async ([index, { open }]) => {
    if (open === undefined) return;
    const complete = new CompleteMultipartUploadCommand({
      Bucket: bucket,
      Key: partKey(uploadId, index),
      UploadId: open.multipartId,
      MultipartUpload: { Parts: [{ PartNumber: 1, ETag: open.tag }] },
    });
    await plain.send(complete).catch((error: unknown) => {
      if (isNamed(error, 'InvalidPart')) areSame = false;
      // The SDK asked again after an answer that was lost: it is completed.
      else if (!isNamed(error, 'NoSuchUpload')) throw error;
    });
  });
  return areSame;
}

/** Ends what is still open of an upload; its URLs are dead. */
export async function abortOpenFiles(
  { client, bucket }: UploadStorage,
  uploadId: UploadId,
): Promise<void> {
  for (;;) {
    const { Uploads = [] } = await client.send(
      new ListMultipartUploadsCommand({ Bucket: bucket, Prefix: prefixOf(uploadId) }),
    );
    if (Uploads.length === 0) return;
    await forEach(Uploads, async ({ Key, UploadId }) => {
      const abort = new AbortMultipartUploadCommand({ Bucket: bucket, Key, UploadId });
      await client.send(abort).catch((error: unknown) => {
        if (!isNamed(error, 'NoSuchUpload')) throw error;
      });
    });
  }
}

function isNamed(error: unknown, name: string): boolean {
  return error instanceof S3ServiceException && error.name === name;
}
