import { execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { buffer, text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { anEmail, signIn } from '../../fixtures/accounts/accounts.ts';
import { adminCommand } from '../../fixtures/accounts/admin.ts';
import { ask, baseUrl } from '../../fixtures/clouds/client.ts';
import { longProof, proofSize } from '../../fixtures/proof-size.ts';
import {
  type Fault,
  type FaultProxy,
  type ReadBody,
  receiveAt,
  startFaultProxy,
} from '../../fixtures/clouds/fault-proxy.ts';

let root = '';
let folder = '';
let email = '';
let key = '';
/** The service, and storage, which is at an address of its own. */
let proxies: FaultProxy[] = [];

beforeAll(async () => {
  root = mkdtempSync(path.join(tmpdir(), 'slipway-connection-'));
  writeFileSync(path.join(root, 'cli.tgz'), (await ask(`${baseUrl}/cli.tgz`)).body);
  execFileSync('tar', ['xzf', 'cli.tgz'], { cwd: root });
});
afterAll(() => rmSync(root, { recursive: true, force: true }));
beforeEach(async () => {
  folder = mkdtempSync(path.join(root, 'project-'));
  mkdirSync(path.join(folder, 'dist'));
  mkdirSync(path.join(folder, 'tmp'));
  write('index.html', '<h1>Home</h1>');
  email = anEmail();
  key = await signIn(email);
});
afterEach(async () => {
  await Promise.all(proxies.map(async (one) => one.close()));
  proxies = [];
});

function write(name: string, content: string | Buffer): void {
  writeFileSync(path.join(folder, 'dist', name), content);
}

/** Starts the command behind the proxy. */
function start(...args: string[]) {
  const { PATH } = process.env;
  const child = spawn(
    process.execPath,
    [path.join(root, 'package', 'main.mjs'), ...args, '--url', proxies[0]?.url ?? ''],
    {
      cwd: folder,
      env: { PATH, HOME: folder, TMPDIR: path.join(folder, 'tmp'), SLIPWAY_KEY: key },
    },
  );
  child.stdin.end();
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  const answer = Promise.all([text(child.stdout), text(child.stderr), ended]).then(
    ([stdout, stderr, code]) => ({ stdout, stderr, code }),
  );
  return { child, answer };
}

const slipway = async (...args: string[]) => start(...args).answer;
const forwarded: Fault = (exchange, forward) => forward(exchange);

interface Connection {
  /** What happens to each request, also of storage. */
  fault?: Fault;
  /** How storage receives a file. */
  read?: ReadBody;
}

/** Puts proxies before the service and its storage. */
async function connectBy({ fault = forwarded, read }: Connection): Promise<void> {
  const storage = new Map<string, FaultProxy>();
  const before = async (origin: string) => {
    const { host } = new URL(origin);
    // The signature is of this host.
    const signed: Fault = (exchange, forward) =>
      fault(exchange, (sent) => forward({ ...sent, host }));
    const proxy = storage.get(origin) ?? (await startFaultProxy(origin, signed, read));
    if (!storage.has(origin)) proxies.push(proxy);
    storage.set(origin, proxy);
    return proxy.url;
  };
  const service = await startFaultProxy(baseUrl, async (exchange, forward) => {
    const answer = await fault(exchange, forward);
    const text = answer.body.toString();
    const [origin] = /http:\/\/127\.0\.0\.1:\d+/.exec(text) ?? [];
    if (exchange.target !== '/v1/uploads' || origin === undefined) return answer;
    return { ...answer, body: Buffer.from(text.replaceAll(origin, await before(origin))) };
  });
  proxies.unshift(service);
}

/** Too large for a request. Bytes. */
const inStorage = 4_100_000;

const slowly = receiveAt(2_500_000);

/** Breaks the connection of the first files after so many bytes. */
function cutting(times: number, bytes: number): ReadBody {
  let left = times;
  return async (request) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) {
      chunks.push(chunk);
      if (left === 0 || Buffer.concat(chunks).length < bytes) continue;
      left -= 1;
      request.destroy();
      throw new Error('cut');
    }
    return Buffer.concat(chunks);
  };
}

test.each([2, 300])('%i small files are one request, also those that differ', async (count) => {
  for (let number = 1; number < count; number += 1) write(`it's "${number}" (é).html`, `${number}`);
  const requests: string[] = [];
  let isGzippedZip = false;
  await connectBy({
    async fault(exchange, forward) {
      const [target = ''] = exchange.target.replace(/[0-9a-f-]{36}/, 'ID').split('?');
      requests.push(`${exchange.method} ${target}`);
      isGzippedZip = exchange.body.includes('application/zip+gzip');
      return forward(exchange);
    },
  });
  const { stdout } = await slipway('publish', 'dist', '--json');
  expect(JSON.parse(stdout).sent.files).toBe(count);
  expect(requests).toEqual(['POST /v1/projects']);
  expect(isGzippedZip).toBe(count > 200);
  const { url } = JSON.parse(stdout);
  expect((await ask(`${url}/it's%20%221%22%20(%C3%A9).html`)).text).toContain('1');
  write(`it's "1" (é).html`, 'changed');
  requests.length = 0;
  const changed = await slipway('publish', '--json');
  expect(JSON.parse(changed.stdout).sent.files).toBe(1);
  const files = '/v1/projects/ID/files';
  expect(requests).toEqual([`GET ${files}`, `PATCH ${files}`]);
  expect((await ask(`${url}/it's%20%221%22%20(%C3%A9).html`)).text).toContain('changed');
});

