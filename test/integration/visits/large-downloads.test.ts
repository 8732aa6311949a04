import { once } from 'node:events';
import http from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { signIn } from '../../fixtures/accounts/accounts.ts';
import { ask, somebody } from '../../fixtures/clouds/client.ts';
import { LocalCloud } from '../../fixtures/clouds/local-cloud.ts';
import { putTo } from '../../fixtures/projects/put.ts';
import { begin, ended, publishUpload } from '../../fixtures/uploads/uploads.ts';

const gibibyte = 1024 ** 3;
/** `LARGEST=yes`: the largest file of the largest plan, and of one PUT to S3. It needs some 15 GB of disk. */
const filmBytes = process.env['LARGEST'] === 'yes' ? 5 * gibibyte : 30_000_000;
/** Cached by the local edge, which keeps bodies up to 32 MiB. */
const albumBytes = 30_000_000;
/** Beyond what the sockets between a function and its visitor hold. */
const blockBytes = 1024 * 1024;

/** A new AWS account runs ten functions at once. */
const quota = 10;
const cloud = new LocalCloud(
  '--account-quota=new',
  `plans.pro.maxUploadBytes=${filmBytes + albumBytes}`,
  `plans.pro.maxStorageBytes=${2 * filmBytes + 6 * albumBytes}`,
);
let key = '';
/** Without a slash at its end. */
let site = '';
/** Another one, whose ZIP is small enough to be sent. */
let smallSite = '';
const addresses = { film: '', album: '' };

beforeAll(async () => {
  await cloud.start();
  key = await signIn(undefined, cloud.baseUrl);
  site = await publish({ 'film.mp4': filmBytes, 'album.bin': albumBytes });
  smallSite = await publish({ 'one.bin': albumBytes, 'two.bin': albumBytes });
  addresses.film = await addressOf('film.mp4');
  addresses.album = await addressOf('album.bin');
}, 1_500_000);
afterAll(() => cloud.remove());

/** Every eighth byte counts up, so that no two parts of a file are alike. */
function* blocks(size: number): Generator<Buffer> {
  for (let first = 0; first < size; first += blockBytes) {
    yield bytesAt(first, Math.min(blockBytes, size - first));
  }
}

/** The bytes of every file from here on. `first` is a multiple of eight. */
function bytesAt(first: number, length: number): Buffer {
  const bytes = Buffer.alloc(Math.ceil(length / 8) * 8);
  for (let at = 0; at < bytes.length; at += 8) bytes.writeDoubleBE((first + at) / 8, at);
  return bytes.subarray(0, length);
}

async function publish(sizes: Record<string, number>): Promise<string> {
  const asker = { apiKey: key, service: cloud.baseUrl };
  const files = Object.entries(sizes).map(([path, size]) => ({ path, size }));
  const { uploadId, parts } = (await begin({ files }, asker)).json.data;
  for (const [at, { size }] of files.entries()) {
    expect(await putTo(parts[at].url, toAsync(blocks(size)), size)).toBe(200);
  }
  let answer = await publishUpload('create', uploadId, asker);
  if (answer.status === 504) {
    // The local S3 copies a part when its upload is completed: 5 GiB take longer than a request, and the next finds it done.
    await sleep(60_000);
    answer = await publishUpload('create', uploadId, asker);
  }
  const { status, json } = answer;
  expect([200, 201, 202]).toContain(status);
  await ended(uploadId, asker, 800);
  return json.data.url.replace(/\/$/, '');
}

async function* toAsync<T>(items: Iterable<T>): AsyncGenerator<T> {
  yield* items;
}

