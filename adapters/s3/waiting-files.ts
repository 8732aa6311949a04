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
import { getSignedUrl, S3RequestPresigner } from '@aws-sdk/s3-request-presigner';
import * as z from 'zod';
import type { ContentStore } from '../../core/ports.ts';
import { workPool } from '../../core/projects/publishing/work-pool.ts';
import {
  AnnouncedFile,
  type ArrivedPart,
  type ArrivedParts,
  type UploadId,
} from '../../core/uploads/upload.ts';

/**
 * Each file of a staged upload is the single part of its own multipart upload. Once that is
 * completed or aborted, S3 refuses its part (404 `NoSuchUpload`). So the signed URL stops working,
 * even if its signature has not expired (decision 0038).
 */
export interface UploadStorage {
  client: S3Client;
  /** A client that adds no checksums, because the sender of the bytes computes none. */
  plain: S3Client;
  bucket: string;
  content: Pick<ContentStore, 'get' | 'deletePrefix'>;
}

/** The bucket's lifecycle rule deletes objects with this prefix after a day in any case. */
export const prefixOf = (uploadId: UploadId) => `temp/${uploadId}/`;
export const partKey = (uploadId: UploadId, index: number) => `${prefixOf(uploadId)}part-${index}`;
const listKey = (uploadId: UploadId) => `${prefixOf(uploadId)}list`;

/** An announced file and the S3 multipart upload for its bytes. */
const StagedFile = AnnouncedFile.extend({ multipartId: z.string() });

/** A client of the SDK has 50 sockets. */
const maxParallelCalls = { count: 48, bytes: Number.POSITIVE_INFINITY };

async function forEachInParallel<T>(
  items: Iterable<T>,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const pool = workPool(maxParallelCalls);
  try {
    for (const item of items) await pool.add(0, () => work(item));
  } finally {
    await pool.settled();
  }
}

/**
 * Creates a multipart upload for each file, stores the list beside them, and returns the upload
 * URLs in the order of the files.
 */
export async function openFiles(
  { plain, client, bucket }: UploadStorage,
  uploadId: UploadId,
  { files, until }: { files: readonly AnnouncedFile[]; until: Date },
): Promise<string[]> {
  const stagedFiles = files.map((file) => ({ ...file, multipartId: '' }));
  await forEachInParallel(stagedFiles.entries(), async ([index, file]) => {
    const Key = partKey(uploadId, index);
    const { UploadId = '' } = await plain.send(
      new CreateMultipartUploadCommand({ Bucket: bucket, Key }),
    );
    file.multipartId = UploadId;
  });
  await putList({ client, bucket }, uploadId, stagedFiles);
  const expiresIn = Math.max(1, Math.floor((until.getTime() - Date.now()) / 1000));
  return signedUrls({ plain, bucket }, uploadId, { files: stagedFiles, expiresIn });
}

/**
 * The URL of each file's part. `getSignedUrl` builds a whole command for each, which takes seconds of processor time
 * for 2,000 files: it makes the first URL, whose origin and path the others have too.
 */
async function signedUrls(
  { plain, bucket }: Pick<UploadStorage, 'plain' | 'bucket'>,
  uploadId: UploadId,
  { files, expiresIn }: { files: readonly z.infer<typeof StagedFile>[]; expiresIn: number },
): Promise<string[]> {
  const first = { Bucket: bucket, Key: partKey(uploadId, 0), UploadId: '', PartNumber: 1 };
  const { origin, host, hostname, port, protocol, pathname } = new URL(
    await getSignedUrl(plain, new UploadPartCommand(first), { expiresIn }),
  );
  const presigner = new S3RequestPresigner(plain.config);
  // The signature covers the length, so S3 refuses any other.
  const signableHeaders = new Set(['content-length', 'host']);
  const urls = files.map(async ({ size, multipartId }, index) => {
    const path = pathname.slice(0, -partKey(uploadId, 0).length) + partKey(uploadId, index);
    const query = { uploadId: multipartId, partNumber: '1', 'x-id': 'UploadPart' };
    const headers = { host, 'content-length': String(size) };
    const at = { protocol, hostname, ...(port !== '' && { port: Number(port) }) };
    const request = { ...at, method: 'PUT', path, query, headers };
    const signed = await presigner.presign(request, { expiresIn, signableHeaders });
    const search = new URLSearchParams(Object.entries(signed.query ?? {}).map(asText));
    search.sort();
    return `${origin}${path}?${search.toString()}`;
  });
  return Promise.all(urls);
}

