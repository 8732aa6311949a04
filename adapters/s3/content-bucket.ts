import {
  DeleteObjectsCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  NoSuchKey,
  PutObjectCommand,
  S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3';
import type { ContentStore } from '../../core/ports.ts';
import { putLarge } from './large-object.ts';

/** Project content in S3. */
export function contentBucket(bucket: string, client = new S3Client({})): ContentStore {
  return {
    async put({ key, bytes, contentType, contentDisposition, cacheTag }) {
      await client.send(
        new PutObjectCommand({
          Bucket: bucket,
          Key: key,
          Body: bytes,
          ContentType: contentType,
          ContentDisposition: contentDisposition,
          Metadata: { 'cache-tag': cacheTag },
        }),
      );
    },
    async get(key, range) {
      try {
        const { Body } = await client.send(
          new GetObjectCommand({
            Bucket: bucket,
            Key: key,
            Range: range === undefined ? undefined : `bytes=${range.first}-${range.last}`,
          }),
        );
        return await Body?.transformToByteArray();
      } catch (error) {
        if (error instanceof NoSuchKey) return undefined;
        throw error;
      }
    },
    putLarge: (object, content, isStillNeeded) =>
      putLarge(client, bucket, { object, content, isStillNeeded }),
    rewrite: (key, edit) => rewrite(client, bucket, key, edit),
    has: (key) => hasObject(client, bucket, key),
    async deleteKeys(keys) {
      for (let first = 0; first < keys.length; first += 1000) {
        await deleteKeys(client, bucket, keys.slice(first, first + 1000));
      }
    },
    async deletePrefix(prefix) {
      for (;;) {
        const keys = await listKeys(client, bucket, prefix);
        if (keys.length === 0) return;
        await deleteKeys(client, bucket, keys);
      }
    },
  };
}

/** Writes only over what was read: another rewrite may have removed more. */
async function rewrite(
  client: S3Client,
  bucket: string,
  key: string,
  edit: (bytes: Uint8Array) => boolean,
): Promise<boolean> {
  const at = { Bucket: bucket, Key: key };
  try {
    const { Body, ETag, ContentType, Metadata } = await client.send(new GetObjectCommand(at));
    const bytes = await Body?.transformToByteArray();
    if (bytes === undefined || !edit(bytes)) return true;
    await client.send(
      new PutObjectCommand({ ...at, Body: bytes, ContentType, Metadata, IfMatch: ETag }),
    );
    return true;
  } catch (error) {
    if (error instanceof S3ServiceException && lostRace.has(error.name)) return false;
    throw error;
  }
}

const lostRace = new Set(['NoSuchKey', 'PreconditionFailed', 'ConditionalRequestConflict']);

async function hasObject(client: S3Client, bucket: string, key: string): Promise<boolean> {
  try {
    await client.send(new HeadObjectCommand({ Bucket: bucket, Key: key }));
    return true;
  } catch (error) {
    if (error instanceof S3ServiceException && isMissing(error)) return false;
    throw error;
  }
}

/**
 * A HEAD has no body, so only the status says why it failed. A missing object gives 403 to callers that
 * may not list the bucket (Amazon S3 API, HeadObject, "Permissions"), and in the local S3 to those that may
 * list it with a prefix only.
 */
function isMissing({ $metadata: { httpStatusCode } }: S3ServiceException): boolean {
  return httpStatusCode === 404 || httpStatusCode === 403;
}

/** At most 1,000 keys, the limit of one DeleteObjects call (Amazon S3 API). */
async function listKeys(client: S3Client, bucket: string, prefix: string): Promise<string[]> {
  const { Contents } = await client.send(
    new ListObjectsV2Command({ Bucket: bucket, Prefix: prefix, MaxKeys: 1000 }),
  );
  return (Contents ?? []).flatMap(({ Key }) => Key ?? []);
}

async function deleteKeys(
  client: S3Client,
  bucket: string,
  keys: readonly string[],
): Promise<void> {
  const { Errors } = await client.send(
    new DeleteObjectsCommand({
      Bucket: bucket,
      Delete: { Objects: keys.map((Key) => ({ Key })), Quiet: true },
    }),
  );
  const [first] = Errors ?? [];
  if (first !== undefined) throw new Error(`${first.Code}: ${first.Key} was not deleted`);
}
