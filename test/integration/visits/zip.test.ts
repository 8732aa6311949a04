import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import http from 'node:http';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { S3Client } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { contentBucket } from '../../../adapters/s3/content-bucket.ts';
import { uploadLocation } from '../../../core/content/content-keys.ts';
import { readArchive } from '../../fixtures/archives/archive-readers.ts';
import { adminCommand } from '../../fixtures/accounts/admin.ts';
import { signIn } from '../../fixtures/accounts/accounts.ts';
import { ask, file, somebody } from '../../fixtures/clouds/client.ts';
import { noise } from '../../fixtures/archives/large-zip.ts';
import { LocalCloud } from '../../fixtures/clouds/local-cloud.ts';
import { temporary } from '../../fixtures/projects/projects.ts';
import { publishedUpload, sent } from '../../fixtures/uploads/uploads.ts';

const cloud = new LocalCloud();
/** The large bundle; the last of its tests takes files away from it. */
let url = '';
beforeAll(async () => {
  await cloud.start();
  url = await aLargeBundle();
}, 600_000);
afterAll(() => cloud.remove());

const megabyte = 1_000_000;
const block = noise(10 * megabyte + 6);
/**
 * 40 MB in four files, no two alike; each is read in three pieces. Above 6 MB a stream has 2 MB/s, as on
 * Lambda, so each megabyte more would be half a second of waiting.
 */
const large = Object.fromEntries(
  [1, 2, 3, 4].map((at) => [`part-${at}.bin`, Buffer.from(block.subarray(at, at + 10 * megabyte))]),
);
const reads = 12;

async function aLargeBundle(): Promise<string> {
  const asker = { apiKey: await signIn(undefined, cloud.baseUrl), service: cloud.baseUrl };
  const uploadId = await sent(large, asker);
  const { url, projectId } = await publishedUpload('create', uploadId, asker);
  for (let tries = 0; tries < 300; tries += 1) {
    if ((await ask(url)).status === 200) return url;
    await sleep(200);
  }
  throw new Error(`${projectId} is not published`);
}

/** A download whose answer is read as the test likes. */
function open(url: string): Promise<http.IncomingMessage> {
  const { host, port } = new URL(url);
  const to = { host: '127.0.0.1', port, path: '/_slipway/zip', headers: { host } };
  return new Promise((resolve, reject) => {
    http.get({ ...to, localAddress: somebody() }, resolve).on('error', reject);
  });
}

async function readsOfStorage(): Promise<number> {
  const { json } = await ask(`${cloud.baseUrl}/_local/calls`);
  return json.s3['s3:GetObject'] ?? 0;
}

/** How often storage has been read once nothing more is read. */
async function readsInTheEnd(): Promise<number> {
  for (let last = -1; ; await sleep(700)) {
    const now = await readsOfStorage();
    if (now === last) return now;
    last = now;
  }
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

test('40 MB are streamed while they are read, and arrive complete', async () => {
  await ask(`${cloud.baseUrl}/_local/calls`, { method: 'DELETE' });
  const answer = await open(url);
  expect(answer.statusCode).toBe(200);
  // Without a reader, the data in progress fill sockets and streams, and no further reads of
  // storage follow.
  const before = await readsInTheEnd();
  expect(before).toBeLessThan(reads - 3);
  const zip = await buffer(answer);
  expect(await readsOfStorage()).toBe(reads);
  const { files } = await readArchive(zip, { maxEntries: 10, maxTotalBytes: 100 * megabyte });
  const found = Object.fromEntries(files.map(({ path, bytes }) => [path, sha256(bytes)]));
  const expected = Object.entries(large).map(([path, bytes]) => [path, sha256(bytes)]);
  expect(found).toEqual(Object.fromEntries(expected));
  console.log(`Storage was read ${before} of ${reads} times while nobody read the answer.`);
}, 600_000);

test('a client that disconnects leaves nothing running', async () => {
  await ask(`${cloud.baseUrl}/_local/calls`, { method: 'DELETE' });
  const answer = await open(url);
  await new Promise((resolve) => answer.once('data', resolve));
  answer.destroy();
  // Lambda lets the function end, and so does the local cloud; then nothing more is read.
  expect(await readsInTheEnd()).toBe(reads);
  expect((await buffer(await open(url))).length).toBeGreaterThan(40 * megabyte);
}, 600_000);

test('a file that is missing midway aborts the download; a missing first file gives a page', async () => {
  const read = readFileSync(join(cloud.stateDir, 'operator.json'), 'utf8');
  const { content, accessKeyId, secretAccessKey } = JSON.parse(read);
  const storage = new S3Client({
    region: 'us-east-1',
    endpoint: content.endpoint,
    forcePathStyle: true,
    credentials: { accessKeyId, secretAccessKey },
  });
  const lose = async (path: string) => {
    const digest = uploadLocation('', path);
    const stored = (await cloud.state()).keys.filter((key) => key.endsWith(digest));
    await contentBucket(content.bucket, storage).deleteKeys(stored);
  };
  await lose('part-3.bin');
  const answer = await open(url);
  expect(answer.statusCode).toBe(200);
  let received = 0;
  const reading = async () => {
    for await (const chunk of answer) received += chunk.length;
  };
  await expect(reading()).rejects.toThrow(/aborted|ECONNRESET/);
  expect(received).toBeGreaterThan(10 * megabyte);
  expect(received).toBeLessThan(30 * megabyte);

  await lose('part-1.bin');
  storage.destroy();
  const page = await ask(`${url}/_slipway/zip`, { from: somebody() });
  expect(page.status).toBe(500);
  expect(page.text).toContain('Something went wrong on our side');
}, 600_000);

test('nothing is sent from the second at which a bundle expires, nor of a blocked bundle', async () => {
  const files = [file('a.bin', 'secret a'), file('b.bin', 'secret b')];
  const [expiring, takenDown] = await Promise.all(
    [1, 2].map(() => temporary(files, cloud.baseUrl)),
  );
  const get = (site: string) => ask(`${site}/_slipway/zip`, { from: somebody() });
  expect((await get(expiring.url)).status).toBe(200);
  expect((await get(takenDown.url)).status).toBe(200);

  await adminCommand(
    'takedown',
    takenDown.projectId,
    '--reason',
    'x',
    '--state-dir',
    cloud.stateDir,
  );
  const expectNone = async (site: string, ...statuses: number[]) => {
    const answer = await get(site);
    expect(statuses).toContain(answer.status);
    expect(answer.body.includes('secret')).toBe(false);
  };
  await expectNone(takenDown.url, 451);
  const left = Date.parse(expiring.expiresAt) - (await cloud.now()).getTime();
  await cloud.advance(Math.ceil(left / 1000));
  // Maintenance may have removed it already.
  await expectNone(expiring.url, 410, 404);
}, 600_000);
