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
  type ArrivedFile,
  type ArrivedFiles,
  partCount,
  type SignedPart,
  type UploadId,
} from '../../core/uploads/upload.ts';

/**
 * Each file of a staged upload is a multipart upload of its own, most of one part. Once that is
 * completed or aborted, S3 refuses its parts (404 `NoSuchUpload`). So the signed URLs stop working,
 * even if their signatures have not expired (decision 0038). The length of each is signed, so a file with as many
 * bytes as were announced has all its parts.
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
 * URLs in the order of the files and their parts.
 */
export async function openFiles(
  { plain, client, bucket }: UploadStorage,
  uploadId: UploadId,
  { files, until, partBytes }: { files: readonly AnnouncedFile[]; until: Date; partBytes: number },
): Promise<SignedPart[]> {
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
  const parts = stagedFiles.flatMap(({ size, multipartId }, index) =>
    Array.from({ length: partCount({ size }, partBytes) }, (_, at) => {
      const offset = at === 0 ? 0 : at * partBytes;
      const part = { index, number: at + 1, multipartId };
      return { ...part, offset, size: Math.min(partBytes, size - offset) };
    }),
  );
  return signedParts({ plain, bucket }, uploadId, { parts, expiresIn });
}

/** A part of a file, before its URL is signed. */
interface StagedPart extends Omit<SignedPart, 'url'> {
  number: number;
  multipartId: string;
}

/**
 * Each part with its URL. `getSignedUrl` builds a whole command for each, which takes seconds of processor time
 * for 2,000 files: it makes the first URL, whose origin and path the others have too.
 */
async function signedParts(
  { plain, bucket }: Pick<UploadStorage, 'plain' | 'bucket'>,
  uploadId: UploadId,
  { parts, expiresIn }: { parts: readonly StagedPart[]; expiresIn: number },
): Promise<SignedPart[]> {
  const first = { Bucket: bucket, Key: partKey(uploadId, 0), UploadId: '', PartNumber: 1 };
  const { origin, host, hostname, port, protocol, pathname } = new URL(
    await getSignedUrl(plain, new UploadPartCommand(first), { expiresIn }),
  );
  const presigner = new S3RequestPresigner(plain.config);
  // The signature covers the length, so S3 refuses any other.
  const signableHeaders = new Set(['content-length', 'host']);
  const signed = parts.map(async ({ number, multipartId, ...part }) => {
    const path = pathname.slice(0, -partKey(uploadId, 0).length) + partKey(uploadId, part.index);
    const query = { uploadId: multipartId, partNumber: String(number), 'x-id': 'UploadPart' };
    const headers = { host, 'content-length': String(part.size) };
    const at = { protocol, hostname, ...(port !== '' && { port: Number(port) }) };
    const request = { ...at, method: 'PUT', path, query, headers };
    const { query: fields = {} } = await presigner.presign(request, { expiresIn, signableHeaders });
    const search = new URLSearchParams(Object.entries(fields).map(asText));
    search.sort();
    return { ...part, url: `${origin}${path}?${search.toString()}` };
  });
  return Promise.all(signed);
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

/** The files that have arrived: as objects if they are closed, in parts if they are still open. */
export async function arrivedFiles(
  storage: UploadStorage,
  uploadId: UploadId,
): Promise<ArrivedFiles> {
  const files = (await readFileList(storage, uploadId)) ?? [];
  const arrived = await closedFiles(storage, uploadId, files);
  let areOutdated = false;
  await forEachInParallel(files.entries(), async ([index, file]) => {
    if (arrived.has(index)) return;
    const sent = await sentParts(storage, partKey(uploadId, index), file);
    if (sent === 'closed') areOutdated = true;
    else if (sent !== undefined) arrived.set(index, sent);
  });
  // Another request closes them at the same time.
  return areOutdated
    ? new Map([...arrived, ...(await closedFiles(storage, uploadId, files))])
    : arrived;
}

async function closedFiles(
  { client, bucket }: UploadStorage,
  uploadId: UploadId,
  announced: readonly AnnouncedFile[],
) {
  const Prefix = `${prefixOf(uploadId)}part-`;
  const files = new Map<number, ArrivedFile>();
  let ContinuationToken: string | undefined;
  do {
    const page = await client.send(
      new ListObjectsV2Command({ Bucket: bucket, Prefix, ContinuationToken }),
    );
    for (const { Key = '', Size = 0 } of page.Contents ?? []) {
      const index = Number(Key.slice(Prefix.length));
      files.set(index, { size: Size, isWhole: Size === announced[index]?.size });
    }
    ContinuationToken = page.NextContinuationToken;
  } while (ContinuationToken !== undefined);
  return files;
}

/** The parts of one file that have arrived. A file has fewer than the 1,000 of a page. */
async function sentParts(
  { client, bucket }: UploadStorage,
  Key: string,
  { size: announced, multipartId }: z.infer<typeof StagedFile>,
): Promise<ArrivedFile | 'closed' | undefined> {
  try {
    const { Parts = [] } = await client.send(
      new ListPartsCommand({ Bucket: bucket, Key, UploadId: multipartId }),
    );
    if (Parts.length === 0) return undefined;
    const size = Parts.reduce((sum, { Size = 0 }) => sum + Size, 0);
    const parts = Parts.map(({ PartNumber = 0, ETag = '' }) => ({ number: PartNumber, tag: ETag }));
    return { size, isWhole: size === announced, open: { multipartId, parts } };
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
  files: ArrivedFiles,
): Promise<boolean> {
  let areUnchanged = true;
  await forEachInParallel(files, async ([index, { open }]) => {
    if (open === undefined) return;
    const Parts = open.parts.map(({ number, tag }) => ({ PartNumber: number, ETag: tag }));
    const complete = new CompleteMultipartUploadCommand({
      Bucket: bucket,
      Key: partKey(uploadId, index),
      UploadId: open.multipartId,
      MultipartUpload: { Parts },
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