/** The address of its own that a file is redirected to. */
async function addressOf(path: string): Promise<string> {
  const { status, headers } = await ask(`${site}/${path}`);
  expect({ status, location: headers.location }).toEqual({
    status: 302,
    location: expect.stringMatching(/^\/_slipway\/files\//),
  });
  return `${site}${headers.location}`;
}

/** Begins a download, and reads nothing of its body yet. */
async function download(url: string): Promise<http.IncomingMessage> {
  const { host, port, pathname } = new URL(url);
  const options = { host: '127.0.0.1', port, path: pathname, localAddress: somebody() };
  const request = http.get({ ...options, headers: { host } });
  const [response] = (await once(request, 'response')) as [http.IncomingMessage];
  return response;
}

async function lengthOf(response: http.IncomingMessage): Promise<number> {
  let bytes = 0;
  for await (const chunk of response) bytes += (chunk as Buffer).length;
  return bytes;
}

describe(`a file of ${filmBytes} bytes`, () => {
  const positions = [0, 8, 4 * 1024 * 1024, 2 ** 31 - 8, 2 ** 32 - 8, 2 ** 32, filmBytes - 16];
  test.each(positions.filter((first) => first + 16 <= filmBytes && first % 8 === 0))(
    'has its own bytes at %s',
    async (first) => {
      const range = `bytes=${first}-${first + 15}`;
      const { status, headers, body } = await ask(addresses.film, { headers: { range } });
      expect({ status, range: headers['content-range'] }).toEqual({
        status: 206,
        range: `bytes ${first}-${first + 15}/${filmBytes}`,
      });
      expect(body).toEqual(bytesAt(first, 16));
    },
  );

  test('says its size without a body, and ends where it ends', async () => {
    const { status, headers, body } = await ask(addresses.film, { method: 'HEAD' });
    expect({ status, length: headers['content-length'], bytes: body.length }).toEqual({
      status: 200,
      length: String(filmBytes),
      bytes: 0,
    });
    const last = await ask(addresses.film, { headers: { range: 'bytes=-8' } });
    expect(last.body).toEqual(bytesAt(filmBytes - 8, 8));
    const beyond = await ask(addresses.film, { headers: { range: `bytes=${filmBytes}-` } });
    expect(beyond.status).toBe(416);
  });
});

test('a file of 30 MB is sent by the edge from its copy the second time', async () => {
  const first = await ask(addresses.album);
  expect([first.status, first.headers['x-cache']]).toEqual([200, 'Miss from cloudfront']);
  const again = await ask(addresses.album);
  expect([again.status, again.headers['x-cache']]).toEqual([200, 'RefreshHit from cloudfront']);
  expect(again.body.equals(first.body)).toBe(true);
  expect(again.body.length).toBe(albumBytes);
}, 120_000);

test('ten downloads at once take no function of a new account: pages answer meanwhile', async () => {
  const downloads: http.IncomingMessage[] = [];
  for (let count = 0; count < quota; count += 1) downloads.push(await download(addresses.album));
  expect(downloads.map(({ statusCode }) => statusCode)).toEqual(downloads.map(() => 200));
  for (let visit = 0; visit < 2 * quota; visit += 1) {
    expect((await ask(`${site}/`, { from: somebody() })).status).toBe(200);
  }
  expect(await Promise.all(downloads.map(lengthOf))).toEqual(downloads.map(() => albumBytes));
}, 120_000);

test('no gate, no file: while no function can run, storage sends nothing', async () => {
  // Each holds a function until its visitor has read it, as ten large ZIPs of a real account do.
  const zips = await Promise.all(
    Array.from({ length: quota }, () => download(`${smallSite}/_slipway/zip`)),
  );
  expect(zips.map(({ statusCode }) => statusCode)).toEqual(zips.map(() => 200));
  for (const headers of [{}, { range: 'bytes=0-15' }, { 'if-none-match': '"x"' }]) {
    const { status, body } = await ask(addresses.album, { headers, from: somebody() });
    expect({ status, bytes: body.length < 100 }).toEqual({ status: 429, bytes: true });
  }
  // A page has the busy page instead.
  expect((await ask(`${site}/`)).status).toBe(503);
  for (const zip of zips) zip.destroy();
}, 120_000);
