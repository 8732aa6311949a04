import { join } from 'node:path';
import { physicalId } from './assembly/resource-types.ts';
import { type Resource, resourcesOfType } from './assembly/resource.ts';
import type { Deployment } from './assembly/deployment.ts';
import { startCloudFormation } from './cloudformation/cloudformation-api.ts';
import { bucketConfig } from './s3/bucket-config.ts';
import type { CallCounts } from './operator/operator.ts';
import type { Clock } from './time/clock.ts';
import { type LocalDynamoDb, startDynamoDb } from './dynamodb/dynamodb.ts';
import type { PartitionLimits } from './dynamodb/partition-limits.ts';
import type { Endpoints } from './functions/functions.ts';
import type { Iam } from './iam/iam.ts';
import { type S3Call, type S3Server, startS3 } from './s3/s3-server.ts';
import { type LocalSecrets, startSecrets } from './secrets/secrets.ts';
import { type MailStore, mailStore } from './ses/mail-store.ts';
import { startCloudFrontApi } from './cloudfront/cloudfront-api.ts';
import type { DistributionHeaders } from './cloudfront/origin-headers.ts';
import type { EdgeConfig } from './cloudfront/tenant-rules.ts';
import { type DomainServices, startDomainServices } from './domain-services.ts';
import { configurationSetOf, startSes } from './ses/ses.ts';
import { type SuppressionList, suppressionList } from './ses/suppression-list.ts';
import { openQueues, type Queues } from './sqs/queues.ts';
import { startSqs } from './sqs/sqs.ts';

export interface ServicesOptions {
  deployment: Pick<Deployment, 'stacks'>;
  stateDir: string;
  clock: Clock;
  resources: Resource[];
  iam: Iam;
  counts: CallCounts;
  /** Whether SES is in its sandbox, as in a new AWS account. */
  mailSandbox?: boolean | undefined;
  /** What each partition key of a table may use in a second; no limit by default. */
  partitionLimits?: PartitionLimits | undefined;
  /** Called with the tables that a request may have changed. */
  onWritten(tables: string[]): void;
  /** Called when a function creates an invalidation. */
  invalidate(id: string, items: string[]): void;
  /** The part of distributions that an operator can change. */
  distributions: DistributionHeaders;
  /** What tenants depend on. */
  edge: EdgeConfig;
  /** How long ACM and CloudFront take; 5 by default. */
  domainDelaySeconds?: number | undefined;
}

/** The services that functions call. */
export interface Services {
  endpoints: Endpoints;
  dynamoDb: LocalDynamoDb;
  s3: S3Server;
  secrets: LocalSecrets;
  mails: MailStore;
  suppressed: SuppressionList;
  queues: Queues;
  domains: DomainServices;
  /** The URL of CloudFormation, which only operators call. */
  cloudFormation: string;
  /** The keys of every object, by bucket. */
  objectKeys(): Record<string, string[]>;
  close(): Promise<void>;
}

/** An S3 call as an IAM request: a listing concerns the bucket, with a prefix as context. */
function iamRequestOf({ accessKeyId, action, bucket, key, prefix }: S3Call) {
  const bucketArn = `arn:aws:s3:::${bucket}`;
  return {
    accessKeyId,
    action,
    resource: key === undefined ? bucketArn : `${bucketArn}/${key}`,
    ...(prefix !== undefined && { context: { 's3:prefix': prefix } }),
  };
}

async function startBuckets(options: ServicesOptions, dataDir: string): Promise<S3Server> {
  const { clock, iam, counts, resources } = options;
  const s3 = await startS3({
    dataDir,
    clock,
    secretFor: (accessKeyId, sessionToken) => iam.secretFor(accessKeyId, sessionToken),
    authorize: (call) => iam.allows(iamRequestOf(call)),
    onCall: ({ action }) => counts.add('s3', action),
  });
  for (const bucket of resourcesOfType(resources, 'AWS::S3::Bucket')) {
    await s3.createBucket(physicalId(bucket), bucketConfig(bucket));
  }
  return s3;
}

