import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import {
  CloudFrontClient,
  CreateInvalidationForDistributionTenantCommand,
} from '@aws-sdk/client-cloudfront';
import { DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { GetObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { SESClient, SendRawEmailCommand } from '@aws-sdk/client-ses';
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startCloudFormation } from '../../cloudformation/cloudformation-api.ts';
import { tenantStore } from '../../cloudfront/tenant-store.ts';
import { orderedFailures } from '../../operator/failures.ts';
import { startCloudFrontApi } from '../../cloudfront/cloudfront-api.ts';
import { startPermissionProxy } from '../../dynamodb/permission-proxy.ts';
import { startS3 } from '../../s3/s3-server.ts';
import { startSecrets } from '../../secrets/secrets.ts';
import { mailStore } from '../../ses/mail-store.ts';
import { startSes } from '../../ses/ses.ts';
import { suppressionList } from '../../ses/suppression-list.ts';
import { queueUrl } from '../../sqs/queue-url.ts';
import { startSqs } from '../../sqs/sqs.ts';
import { movableClock } from '../../time/clock.ts';
import { anIam } from '../an-iam.ts';
import { aQueue, someQueues } from '../sqs/a-queue.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { aMessage } from '../ses/a-message.ts';

const { iam, credentials } = anIam(['*']);
const clock = movableClock();
const ends: (() => unknown)[] = [];
const urls: Record<string, string> = {};

beforeAll(async () => {
  const { queues } = someQueues(aQueue('jobs', {}));
  const onCall = () => undefined;
  const secretFor = (id: string, token: string | undefined) => iam.secretFor(id, token);
  const s3 = await startS3({
    dataDir: temporaryFolder('s3'),
    clock,
    secretFor,
    authorize: () => true,
  });
  await s3.createBucket('bucket');
  const started = {
    s3,
    sqs: await startSqs({ clock, iam, queues, onCall }),
    ses: await startSes({
      clock,
      iam,
      store: mailStore(temporaryFolder('mail')),
      identities: ['a.example'],
      configurationSets: [],
      suppressed: suppressionList(temporaryFolder('suppressed')),
      sandbox: false,
    }),
    secrets: await startSecrets({ stateDir: temporaryFolder('secrets'), clock, iam, secrets: [] }),
    cloudfront: await startCloudFrontApi({
      clock,
      iam,
      invalidate: () => undefined,
      distributions: { read: () => undefined, write: () => undefined },
      failures: orderedFailures(),
      tenants: {
        store: tenantStore(temporaryFolder('tenants')),
        edge: {
          tenantParameters: () => undefined,
          connectionGroup: () => undefined,
          hasDomain: () => false,
        },
        certificate: () => undefined,
        deployMs: 0,
      },
      onCall,
    }),
    cloudformation: await startCloudFormation({ clock, iam, stacks: () => [] }),
    // No call may get through to the engine.
    dynamodb: await startPermissionProxy({
      engineUrl: 'http://127.0.0.1:1',
      tables: [],
      clock,
      iam,
      onCall,
      onCapacity: onCall,
      onWritten: () => undefined,
      onKeysWritten: () => undefined,
    }),
  };
  for (const [name, service] of Object.entries(started)) {
    urls[name] = service.url;
    ends.push(() => service.close());
  }
});
afterAll(async () => {
  for (const end of ends) await end();
});

type Change = { sessionToken?: string | undefined; secretAccessKey?: string };

/** A client's configuration, with a part of the credentials changed. */
function config(service: string, change: Change = {}) {
  return {
    endpoint: urls[service] ?? '',
    region: 'us-east-1',
    maxAttempts: 1,
    forcePathStyle: true,
    credentials: { ...credentials, ...change },
  };
}

const calls: Record<string, (change?: Change) => Promise<unknown>> = {
  s3: (change) =>
    new S3Client(config('s3', change)).send(
      new PutObjectCommand({ Bucket: 'bucket', Key: 'a', Body: 'x' }),
    ),
  sqs: (change) =>
    new SQSClient(config('sqs', change)).send(
      new SendMessageCommand({ QueueUrl: queueUrl('jobs'), MessageBody: 'a' }),
    ),
  ses: (change) =>
    new SESClient(config('ses', change)).send(
      new SendRawEmailCommand({
        Source: 'a@a.example',
        Destinations: ['b@a.example'],
        RawMessage: { Data: Buffer.from(aMessage('a@a.example')) },
      }),
    ),
  secrets: (change) =>
    new SecretsManagerClient(config('secrets', change)).send(
      new GetSecretValueCommand({ SecretId: 'none' }),
    ),
  cloudfront: (change) =>
    new CloudFrontClient(config('cloudfront', change)).send(
      new CreateInvalidationForDistributionTenantCommand({
        Id: 'E1',
        InvalidationBatch: { CallerReference: '1', Paths: { Quantity: 1, Items: ['/*'] } },
      }),
    ),
  cloudformation: (change) =>
    new CloudFormationClient(config('cloudformation', change)).send(
      new DescribeStacksCommand({ StackName: 'none' }),
    ),
  dynamodb: (change) =>
    new DynamoDBClient(config('dynamodb', change)).send(
      new GetItemCommand({ TableName: 'items', Key: { pk: { S: 'a' } } }),
    ),
};

const codeOf = (call: Promise<unknown>) =>
  call.then(
    () => 'accepted',
    (error: Error) => error.name,
  );

test('a function has temporary keys', () => {
  expect(credentials.accessKeyId).toMatch(/^ASIA/);
  expect(credentials.sessionToken.length).toBeGreaterThan(1000);
});

const ofQuery = ['InvalidClientTokenId', 'InvalidClientTokenId', 'SignatureDoesNotMatch'] as const;
const ofJson = [
  'UnrecognizedClientException',
  'UnrecognizedClientException',
  'InvalidSignatureException',
] as const;
test.each([
  ['s3', ['InvalidAccessKeyId', 'InvalidToken', 'SignatureDoesNotMatch'], 'accepted'],
  ['sqs', ofJson, 'accepted'],
  ['ses', ofQuery, 'accepted'],
  ['secrets', ofJson, /NotFound/],
  ['cloudfront', ofQuery, 'accepted'],
  ['cloudformation', ofQuery, 'ValidationError'],
  ['dynamodb', ofJson, /^(?!Unrec|Invalid)/],
])(
  '%s refuses a key without the token of its session, and a wrong signature',
  async (service, [missing, wrong, unsigned], right) => {
    const call = async (change?: Change) => codeOf(calls[service]?.(change) ?? Promise.resolve());
    const other = iam.sessionFor('arn:aws:iam::000000000000:role/Role', 'other').sessionToken;
    expect(await call({ sessionToken: undefined })).toBe(missing);
    expect(await call({ sessionToken: other })).toBe(wrong);
    expect(await call({ secretAccessKey: 'wrong' })).toBe(unsigned);
    expect(await call()).toMatch(right);
  },
);

test('a lasting key has no token', () => {
  const lasting = iam.credentialsFor('arn:aws:iam::000000000000:role/Role', 'operator');
  expect(lasting.accessKeyId).toMatch(/^AKIA/);
  expect(iam.secretFor(lasting.accessKeyId, undefined)).toBe(lasting.secretAccessKey);
  expect(iam.secretFor(lasting.accessKeyId, credentials.sessionToken)).toBeUndefined();
  expect(iam.secretFor('AKIAFOREIGN', undefined)).toBeUndefined();
});

describe('a presigned URL', () => {
  const sign = (expiresIn: number) =>
    getSignedUrl(new S3Client(config('s3')), new GetObjectCommand({ Bucket: 'bucket', Key: 'a' }), {
      expiresIn,
    });
  const codeIn = async (url: string) => {
    const response = await fetch(url);
    return /<Code>(\w+)/.exec(await response.text())?.[1] ?? response.status;
  };

  test('carries the token, which cannot be left out or replaced', async () => {
    await calls['s3']?.();
    const url = new URL(await sign(60));
    expect(url.searchParams.get('X-Amz-Security-Token')).toBe(credentials.sessionToken);
    expect(await codeIn(url.href)).toBe(200);
    url.searchParams.set('X-Amz-Security-Token', 'other');
    expect(await codeIn(url.href)).toBe('InvalidToken');
    url.searchParams.delete('X-Amz-Security-Token');
    expect(await codeIn(url.href)).toBe('InvalidAccessKeyId');
  });

  test('ends with its session, however long it promises to work', async () => {
    const [hour, day] = [await sign(3600), await sign(86_400)];
    clock.advance(3590_000);
    expect([await codeIn(hour), await codeIn(day)]).toEqual([200, 200]);
    clock.advance(20_000);
    expect([await codeIn(hour), await codeIn(day)]).toEqual(['AccessDenied', 'ExpiredToken']);
    clock.advance(-3610_000);
  });
});