const asText = ([name, value]: [string, unknown]): [string, string] => [name, String(value)];

async function putList(
  { client, bucket }: Pick<UploadStorage, 'client' | 'bucket'>,
  uploadId: UploadId,
  files: readonly z.infer<typeof StagedFile>[],
): Promise<void> {
  const Body = gzipSync(JSON.stringify(files));
  await client.send(new PutObjectCommand({ Bucket: bucket, Key: listKey(uploadId), Body }));
}

/** Stores a file that came in a request. It is closed from the start. */
export async function putFile(
  storage: UploadStorage,
  uploadId: UploadId,
  { path, bytes }: { path: string; bytes: Uint8Array },
): Promise<void> {
  const { client, bucket } = storage;
  const Key = partKey(uploadId, 0);
  await client.send(new PutObjectCommand({ Bucket: bucket, Key, Body: bytes }));
  await putList(storage, uploadId, [{ path, size: bytes.length, multipartId: '' }]);
}

/** The announced files; `undefined` after the upload was removed. */
export async function readFileList({ content }: UploadStorage, uploadId: UploadId) {
  const compressed = await content.get(listKey(uploadId));
  if (compressed === undefined) return undefined;
  return z.array(StagedFile).parse(JSON.parse(gunzipSync(compressed).toString()));
}

/** The files that have arrived: as objects if they are closed, as parts if they are still open. */
export async function arrivedFiles(
  storage: UploadStorage,
  uploadId: UploadId,
): Promise<ArrivedParts> {
  const files = (await readFileList(storage, uploadId)) ?? [];
  const parts = await closedFiles(storage, uploadId);
  let areOutdated = false;
  await forEachInParallel(files.entries(), async ([index, { multipartId }]) => {
    if (parts.has(index)) return;
    const sent = await sentPart(storage, partKey(uploadId, index), multipartId);
    if (sent === 'closed') areOutdated = true;
    else if (sent !== undefined) parts.set(index, sent);
  });
  // Another request closes them at the same time.
  return areOutdated ? new Map([...parts, ...(await closedFiles(storage, uploadId))]) : parts;
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
): Promise<ArrivedPart | 'closed' | undefined> {
  try {
    const { Parts = [] } = await client.send(
      new ListPartsCommand({ Bucket: bucket, Key, UploadId }),
    );
    const [part] = Parts;
    if (part === undefined) return undefined;
    return { size: part.Size ?? 0, open: { multipartId: UploadId, tag: part.ETag ?? '' } };
  } catch (error) {
    // Another call completed or aborted it meanwhile.
    if (isNamed(error, 'NoSuchUpload')) return 'closed';
    throw error;
  }
}

/**
 * Completes the multipart uploads, so that their URLs stop working. False if a file was sent again
 * since it was listed.
 */
export async function closeFiles(
  { plain, bucket }: UploadStorage,
  uploadId: UploadId,
  parts: ArrivedParts,
): Promise<boolean> {
  let areUnchanged = true;
  await forEachInParallel(parts, async ([index, { open }]) => {
    if (open === undefined) return;
    const complete = new CompleteMultipartUploadCommand({
      Bucket: bucket,
      Key: partKey(uploadId, index),
      UploadId: open.multipartId,
      MultipartUpload: { Parts: [{ PartNumber: 1, ETag: open.tag }] },
    });
    await plain.send(complete).catch((error: unknown) => {
      if (isNamed(error, 'InvalidPart')) areUnchanged = false;
      // The first try had completed it, but its response was lost, and the SDK retried.
      else if (!isNamed(error, 'NoSuchUpload')) throw error;
    });
  });
  return areUnchanged;
}

/** Aborts the open files of an upload, so that their URLs stop working. */
export async function abortOpenFiles(
  { client, bucket }: UploadStorage,
  uploadId: UploadId,
): Promise<void> {
  for (;;) {
    const { Uploads = [] } = await client.send(
      new ListMultipartUploadsCommand({ Bucket: bucket, Prefix: prefixOf(uploadId) }),
    );
    if (Uploads.length === 0) return;
    await forEachInParallel(Uploads, async ({ Key, UploadId }) => {
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
