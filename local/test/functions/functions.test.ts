import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { callCounts } from '../../operator/operator.ts';
import { movableClock } from '../../time/clock.ts';
import { Functions } from '../../functions/functions.ts';
import { queueUrl } from '../../sqs/queue-url.ts';
import { anIam } from '../an-iam.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const services = 'dynamoDb s3 ses cloudFront secretsManager sqs acm'.split(' ');
const urls = Object.fromEntries(
  services.map((service) => [service, `http://127.0.0.1/${service}`]),
) as Record<'dynamoDb' | 's3' | 'ses' | 'cloudFront' | 'secretsManager' | 'sqs' | 'acm', string>;
const endpoints = { ...urls, dnsResolvers: ['127.0.0.1:5301', '127.0.0.1:5302'] };

test('a function uses the local queues instead of AWS', async () => {
  const codeDir = temporaryFolder('fn');
  writeFileSync(join(codeDir, 'index.mjs'), 'export const handler = () => ({ ...process.env });');
  const functions = new Functions({
    s3Url: 'http://127.0.0.1:1/_local/s3',
    assetPath: () => codeDir,
    iam: anIam([]).iam,
    clock: movableClock(),
    endpoints,
    counts: callCounts(),
    log: () => undefined,
  });
  functions.add([
    {
      stack: 'Stack',
      logicalId: 'Fn',
      type: 'AWS::Lambda::Function',
      properties: {
        FunctionName: 'fn',
        Code: { S3Bucket: 'assets', S3Key: 'fn.zip' },
        Handler: 'index.handler',
        Runtime: 'nodejs22.x',
        Role: 'arn:aws:iam::000000000000:role/Role',
        Environment: {
          Variables: { JOBS_URL: queueUrl('jobs'), OTHER: 'as it is', DNS_RESOLVERS: '1.1.1.1' },
        },
      },
    },
  ]);
  try {
    expect(await functions.invoke('fn', {})).toMatchObject({
      ok: true,
      payload: {
        JOBS_URL: 'http://127.0.0.1/sqs/000000000000/jobs',
        OTHER: 'as it is',
        AWS_ENDPOINT_URL_SQS: 'http://127.0.0.1/sqs',
        AWS_ENDPOINT_URL_ACM: 'http://127.0.0.1/acm',
        DNS_RESOLVERS: '127.0.0.1:5301,127.0.0.1:5302',
      },
    });
  } finally {
    await functions.close();
  }
});
