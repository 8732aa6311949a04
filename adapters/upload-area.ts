import { gunzipSync, gzipSync } from 'node:zlib';
import {
  GetObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import * as z from 'zod';
import type { UploadArea } from '../core/uploads/ports.ts';
import { AnnouncedFile, type UploadId } from '../core/uploads/upload.ts';
import { contentBucket } from './content-bucket.ts';

/** The bucket's lifecycle empties it after a day, whatever happens. */
const prefixOf = (uploadId: UploadId) => `temp/${uploadId}/`;
const partKey = (uploadId: UploadId, index: number) => `${prefixOf(uploadId)}part-${index}`;
const listKey = (uploadId: UploadId) => `${prefixOf(uploadId)}list`;

/** Uploads that wait in S3. */
export function uploadArea(bucket: string): UploadArea {
  const client = new S3Client({});
  // Else the SDK would sign a checksum of no bytes into the URL.
  const signing = new S3Client({ requestChecksumCalculation: 'WHEN_REQUIRED' });
  const content = contentBucket(bucket);
  const range = async (Key: string, first: number, last: number) => {
    const { Body } = await client.send(
      new GetObjectCommand({ Bucket: bucket, Key, Range: `bytes=${first}-${last}` }),
    );
    if (Body === undefined) throw new Error(`${Key} has no body`);
    return Body.transformToByteArray();
  };
  return {
    sign(uploadId, { index, size }, until) {
      const command = new PutObjectCommand({
        Bucket: bucket,
        Key: partKey(uploadId, index),
        ContentLength: size,
      });
      const expiresIn = Math.max(1, Math.floor((until.getTime() - Date.now()) / 1000));
      // Signed, so that storage refuses any other length.
      const signableHeaders = new Set(['content-length', 'host']);
      return getSignedUrl(signing, command, { expiresIn, signableHeaders });
    },
    async putList(uploadId, files) {
      const Body = gzipSync(JSON.stringify(files));
      await client.send(new PutObjectCommand({ Bucket: bucket, Key: listKey(uploadId), Body }));
    },
    async list(uploadId) {
      const packed = await content.get(listKey(uploadId));
      if (packed === undefined) return undefined;
      return z.array(AnnouncedFile).parse(JSON.parse(gunzipSync(packed).toString()));
    },
    arrived: (uploadId) => arrived(client, bucket, uploadId),
    source: (uploadId, { index, size }) => {
      const key = partKey(uploadId, index);
      return {
        size,
        read: (first, last) => range(key, first, last),
        stream: (first, last) => inRanges((from, to) => range(key, from, to), first, last),
      };
    },
    remove: (uploadId) => content.deletePrefix(prefixOf(uploadId)),
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

async function arrived(client: S3Client, bucket: string, uploadId: UploadId) {
  const Prefix = `${prefixOf(uploadId)}part-`;
  const sizes = new Map<number, number>();
  let ContinuationToken: string | undefined;
  do {
    const page = await client.send(
      new ListObjectsV2Command({ Bucket: bucket, Prefix, ContinuationToken }),
    );
    for (const { Key = '', Size = 0 } of page.Contents ?? []) {
      sizes.set(Number(Key.slice(Prefix.length)), Size);
    }
    ContinuationToken = page.NextContinuationToken;
  } while (ContinuationToken !== undefined);
  return sizes;
}