type Closable = { close(): Promise<void> };

function callCounter(counts: CallCounts, service: 'dynamodb' | 'sqs') {
  return (operation: string, target: string) => counts.add(service, `${operation} ${target}`);
}

function startControlPlane(
  { clock, iam, counts, edge, ...options }: ServicesOptions,
  { tenants, certificates, deployMs, failures }: DomainServices,
) {
  return startCloudFrontApi({
    clock,
    iam,
    invalidate: (id, items) => options.invalidate(id, items),
    distributions: options.distributions,
    tenants: {
      store: tenants,
      edge,
      certificate: (arn) => certificates.find(arn),
      deployMs,
    },
    failures,
    onCall: (action) => counts.add('cloudfront', action),
  });
}

async function startMail({ stateDir, counts, ...options }: ServicesOptions) {
  const { resources, clock, iam, mailSandbox } = options;
  const mails = mailStore(join(stateDir, 'mail'));
  const suppressed = suppressionList(stateDir);
  const server = await startSes({
    clock,
    iam,
    store: {
      ...mails,
      add(mail) {
        counts.add('billed', 'mails');
        mails.add(mail);
      },
    },
    identities: resourcesOfType(resources, 'AWS::SES::EmailIdentity').map(physicalId),
    configurationSets: resourcesOfType(resources, 'AWS::SES::ConfigurationSet').map(
      configurationSetOf,
    ),
    suppressed,
    sandbox: mailSandbox,
  });
  return { server, mails, suppressed };
}

function secretsOf(resources: Resource[]) {
  return resourcesOfType(resources, 'AWS::SecretsManager::Secret').map((resource) => ({
    resource,
    arn: physicalId(resource),
  }));
}

function startTables({ counts, ...options }: ServicesOptions) {
  const tables = resourcesOfType(options.resources, 'AWS::DynamoDB::Table').map((resource) => ({
    resource,
    name: physicalId(resource),
  }));
  return startDynamoDb({
    ...options,
    tables,
    onCall: callCounter(counts, 'dynamodb'),
    onCapacity: (kind, units) => counts.add('billed', `${kind} units`, units),
  });
}

async function startAll(options: ServicesOptions, track: <T extends Closable>(service: T) => T) {
  const { stateDir, clock, resources, iam, counts } = options;
  const { server, mails, suppressed } = await startMail(options);
  const ses = track(server);
  const dataDir = join(stateDir, 's3');
  const s3 = track(await startBuckets(options, dataDir));
  const secrets = track(await startSecrets({ ...options, secrets: secretsOf(resources) }));
  const dynamoDb = track(await startTables(options));
  const domains = await startDomainServices(options, track);
  const cloudFront = track(await startControlPlane(options, domains));
  const cloudFormation = track(
    await startCloudFormation({ clock, iam, stacks: () => options.deployment.stacks() }),
  );
  const queues = openQueues({
    ...options,
    resources: resourcesOfType(resources, 'AWS::SQS::Queue'),
  });
  track({ close: async () => queues.close() });
  const sqs = track(await startSqs({ clock, iam, queues, onCall: callCounter(counts, 'sqs') }));
  const endpoints = {
    dynamoDb: dynamoDb.url,
    s3: s3.url,
    ses: ses.url,
    secretsManager: secrets.url,
    cloudFront: cloudFront.url,
    sqs: sqs.url,
    acm: domains.acm,
    dnsResolvers: domains.dns.resolvers,
  };
  return {
    endpoints,
    dynamoDb,
    s3,
    secrets,
    mails,
    suppressed,
    queues,
    domains,
    objectKeys: () => s3.keys(),
    cloudFormation: cloudFormation.url,
  };
}

/** Starts every service with the resources of the templates; stops them all if one fails. */
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