test('many files that are too large for a request are one ZIP in storage', async () => {
  for (let number = 1; number < 300; number += 1) write(`${number}.bin`, randomBytes(14_000));
  const requests: string[] = [];
  await connectBy({
    async fault(exchange, forward) {
      requests.push(exchange.method);
      return forward(exchange);
    },
  });
  const { stdout } = await slipway('publish', 'dist', '--json');
  expect(requests.slice(0, 3)).toEqual(['POST', 'PUT', 'POST']);
  const { body } = await ask(`${JSON.parse(stdout).url}/299.bin`);
  expect(body.equals(readFileSync(path.join(folder, 'dist', '299.bin')))).toBe(true);
});

test('over a slow connection, all arrives', async () => {
  write('picture.bin', randomBytes(inStorage));
  await connectBy({
    async fault(exchange, forward) {
      await sleep(150);
      return forward(exchange);
    },
    read: slowly,
  });
  const { code, stdout } = await slipway('publish', 'dist', '--json');
  expect([code, JSON.parse(stdout).sent]).toEqual([0, { files: 2, bytes: inStorage + 13 }]);
});

test('a file that is cut off is sent again', async () => {
  write('picture.bin', randomBytes(inStorage));
  await connectBy({ read: cutting(2, 100_000) });
  const { code, stdout } = await slipway('publish', 'dist');
  expect(code).toBe(0);
  const { body } = await ask(`${stdout.trim()}/picture.bin`);
  expect(body.equals(readFileSync(path.join(folder, 'dist', 'picture.bin')))).toBe(true);
});

test('a request that is cut off before its answer runs once', async () => {
  let cuts = 0;
  await connectBy({
    async fault(exchange, forward) {
      const answer = await forward(exchange);
      if (exchange.method === 'POST' && exchange.target === '/v1/projects' && cuts < 2) {
        cuts += 1;
        throw new Error('cut');
      }
      return answer;
    },
  });
  const { code } = await slipway('publish', 'dist');
  expect([code, cuts]).toEqual([0, 2]);
  const { stdout } = await slipway('list', '--json');
  expect(JSON.parse(stdout).projects).toHaveLength(1);
});

test('a connection that stays broken ends with exit code 4, and the same command goes on later', async () => {
  write('first.bin', randomBytes(2_000_000));
  // Its first part arrives.
  const part = 8 * 1024 ** 2;
  write('picture.bin', randomBytes(part + 2_200_000));
  let isBroken = true;
  const received: number[] = [];
  await connectBy({
    async read(request) {
      const size = Number(request.headers['content-length']);
      if (isBroken && size === 2_200_000) return cutting(1, 100_000)(request);
      const body = await buffer(request);
      if (request.method === 'PUT') received.push(size);
      return body;
    },
  });
  const { code, stdout, stderr } = await slipway('publish', 'dist');
  expect([code, stdout]).toEqual([4, '']);
  expect(stderr).toContain('The connection was lost while picture.bin was sent.');
  expect(JSON.parse((await slipway('list', '--json')).stdout).projects).toEqual([]);
  expect(received.toSorted((a, b) => a - b)).toEqual([13, 2_000_000, part]);
  received.length = 0;
  isBroken = false;
  const again = await slipway('publish', 'dist');
  expect([again.code, received]).toEqual([0, [2_200_000]]);
  for (const name of ['first.bin', 'picture.bin']) {
    const url = `${again.stdout.trim()}/${name}`;
    const { location = url } = (await ask(url)).headers;
    const { body } = await ask(new URL(location, url).href);
    expect(body.equals(readFileSync(path.join(folder, 'dist', name)))).toBe(true);
  }
}, 30_000);

