import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ofType, physicalId } from './assembly/physical-id.ts';
import { bucketConfig } from './s3/bucket-properties.ts';
import type { CallCounts } from './operator/call-counts.ts';
import type { Clock } from './time/clock.ts';
import { type LocalDynamoDb, startDynamoDb } from './dynamodb/dynamodb.ts';
import type { Endpoints } from './functions/functions.ts';
import type { Resource } from './http/http.ts';
import type { Iam } from './iam/iam.ts';
import { readRecord } from './s3/objects/object-files.ts';
import { ObjectRecord } from './s3/objects/object-metadata.ts';
import { type S3Call, type S3Server, startS3 } from './s3/s3-server.ts';
import { type LocalSecrets, startSecrets } from './secrets/secrets.ts';
import { type MailStore, mailStore } from './ses/mail-store.ts';
import { startCloudFrontApi } from './cloudfront/cloudfront-api.ts';
import type { DistributionHeaders } from './cloudfront/distribution-calls.ts';
import { startSes } from './ses/ses.ts';
import { openQueues, type Queues } from './sqs/queues.ts';
import { startSqs } from './sqs/sqs.ts';

export interface ServicesOptions {
  stateDir: string;
  clock: Clock;
  resources: Resource[];
  iam: Iam;
  counts: CallCounts;
  /** Called with the tables that a function may have written to. */
  onWritten(tables: string[]): void;
  /** Called when a function makes the edge forget something. */
  invalidate(tenantId: string, items: string[]): void;
  /** What of the distributions an operator can change. */
  distributions: DistributionHeaders;
}

/** What functions call. */
export interface Services {
  endpoints: Endpoints;
  dynamoDb: LocalDynamoDb;
  s3: S3Server;
  secrets: LocalSecrets;
  mails: MailStore;
  queues: Queues;
  /** The keys of every object, by bucket. */
  objectKeys(): Record<string, string[]>;
  close(): Promise<void>;
}

/** One use of S3 as policies speak of it: a listing is of the bucket, under a prefix. */
function s3Request({ accessKeyId, action, bucket, key, prefix }: S3Call) {
  const bucketArn = `arn:aws:s3:::${bucket}`;
  return {
    accessKeyId,
    action,
    resource: key === undefined ? bucketArn : `${bucketArn}/${key}`,
    ...(prefix !== undefined && { context: { 's3:prefix': prefix } }),
  };
}

function keysIn(dir: string): string[] {
  if (!existsSync(dir)) return [];
  return readdirSync(dir)
    .map((name) => readRecord(join(dir, name), ObjectRecord).key)
    .toSorted();
}

async function startBuckets(options: ServicesOptions, dataDir: string): Promise<S3Server> {
  const { clock, iam, counts, resources } = options;
  const s3 = await startS3({
    dataDir,
    clock,
    secretFor: (accessKeyId) => iam.secretFor(accessKeyId),
    authorize: (call) => iam.allows(s3Request(call)),
    onCall: ({ action }) => counts.add('s3', action),
  });
  for (const bucket of ofType(resources, 'AWS::S3::Bucket')) {
    await s3.createBucket(physicalId(bucket), bucketConfig(bucket));
  }
  return s3;
}

type Closable = { close(): Promise<void> };

/** The objects of the buckets, read from the disk: the local S3 lists only for those who sign. */
function objectKeys(buckets: Resource[], dataDir: string): Record<string, string[]> {
  return Object.fromEntries(
    buckets.map((bucket) => {
      const name = physicalId(bucket);
      return [name, keysIn(join(dataDir, name, 'objects'))];
    }),
  );
}

function counter(counts: CallCounts, service: 'dynamodb' | 'sqs') {
  return (operation: string, target: string) => counts.add(service, `${operation} ${target}`);
}

async function startAll(options: ServicesOptions, keep: <T extends Closable>(service: T) => T) {
  const { stateDir, clock, resources, iam, counts } = options;
  const mails = mailStore(join(stateDir, 'mail'));
  const identities = ofType(resources, 'AWS::SES::EmailIdentity').map(physicalId);
  const ses = keep(await startSes({ clock, iam, store: mails, identities }));
  const dataDir = join(stateDir, 's3');
  const s3 = keep(await startBuckets(options, dataDir));
  const ownSecrets = ofType(resources, 'AWS::SecretsManager::Secret').map((resource) => ({
    resource,
    arn: physicalId(resource),
  }));
  const secrets = keep(await startSecrets({ ...options, secrets: ownSecrets }));
  const tables = ofType(resources, 'AWS::DynamoDB::Table').map((resource) => ({
    resource,
    name: physicalId(resource),
  }));
  const onCall = counter(counts, 'dynamodb');
  const dynamoDb = keep(await startDynamoDb({ ...options, tables, onCall }));
  const buckets = ofType(resources, 'AWS::S3::Bucket');
  const cloudFront = keep(
    await startCloudFrontApi({
      clock,
      iam,
      invalidate: (tenantId, items) => options.invalidate(tenantId, items),
      distributions: options.distributions,
      onCall: (action) => counts.add('cloudfront', action),
    }),
  );
  const queues = openQueues({ ...options, resources: ofType(resources, 'AWS::SQS::Queue') });
  const sqs = keep(await startSqs({ clock, iam, queues, onCall: counter(counts, 'sqs') }));
  const endpoints = {
    dynamoDb: dynamoDb.url,
    s3: s3.url,
    ses: ses.url,
    secretsManager: secrets.url,
    cloudFront: cloudFront.url,
    sqs: sqs.url,
  };
  return {
    endpoints,
    dynamoDb,
    s3,
    secrets,
    mails,
    queues,
    objectKeys: () => objectKeys(buckets, dataDir),
  };
}

/** Starts every service with the resources of the templates; ends what has started when one of them fails. */
export async function startServices(options: ServicesOptions): Promise<Services> {
  const started: Closable[] = [];
  const close = async () => {
    await Promise.all(started.map(async (service) => service.close()));
  };
  try {
    const services = await startAll(options, (service) => {
      started.push(service);
      return service;
    });
    return { ...services, close };
  } catch (error) {
    await close();
    throw error;
  }
}
