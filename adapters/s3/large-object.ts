import {
  AbortMultipartUploadCommand,
  type CompletedPart,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  type S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import type { StoredObject } from '../../core/ports.ts';

/** S3 takes 10,000 parts of 5 MiB to 5 GiB: this allows objects of 80 GiB. */
const partBytes = 8 * 1024 * 1024;
const partsAtOnce = 4;

interface LargeObject {
  object: Omit<StoredObject, 'bytes'>;
  content: AsyncIterable<Uint8Array>;
  isWanted(): boolean;
}

interface Target {
  Bucket: string;
  Key: string;
  UploadId: string | undefined;
}

/** Stores an object in parts while its content is read; nothing of it remains when that fails or it is not wanted. */
export async function putLarge(client: S3Client, Bucket: string, large: LargeObject) {
  const { key: Key, contentType, contentDisposition, cacheTag } = large.object;
  const { UploadId } = await client.send(
    new CreateMultipartUploadCommand({
      Bucket,
      Key,
      ContentType: contentType,
      ContentDisposition: contentDisposition,
      Metadata: { 'cache-tag': cacheTag },
    }),
  );
  const target = { Bucket, Key, UploadId };
  try {
    const Parts = await uploadParts(client, target, inParts(large.content));
    if (large.isWanted()) {
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
  let underWay: Promise<void>[] = [];
  let PartNumber = 0;
  try {
    for await (const Body of parts) {
      PartNumber += 1;
      underWay.push(uploadPart(client, target, { PartNumber, Body, done }));
      if (underWay.length === partsAtOnce) {
        await Promise.all(underWay);
        underWay = [];
      }
    }
  } finally {
    // None may arrive after the upload was given up.
    await Promise.allSettled(underWay);
  }
  await Promise.all(underWay);
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
  let held = 0;
  for await (const chunk of content) {
    chunks.push(chunk);
    held += chunk.length;
    if (held < partBytes) continue;
    yield Buffer.concat(chunks);
    chunks = [];
    held = 0;
  }
  if (held > 0) yield Buffer.concat(chunks);
}