test('Ctrl-C while files are sent publishes nothing, and leaves nothing behind', async () => {
  // So many files, and so large, are packed on disk.
  for (let number = 0; number < 201; number += 1) write(`${number}.txt`, `${number}`);
  write('picture.bin', randomBytes(33_000_000));
  let stop = () => {};
  await connectBy({
    async read(request) {
      if (request.method === 'PUT') stop();
      return slowly(request);
    },
  });
  const { child, answer } = start('publish', 'dist');
  let packed: string[] = [];
  stop = () => {
    // Each of its parts is a request.
    stop = () => {};
    packed = readdirSync(path.join(folder, 'tmp'));
    child.kill('SIGINT');
  };
  expect(await answer).toMatchObject({ code: 130, stdout: '' });
  expect(packed).toEqual([expect.stringMatching(/^slipway-/)]);
  expect(readdirSync(folder).toSorted()).toEqual(['dist', 'tmp']);
  expect(readdirSync(path.join(folder, 'tmp'))).toEqual([]);
  expect(JSON.parse((await slipway('list', '--json')).stdout).projects).toEqual([]);
});

/** Counts what goes to the service, heads too. Bytes. */
function counting(counted: { bytes: number }): Fault {
  return async (exchange, forward) => {
    const { target, headers, body } = exchange;
    counted.bytes += target.length + JSON.stringify(headers).length + body.length;
    return forward(exchange);
  };
}

const many = proofSize({ short: 300, whole: 2000 });

test.each([
  ['a version', []],
  ['a preview', ['--preview', 'pr-1']],
])('a push of one changed file to %s sends that file, and at most 300 kB beside', async (_, to) => {
  for (let number = 1; number < many; number += 1) {
    write(`pages-of-the-harbour-${number}.html`, `<h1>${number}</h1>${'x'.repeat(2000)}`);
  }
  const counted = { bytes: 0 };
  await connectBy({ fault: counting(counted) });
  expect((await slipway('publish', 'dist')).code).toBe(0);
  expect((await slipway('publish', ...to)).code).toBe(0);
  const changed = randomBytes(400_000);
  write('pages-of-the-harbour-7.html', changed);
  counted.bytes = 0;
  const { stdout } = await slipway('publish', ...to, '--json');
  expect(JSON.parse(stdout).sent).toEqual({ files: 1, bytes: 400_000 });
  expect(counted.bytes).toBeGreaterThan(changed.length);
  expect(counted.bytes - changed.length).toBeLessThan(300_000);
});

longProof(
  '20,000 files are published, and one that changes is sent alone',
  async () => {
    await adminCommand('set-plan', email, 'scale', `--state-dir=${process.env['BASE_STATE_DIR']}`);
    for (let number = 1; number < 20_000; number += 1) write(`${number}.html`, `Page ${number}`);
    await connectBy({});
    const { stdout } = await slipway('publish', 'dist', '--json');
    const { url, sent } = JSON.parse(stdout);
    expect(sent.files).toBe(20_000);
    expect((await ask(`${url}/19999.html`)).text).toContain('Page 19999');
    write('7.html', 'changed');
    const pushed = await slipway('publish', '--json');
    expect(JSON.parse(pushed.stdout).sent).toEqual({ files: 1, bytes: 7 });
    expect((await ask(`${url}/7.html`)).text).toContain('changed');
  },
  300_000,
);

test('a watched folder is pushed again after each change, and after a push that failed', async () => {
  let isBroken = false;
  let sent = 0;
  write('picture.bin', randomBytes(400_000));
  await connectBy({
    async fault(exchange, forward) {
      sent += exchange.body.length;
      if (isBroken && exchange.method === 'PUT') {
        return {
          status: 500,
          headers: { 'content-type': 'application/json' },
          body: Buffer.from('{}'),
        };
      }
      return forward(exchange);
    },
  });
  expect((await slipway('publish', 'dist')).code).toBe(0);
  const { child, answer } = start('publish', '--watch');
  let said = '';
  child.stderr.on('data', (part) => (said += String(part)));
  let address = '';
  child.stdout.on('data', (part) => (address += String(part)));
  const until = async (pattern: RegExp) => {
    while (!pattern.test(said)) {
      if (child.exitCode !== null) throw new Error(said);
      await sleep(20);
    }
    said = '';
  };
  await until(/Press Ctrl-C to stop/);
  expect(address).toMatch(/^http:\/\/\S+--watch-[0-9a-f]{6}\.\S+\n$/);
  write('index.html', '<h1>Two</h1>');
  write('more.html', '<h1>More</h1>');
  expect(sent).toBeGreaterThan(400_000);
  sent = 0;
  await until(/Published 3 files/);
  expect((await ask(address.trim())).text).toContain('Two');
  isBroken = true;
  write('index.html', '<h1>Three</h1>');
  await until(/The service answered 500/);
  isBroken = false;
  write('index.html', '<h1>Four</h1>');
  await until(/Published 3 files/);
  expect((await ask(address.trim())).text).toContain('Four');
  expect(sent).toBeLessThan(100_000);
  const { versions } = JSON.parse((await slipway('versions', '--json')).stdout);
  expect(versions).toHaveLength(1);
  child.kill('SIGINT');
  const { code, stdout } = await answer;
  expect([code, stdout]).toEqual([0, address]);
  expect(JSON.parse((await slipway('previews', '--json')).stdout)).toEqual({ previews: [] });
});
