import { createHash } from 'node:crypto';
import {
  DeleteObjectsCommand,
  GetObjectCommand,
  type GetObjectCommandInput,
  ListObjectsV2Command,
  type ListObjectsV2CommandInput,
  PutObjectCommand,
  type PutObjectCommandInput,
  type S3Client,
  type S3ClientConfig,
} from '@aws-sdk/client-s3';
import { afterAll, beforeAll } from '@jest/globals';
import { type S3Target, s3Target } from './s3-target.ts';

/** The shared set-up of this suite: an S3 that runs for the tests of the importing file. */

export let s3: S3Target;
export let client: S3Client;
export let Bucket: string;

beforeAll(async () => {
  s3 = await s3Target();
  ({ client, bucket: Bucket } = s3);
});
afterAll(() => s3.stop());

export const key = (name: string) => `${s3.prefix}${name}`;
export const md5 = (data: string | Buffer) => createHash('md5').update(data).digest('hex');

export async function put(name: string, input: Partial<PutObjectCommandInput> = {}) {
  return client.send(new PutObjectCommand({ Bucket, Key: key(name), Body: 'hello', ...input }));
}

export async function get(name: string, input: Partial<GetObjectCommandInput> = {}) {
  const output = await client.send(new GetObjectCommand({ Bucket, Key: key(name), ...input }));
  return { ...output, bytes: Buffer.from((await output.Body?.transformToByteArray()) ?? []) };
}

export const remove = (name: string) =>
  client.send(new DeleteObjectsCommand({ Bucket, Delete: { Objects: [{ Key: key(name) }] } }));

export async function exists(name: string): Promise<boolean> {
  const { Contents } = await list({ Prefix: key(name) });
  return (Contents ?? []).some(({ Key }) => Key === key(name));
}

export const list = (input: Partial<ListObjectsV2CommandInput>) =>
  client.send(new ListObjectsV2Command({ Bucket, ...input }));

/** The error name and status that a call was refused with. */
export async function refusal(call: Promise<unknown>): Promise<string> {
  return call.then(
    () => 'accepted',
    (error: { name: string; $metadata?: { httpStatusCode?: number } }) =>
      `${error.$metadata?.httpStatusCode} ${error.name}`,
  );
}

/** The error code and status of a plain HTTP answer. */
export async function outcome(response: Response): Promise<string> {
  const code = /<Code>(.*?)<\/Code>/.exec(await response.text())?.[1];
  return code === undefined ? String(response.status) : `${response.status} ${code}`;
}

/** Changes the signed request just before it is sent. */
export function tampering(
  change: (request: { headers: Record<string, string>; body: unknown }) => void,
  config: S3ClientConfig = {},
) {
  const tampered = s3.newClient({ maxAttempts: 1, ...config });
  tampered.middlewareStack.add(
    (next) => (args) => {
      change(args.request as { headers: Record<string, string>; body: unknown });
      return next(args);
    },
    { step: 'deserialize', priority: 'low', name: 'tamper' },
  );
  return tampered;
}
