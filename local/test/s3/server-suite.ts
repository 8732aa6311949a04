import {
  DeleteObjectsCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  type PutObjectCommandInput,
  type S3Client,
} from '@aws-sdk/client-s3';
import { afterEach, beforeEach } from '@jest/globals';
import type { S3Call } from '../../s3/s3-server.ts';
import { localS3 } from './s3-local.ts';

/** The shared set-up of the S3 server's tests: a new server for each test of the importing file. */

export const DAY_MS = 24 * 60 * 60 * 1000;
export const Bucket = 'bucket';

export let s3: Awaited<ReturnType<typeof localS3>>;
export let client: S3Client;
let denied: (call: S3Call) => boolean;

/** From now on the calls that `isDenied` accepts are refused. */
export function deny(isDenied: (call: S3Call) => boolean): void {
  denied = isDenied;
}

export async function start(dataDir?: string) {
  s3 = await localS3({ ...(dataDir && { dataDir }), authorize: (call) => !denied(call) });
  client = s3.client;
}

beforeEach(async () => {
  denied = () => false;
  await start();
  await s3.server.createBucket(Bucket);
});
afterEach(() => s3.remove());

export const put = (Key: string, input: Partial<PutObjectCommandInput> = {}) =>
  client.send(new PutObjectCommand({ Bucket, Key, Body: 'hello', ...input }));

/** Deletes a key, or one of its versions; throws the error that S3 has for it. */
export async function remove(Key: string, VersionId?: string): Promise<void> {
  const Delete = { Objects: [{ Key, VersionId }] };
  const { Errors = [] } = await client.send(new DeleteObjectsCommand({ Bucket, Delete }));
  for (const { Code, Message } of Errors) throw Object.assign(new Error(Message), { name: Code });
}

export async function text(Key: string): Promise<string | undefined> {
  return (await client.send(new GetObjectCommand({ Bucket, Key }))).Body?.transformToString();
}

export async function keys(): Promise<(string | undefined)[]> {
  const { Contents } = await client.send(new ListObjectsV2Command({ Bucket }));
  return (Contents ?? []).map(({ Key }) => Key);
}

export async function refusal(call: Promise<unknown>): Promise<string> {
  return call.then(
    () => 'accepted',
    (error: Error) => error.name,
  );
}

export async function restart(): Promise<void> {
  await s3.stop();
  await start(s3.dataDir);
}
