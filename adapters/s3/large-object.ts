import {
  AbortMultipartUploadCommand,
  type CompletedPart,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  type S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import type { StoredObject } from '../../core/ports.ts';
import { storedCacheControl } from '../../core/visit/protocol/cache-policy.ts';

/** S3 allows 10,000 parts of 5 MiB to 5 GiB, so an object may have 78 GiB. */
const partBytes = 8 * 1024 * 1024;
const maxParallelParts = 4;

interface LargeObject {
  object: Omit<StoredObject, 'bytes'>;
  content: AsyncIterable<Uint8Array>;
  isStillNeeded(): boolean;
}

interface Target {
  Bucket: string;
  Key: string;
  UploadId: string | undefined;
}

/** The fields of a call that stores an object: all that S3 sends with it. */
export function objectFields(Bucket: string, object: Omit<StoredObject, 'bytes'>) {
  return {
    Bucket,
    Key: object.key,
    ContentType: object.contentType,
    ContentDisposition: object.contentDisposition,
    ContentEncoding: object.contentEncoding,
    CacheControl: storedCacheControl,
    Metadata: { 'cache-tag': object.cacheTag },
  };
}

/**
 * Stores an object in parts while its content is read. Aborts, so that nothing remains in S3, if a
 * part fails or `isStillNeeded` is false at the end.
 */
export async function putLarge(client: S3Client, Bucket: string, large: LargeObject) {
  const { key: Key } = large.object;
  const { UploadId } = await client.send(
    new CreateMultipartUploadCommand(objectFields(Bucket, large.object)),
  );
  const target = { Bucket, Key, UploadId };
  try {
    const Parts = await uploadParts(client, target, inParts(large.content));
    if (large.isStillNeeded()) {
      await client.send(
        new CompleteMultipartUploadCommand({ ...target, MultipartUpload: { Parts } }),
      );
      return;
    }
  } catch (error) {
    await client.send(new AbortMultipartUploadCommand(target));
    throw error;
  }
  await client.send(new AbortMultipartUploadCommand(target));
}

async function uploadParts(
  client: S3Client,
  target: Target,
  parts: AsyncIterable<Buffer>,
): Promise<CompletedPart[]> {
  const done: CompletedPart[] = [];
  let pendingParts: Promise<void>[] = [];
  let PartNumber = 0;
  try {
    for await (const Body of parts) {
      PartNumber += 1;
      pendingParts.push(uploadPart(client, target, { PartNumber, Body, done }));
      if (pendingParts.length === maxParallelParts) {
        await Promise.all(pendingParts);
        pendingParts = [];
      }
    }
  } finally {
    // Parts that arrive after the abort would remain in S3.
    await Promise.allSettled(pendingParts);
  }
  await Promise.all(pendingParts);
  return done.toSorted((a, b) => (a.PartNumber ?? 0) - (b.PartNumber ?? 0));
}

async function uploadPart(
  client: S3Client,
  target: Target,
  { PartNumber, Body, done }: { PartNumber: number; Body: Buffer; done: CompletedPart[] },
): Promise<void> {
  const { ETag, ChecksumCRC32 } = await client.send(
    new UploadPartCommand({ ...target, PartNumber, Body }),
  );
  done.push({ PartNumber, ETag, ChecksumCRC32 });
}

async function* inParts(content: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let chunks: Uint8Array[] = [];
  let bufferedBytes = 0;
  for await (const chunk of content) {
    chunks.push(chunk);
    bufferedBytes += chunk.length;
    if (bufferedBytes < partBytes) continue;
    yield Buffer.concat(chunks);
    chunks = [];
    bufferedBytes = 0;
  }
  if (bufferedBytes > 0) yield Buffer.concat(chunks);
}
