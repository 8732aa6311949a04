import {
  CopyObjectCommand,
  DeleteObjectsCommand,
  GetObjectCommand,
  HeadObjectCommand,
  type HeadObjectCommandOutput,
  ListObjectsV2Command,
  NoSuchKey,
  PutObjectCommand,
  S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3';
import type { ContentStore, StoredObject } from '../../core/ports.ts';
import { objectFields, putLarge } from './large-object.ts';

/** Project content in S3. */
export function contentBucket(bucket: string, client = new S3Client({})): ContentStore {
  return {
    async put({ bytes, ...object }) {
      await client.send(
        new PutObjectCommand({
          ...objectFields(bucket, object),
          Body: bytes,
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
    copy: (key, to) => copyObject(client, { bucket, key }, to),
    rewrite: (key, edit) => rewrite(client, bucket, key, edit),
    has: async (key) => (await headObject(client, bucket, key)) !== undefined,
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

/**
 * The cache tag is metadata, and a copy with new metadata takes none of its source (Amazon S3 API, CopyObject,
 * `x-amz-metadata-directive`), so the source's headers are read first.
 */
async function copyObject(
  client: S3Client,
  { bucket: Bucket, key }: { bucket: string; key: string },
  to: Pick<StoredObject, 'key' | 'cacheTag'>,
): Promise<boolean> {
  const source = await headObject(client, Bucket, key);
  if (source === undefined) return false;
  try {
    await client.send(
      new CopyObjectCommand({
        Bucket,
        Key: to.key,
        CopySource: `${Bucket}/${encodeURIComponent(key)}`,
        MetadataDirective: 'REPLACE',
        ContentType: source.ContentType,
        ContentDisposition: source.ContentDisposition,
        ContentEncoding: source.ContentEncoding,
        CacheControl: source.CacheControl,
        Metadata: { 'cache-tag': to.cacheTag },
      }),
    );
    return true;
  } catch (error) {
    if (error instanceof S3ServiceException && error.name === 'NoSuchKey') return false;
    throw error;
  }
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

/** The headers of an object; `undefined` if there is none, or if storage does not say. */
async function headObject(
  client: S3Client,
  bucket: string,
  key: string,
): Promise<HeadObjectCommandOutput | undefined> {
  try {
    return await client.send(new HeadObjectCommand({ Bucket: bucket, Key: key }));
  } catch (error) {
    if (error instanceof S3ServiceException && isMissing(error)) return undefined;
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
