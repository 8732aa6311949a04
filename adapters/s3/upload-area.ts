import { GetObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import type { UploadArea } from '../../core/uploads/ports.ts';
import { contentBucket } from './content-bucket.ts';
import {
  abortOpenFiles,
  arrivedFiles,
  closeFiles,
  openFiles,
  partKey,
  prefixOf,
  readFileList,
} from './waiting-files.ts';

/** Uploads that wait in S3; see `waiting-files.ts` for how their URLs end with them. */
export function uploadArea(bucket: string): UploadArea {
  const client = new S3Client({});
  // Else the SDK would sign a checksum of no bytes into the URL, and S3 would ask for one.
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
    open: (uploadId, files, until) => openFiles(storage, uploadId, { files, until }),
    async origin() {
      const command = new PutObjectCommand({ Bucket: bucket, Key: 'temp/' });
      return new URL(await getSignedUrl(plain, command, { expiresIn: 1 })).origin;
    },
    async list(uploadId) {
      const files = await readFileList(storage, uploadId);
      return files?.map(({ path, size }) => ({ path, size }));
    },
    arrived: (uploadId) => arrivedFiles(storage, uploadId),
    close: (uploadId, parts) => closeFiles(storage, uploadId, parts),
    source: (uploadId, { index, size }) => {
      const key = partKey(uploadId, index);
      return {
        size,
        read: (first, last) => range(key, first, last),
        stream: (first, last) => inRanges((from, to) => range(key, from, to), first, last),
      };
    },
    async remove(uploadId) {
      // First: what is still open could become an object.
      await abortOpenFiles(storage, uploadId);
      await storage.content.deletePrefix(prefixOf(uploadId));
    },
  };
}

const rangeBytes = 8 * 1024 * 1024;

/** One request would not outlast a slow reader; the next range is fetched while one is read. */
async function* inRanges(
  read: (first: number, last: number) => Promise<Uint8Array>,
  first: number,
  last: number,
): AsyncGenerator<Uint8Array> {
  const start = (at: number) => {
    const range = read(at, Math.min(last, at + rangeBytes - 1));
    // Who leaves early does not wait for it.
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
