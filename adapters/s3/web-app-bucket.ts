import {
  DeleteObjectsCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  NoSuchKey,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';

/** A file of the web app as it is served. */
export interface WebAppFile {
  key: string;
  bytes: Uint8Array;
  contentType: string;
  contentEncoding?: string | undefined;
  cacheControl: string;
}

/** The bucket of the web app. */
export type WebAppBucket = ReturnType<typeof webAppBucket>;

/** The limit of one DeleteObjects call (Amazon S3 API). */
const maxKeys = 1000;

/** The bucket of the web app in S3. */
export function webAppBucket(bucket: string, client = new S3Client({})) {
  return {
    async put({ key, bytes, contentType, contentEncoding, cacheControl }: WebAppFile) {
      const object = { Bucket: bucket, Key: key, Body: bytes, ContentType: contentType };
      await client.send(
        new PutObjectCommand({
          ...object,
          ContentEncoding: contentEncoding,
          CacheControl: cacheControl,
        }),
      );
    },
    /** Undefined if it does not exist. */
    async read(key: string) {
      try {
        const { Body } = await client.send(new GetObjectCommand({ Bucket: bucket, Key: key }));
        return await Body?.transformToString();
      } catch (error) {
        if (error instanceof NoSuchKey) return undefined;
        throw error;
      }
    },
    list: (prefix: string) => listKeys(client, bucket, prefix),
    async remove(keys: readonly string[]) {
      for (let first = 0; first < keys.length; first += maxKeys) {
        const Objects = keys.slice(first, first + maxKeys).map((Key) => ({ Key }));
        const command = new DeleteObjectsCommand({ Bucket: bucket, Delete: { Objects } });
        const { Errors: [failed] = [] } = await client.send(command);
        if (failed !== undefined) throw new Error(`${failed.Key}: ${failed.Code}`);
      }
    },
  };
}

async function listKeys(client: S3Client, bucket: string, prefix: string): Promise<string[]> {
  const keys: string[] = [];
  let token: string | undefined;
  do {
    const page = await client.send(
      new ListObjectsV2Command({ Bucket: bucket, Prefix: prefix, ContinuationToken: token }),
    );
    keys.push(...(page.Contents ?? []).flatMap(({ Key }) => Key ?? []));
    token = page.NextContinuationToken;
  } while (token !== undefined);
  return keys;
}
