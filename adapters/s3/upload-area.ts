import { GetObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import type { UploadArea } from '../../core/uploads/upload.ts';
import { contentBucket } from './content-bucket.ts';
import {
  abortOpenFiles,
  arrivedFiles,
  closeFiles,
  openFiles,
  partKey,
  putFile,
  prefixOf,
  readFileList,
} from './waiting-files.ts';

/** Staged uploads in S3. `waiting-files.ts` describes how their URLs become invalid. */
export function uploadArea(bucket: string): UploadArea {
  const client = new S3Client({});
  // By default the SDK signs the checksum of an empty body into the URL, and S3 would require it.
  const plain = new S3Client({ requestChecksumCalculation: 'WHEN_REQUIRED' });
  const storage = { client, plain, bucket, content: contentBucket(bucket) };
  const range = async (Key: string, first: number, last: number) => {
    const { Body } = await client.send(
      new GetObjectCommand({ Bucket: bucket, Key, Range: `bytes=${first}-${last}` }),
    );
    if (Body === undefined) throw new Error(`${Key} has no body`);
    return Body.transformToByteArray();
  };
  return {
    open: (uploadId, files, urls) => openFiles(storage, uploadId, { files, ...urls }),
    put: (uploadId, path, bytes) => putFile(storage, uploadId, { path, bytes }),
    async origin() {
      const command = new PutObjectCommand({ Bucket: bucket, Key: 'temp/' });
      return new URL(await getSignedUrl(plain, command, { expiresIn: 1 })).origin;
    },
    async list(uploadId) {
      const files = await readFileList(storage, uploadId);
      return files?.map(({ path, size }) => ({ path, size }));
    },
    arrived: (uploadId) => arrivedFiles(storage, uploadId),
    close: (uploadId, files) => closeFiles(storage, uploadId, files),
    source: (uploadId, { index, size }) => {
      const key = partKey(uploadId, index);
      return {
        size,
        read: (first, last) => range(key, first, last),
        stream: (first, last) => inRanges((from, to) => range(key, from, to), first, last),
      };
    },
    async remove(uploadId) {
      // This must come first, because an open upload could still become an object.
      await abortOpenFiles(storage, uploadId);
      await storage.content.deletePrefix(prefixOf(uploadId));
    },
  };
}

const rangeBytes = 8 * 1024 * 1024;

/**
 * Reads a range in several requests, because one request times out if the reader is slow. Fetches
 * the next range while the current one is read.
 */
async function* inRanges(
  read: (first: number, last: number) => Promise<Uint8Array>,
  first: number,
  last: number,
): AsyncGenerator<Uint8Array> {
  const start = (at: number) => {
    const range = read(at, Math.min(last, at + rangeBytes - 1));
    // If the reader stops early, nobody awaits this promise.
    range.catch(() => undefined);
    return range;
  };
  let next = start(first);
  for (let at = first; at <= last; at += rangeBytes) {
    const bytes = await next;
    if (at + rangeBytes <= last) next = start(at + rangeBytes);
    yield bytes;
  }
}
