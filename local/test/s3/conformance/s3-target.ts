import { randomUUID } from 'node:crypto';
import {
  DeleteObjectsCommand,
  paginateListObjectsV2,
  PutBucketCorsCommand,
  S3Client,
  type S3ClientConfig,
} from '@aws-sdk/client-s3';
import { CREDENTIALS, clientFor, localS3 } from '../s3-local.ts';

/** The origin that the suite's CORS rule allows. */
export const ALLOWED_ORIGIN = 'https://app.example.com';

/** The S3 that a suite runs against. */
export interface S3Target {
  client: S3Client;
  credentials: { accessKeyId: string; secretAccessKey: string };
  /** Another client for the same S3; `stop` ends it. */
  newClient: (config: S3ClientConfig) => S3Client;
  bucket: string;
  /** A bucket with versions. */
  versionedBucket: string | undefined;
  /** Begins every key of this run. */
  prefix: string;
  url(key: string): string;
  stop(): Promise<void>;
}

/**
 * A local S3, or the real bucket that `S3_SUITE_BUCKET` names.
 *
 * The real bucket's CORS configuration is replaced; objects of the run are deleted at its end.
 * `S3_SUITE_VERSIONED_BUCKET` names a second bucket, with versions. Its lifecycle must delete the versions
 * of the run.
 */
export async function s3Target(): Promise<S3Target> {
  const bucket = process.env.S3_SUITE_BUCKET;
  return bucket === undefined ? localTarget() : realTarget(bucket);
}

/** Makes clients and remembers them. */
function clientFactory(make: (config: S3ClientConfig) => S3Client) {
  const clients: S3Client[] = [];
  return {
    newClient: (config: S3ClientConfig): S3Client => {
      const client = make(config);
      clients.push(client);
      return client;
    },
    destroyAll: () => clients.forEach((client) => client.destroy()),
  };
}

async function localTarget(): Promise<S3Target> {
  const local = await localS3();
  const { url } = local.server;
  const bucket = 'suite-bucket';
  await local.server.createBucket(bucket, {
    cors: [
      {
        allowedOrigins: [ALLOWED_ORIGIN],
        allowedMethods: ['GET', 'PUT', 'POST'],
        allowedHeaders: ['content-type', 'x-amz-*'],
        maxAgeSeconds: 300,
      },
    ],
  });
  const versionedBucket = 'suite-versions';
  await local.server.createBucket(versionedBucket, { versioning: 'Enabled' });
  const { newClient, destroyAll } = clientFactory((config) => clientFor(url, config));
  return {
    client: local.client,
    newClient,
    credentials: CREDENTIALS,
    bucket,
    versionedBucket,
    prefix: '',
    url: (key) => `${url}/${bucket}/${key}`,
    async stop() {
      destroyAll();
      await local.remove();
    },
  };
}

async function realTarget(bucket: string): Promise<S3Target> {
  const { newClient, destroyAll } = clientFactory((config) => new S3Client(config));
  const client = newClient({});
  const prefix = `suite-${randomUUID()}/`;
  const region = await client.config.region();
  await client.send(
    new PutBucketCorsCommand({
      Bucket: bucket,
      CORSConfiguration: {
        CORSRules: [
          {
            AllowedOrigins: [ALLOWED_ORIGIN],
            AllowedMethods: ['GET', 'PUT', 'POST'],
            AllowedHeaders: ['content-type', 'x-amz-*'],
            ExposeHeaders: ['ETag'],
            MaxAgeSeconds: 300,
          },
        ],
      },
    }),
  );
  return {
    client,
    newClient,
    credentials: await client.config.credentials(),
    bucket,
    versionedBucket: process.env.S3_SUITE_VERSIONED_BUCKET,
    prefix,
    url: (key) => `https://${bucket}.s3.${region}.amazonaws.com/${key}`,
    async stop() {
      await deleteAll(client, bucket, prefix);
      destroyAll();
    },
  };
}

async function deleteAll(client: S3Client, bucket: string, prefix: string): Promise<void> {
  for await (const page of paginateListObjectsV2({ client }, { Bucket: bucket, Prefix: prefix })) {
    const objects = (page.Contents ?? []).map(({ Key }) => ({ Key }));
    if (objects.length > 0) {
      await client.send(new DeleteObjectsCommand({ Bucket: bucket, Delete: { Objects: objects } }));
    }
  }
}
