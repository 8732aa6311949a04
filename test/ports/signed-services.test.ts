import { afterEach, expect, test } from '@jest/globals';
import { signedCalls } from '../../adapters/signed-calls/signed-calls.ts';
import {
  signedMessages,
  signedObjects,
  signedSecrets,
} from '../../adapters/signed-calls/signed-services.ts';
import { movableClock } from '../../local/time/clock.ts';
import { startSecrets } from '../../local/secrets/secrets.ts';
import { startSqs } from '../../local/sqs/sqs.ts';
import { queueUrl, withLocalQueueUrls } from '../../local/sqs/queue-url.ts';
import { anIam } from '../../local/test/an-iam.ts';
import { aQueue, queueNamed, someQueues } from '../../local/test/sqs/a-queue.ts';
import { temporaryFolder } from '../../local/test/temporary-folder.ts';

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

const arn = 'arn:aws:secretsmanager:us-east-1:000000000000:secret:Stack-Key-abc123';

async function services(actions: string[]) {
  const { iam, credentials } = anIam(actions);
  const secret = {
    stack: 'Stack',
    logicalId: 'Key',
    type: 'AWS::SecretsManager::Secret',
    properties: { SecretString: 'grün "und" geheim' },
  };
  const secrets = await startSecrets({
    stateDir: temporaryFolder('secrets'),
    clock: movableClock(),
    iam,
    secrets: [{ resource: secret, arn }],
  });
  const { queues, clock } = someQueues(aQueue('hits', {}));
  const sqs = await startSqs({ clock, iam, queues, onCall: () => undefined });
  const calls = signedCalls({
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
    AWS_SESSION_TOKEN: credentials.sessionToken,
    AWS_ENDPOINT_URL_SECRETS_MANAGER: secrets.url,
  });
  ends.push(
    () => calls.close(),
    () => secrets.close(),
    () => sqs.close(),
  );
  const { QueueUrl = '' } = withLocalQueueUrls({ QueueUrl: queueUrl('hits') }, sqs.url);
  return { calls, QueueUrl, queue: queueNamed(queues, 'hits'), clock };
}

test('reading a secret needs the permission', async () => {
  const { calls } = await services(['secretsmanager:GetSecretValue']);
  expect(await signedSecrets(calls)(arn)).toBe('grün "und" geheim');
  await expect(signedSecrets(calls)(`${arn}x`)).rejects.toMatchObject({
    code: 'ResourceNotFoundException',
  });
  const others = await services(['sqs:SendMessage']);
  await expect(signedSecrets(others.calls)(arn)).rejects.toMatchObject({
    code: 'AccessDeniedException',
  });
});

test('a message arrives unchanged, signed for the host of its queue', async () => {
  const { calls, QueueUrl, queue } = await services(['sqs:SendMessage']);
  await signedMessages(calls, QueueUrl)('{"text":"grüße"}');
  expect(queue.receive({ messages: 10, bytes: 1000 }).map(({ body }) => body)).toEqual([
    '{"text":"grüße"}',
  ]);
  const others = await services([]);
  await expect(signedMessages(others.calls, others.QueueUrl)('{}')).rejects.toMatchObject({
    code: 'AccessDeniedException',
  });
});

test("in a deployment, an object is requested at its bucket's own host, with its key encoded", async () => {
  const requestedUrls: string[] = [];
  const calls = signedCalls({
    AWS_REGION: 'eu-west-1',
    AWS_ACCESS_KEY_ID: 'A',
    AWS_SECRET_ACCESS_KEY: 'S',
  });
  const recording = {
    ...calls,
    send: async ({ url }: { url: URL }) => {
      requestedUrls.push(url.href);
      return { status: 200, headers: {}, body: Buffer.alloc(0) };
    },
  };
  await signedObjects(recording, 'content').get("content/a b/ü'(1)*?#");
  expect(requestedUrls).toEqual([
    'https://content.s3.eu-west-1.amazonaws.com/content/a%20b/%C3%BC%27%281%29%2A%3F%23',
  ]);
});
