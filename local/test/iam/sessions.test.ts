import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import {
  CloudFrontClient,
  CreateInvalidationForDistributionTenantCommand,
} from '@aws-sdk/client-cloudfront';
import { DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { GetObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { SESClient, SendEmailCommand } from '@aws-sdk/client-ses';
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startCloudFormation } from '../../cloudformation/cloudformation-api.ts';
import { tenantStore } from '../../cloudfront/tenant-store.ts';
import { orderedFailures } from '../../operator/failures.ts';
import { startCloudFrontApi } from '../../cloudfront/cloudfront-api.ts';
import { startPermissionProxy } from '../../dynamodb/permission-proxy.ts';
import type { SessionCredentials } from '../../iam/callers.ts';
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
    cloudformation: await startCloudFormation({ iam, stacks: () => [] }),
    // No call may get through to the engine.
    dynamodb: await startPermissionProxy({
      engineUrl: 'http://127.0.0.1:1',
      tables: [],
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

/** A client's configuration; the token is another one, or missing. */
function config(service: string, sessionToken: string | undefined = credentials.sessionToken) {
  const { accessKeyId, secretAccessKey } = credentials;
  return {
    endpoint: urls[service] ?? '',
    region: 'us-east-1',
    maxAttempts: 1,
    forcePathStyle: true,
    credentials: {
      accessKeyId,
      secretAccessKey,
      ...(sessionToken !== 'none' && { sessionToken }),
    } satisfies Partial<SessionCredentials>,
  };
}

const calls: Record<string, (token?: string) => Promise<unknown>> = {
  s3: (token) =>
    new S3Client(config('s3', token)).send(
      new PutObjectCommand({ Bucket: 'bucket', Key: 'a', Body: 'x' }),
    ),
  sqs: (token) =>
    new SQSClient(config('sqs', token)).send(
      new SendMessageCommand({ QueueUrl: queueUrl('jobs'), MessageBody: 'a' }),
    ),
  ses: (token) =>
    new SESClient(config('ses', token)).send(
      new SendEmailCommand({
        Source: 'a@a.example',
        Destination: { ToAddresses: ['b@a.example'] },
        Message: { Subject: { Data: 'a' }, Body: { Text: { Data: 'a' } } },
      }),
    ),
  secrets: (token) =>
    new SecretsManagerClient(config('secrets', token)).send(
      new GetSecretValueCommand({ SecretId: 'none' }),
    ),
  cloudfront: (token) =>
    new CloudFrontClient(config('cloudfront', token)).send(
      new CreateInvalidationForDistributionTenantCommand({
        Id: 'E1',
        InvalidationBatch: { CallerReference: '1', Paths: { Quantity: 1, Items: ['/*'] } },
      }),
    ),
  cloudformation: (token) =>
    new CloudFormationClient(config('cloudformation', token)).send(
      new DescribeStacksCommand({ StackName: 'none' }),
    ),
  dynamodb: (token) =>
    new DynamoDBClient(config('dynamodb', token)).send(
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

test.each([
  ['s3', 'InvalidAccessKeyId', 'InvalidToken', 'accepted'],
  ['sqs', 'InvalidClientTokenId', 'InvalidClientTokenId', 'accepted'],
  ['ses', 'InvalidClientTokenId', 'InvalidClientTokenId', 'accepted'],
  ['secrets', 'UnrecognizedClientException', 'UnrecognizedClientException', /NotFound/],
  ['cloudfront', 'InvalidClientTokenId', 'InvalidClientTokenId', 'accepted'],
  ['cloudformation', 'InvalidClientTokenId', 'InvalidClientTokenId', 'ValidationError'],
  ['dynamodb', 'UnrecognizedClientException', 'UnrecognizedClientException', /^(?!Unrec)/],
])('%s refuses a key without the token of its session', async (service, missing, wrong, right) => {
  const call = calls[service];
  const other = iam.sessionFor('arn:aws:iam::000000000000:role/Role', 'other').sessionToken;
  expect(await codeOf(call?.('none') ?? Promise.resolve())).toBe(missing);
  expect(await codeOf(call?.(other) ?? Promise.resolve())).toBe(wrong);
  expect(await codeOf(call?.() ?? Promise.resolve())).toMatch(right);
});

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
