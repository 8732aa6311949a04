import { readFileSync } from 'node:fs';
import net from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { ask, file, publishTo, somebody } from '../../fixtures/clouds/client.ts';
import { LocalCloud, type State } from '../../fixtures/clouds/local-cloud.ts';
import { aForm } from '../../fixtures/uploads/multipart.ts';
import { expectNoInsides, expectRefusal } from '../../fixtures/clouds/refusals.ts';
import { bomb, hostileArchives } from '../../fixtures/archives/hostile-archives.ts';

const cloud = new LocalCloud();
let neighbour: string;
let before: State;
beforeAll(async () => {
  await cloud.start();
  neighbour = (await publishTo(cloud.baseUrl, [file('index.html', 'neighbour')])).json.data.url;
  before = await cloud.state();
});
afterAll(async () => {
  await cloud.remove();
});

async function expectNothingLeft(): Promise<void> {
  expect((await ask(neighbour)).text).toBe('neighbour');
  const { rows, keys } = await cloud.state();
  expect({ projects: rows['projects'], sites: rows['sites'], keys }).toEqual({
    projects: before.rows['projects'],
    sites: before.rows['sites'],
    keys: before.keys,
  });
}

/** The peak memory of the whole service so far, in MiB (Linux). */
const peakMiB = () =>
  Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${cloud.pid}/status`, 'utf8'))?.[1]) / 1024;

/** A client that sends bytes by hand and may stop anywhere. */
function connect(bytes: Buffer | string, from = somebody()): net.Socket {
  const socket = net.connect({
    host: '127.0.0.1',
    port: Number(new URL(cloud.baseUrl).port),
    localAddress: from,
  });
  socket.on('error', () => undefined);
  socket.write(bytes);
  return socket;
}

function rawUpload(contentLength: number, body: Buffer, contentType: string): Buffer {
  const { host } = new URL(cloud.baseUrl);
  const head = [
    'POST /v1/projects/temp HTTP/1.1',
    `host: ${host}`,
    `content-type: ${contentType}`,
    `content-length: ${contentLength}`,
    '\r\n',
  ].join('\r\n');
  return Buffer.concat([Buffer.from(head), body]);
}

describe('hostile archives', () => {
  test.each(hostileArchives())('%s is refused completely', async (_, zip) => {
    const answer = await publishTo(cloud.baseUrl, [file('site.zip', zip)]);
    expect([400, 413]).toContain(answer.status);
    expectRefusal(answer, answer.status, answer.json.code);
    expect(['ARCHIVE_INVALID', 'TOO_MANY_FILES', 'FILE_TYPE_REFUSED']).toContain(answer.json.code);
  });

  test('leave nothing behind and do not change other sites', expectNothingLeft);

  (process.platform === 'linux' ? test : test.skip)(
    'need little memory, even twenty concurrent bombs',
    async () => {
      const zip = bomb();
      const calm = peakMiB();
      const answers = await Promise.all(
        Array.from({ length: 20 }, () => publishTo(cloud.baseUrl, [file('bomb.zip', zip)])),
      );
      for (const answer of answers) expectRefusal(answer, 400, 'ARCHIVE_INVALID');
      expect(peakMiB() - calm).toBeLessThan(900);
    },
  );
});

describe('incomplete uploads', () => {
  const { body, contentType } = aForm([file('a.txt', Buffer.alloc(100_000, 'x'))]);

  test('a hundred stalled ones do not block a valid one', async () => {
    const half = rawUpload(body.length, body.subarray(0, body.length / 2), contentType);
    const stalled = Array.from({ length: 100 }, () => connect(half));
    try {
      const sound = await publishTo(cloud.baseUrl, [file('index.html', 'sound')]);
      expect(sound.status).toBe(200);
      expect((await ask(sound.json.data.url)).text).toBe('sound');
      before = await cloud.state();
    } finally {
      for (const socket of stalled) socket.destroy();
    }
    await expectNothingLeft();
  });

  test('an interrupted one leaves nothing behind', async () => {
    for (const share of [0, 0.1, 0.5, 0.99]) {
      const part = body.subarray(0, Math.floor(body.length * share));
      const socket = connect(rawUpload(body.length, part, contentType));
      await new Promise((resolve) => setTimeout(resolve, 30));
      socket.destroy();
    }
    await expectNothingLeft();
  });

  test('one that ends inside its form is refused', async () => {
    const answer = await ask(`${cloud.baseUrl}/v1/projects/temp`, {
      method: 'POST',
      headers: { 'content-type': contentType },
      body: body.subarray(0, 50_000),
      from: somebody(),
    });
    expectRefusal(answer, 400, 'INVALID_REQUEST');
    await expectNothingLeft();
  });
});

describe('random requests', () => {
  const { host } = new URL('http://localhost');
  const token = fc.stringMatching(/^[A-Za-z]{1,12}$/);
  const path = fc.oneof(
    fc.webPath({ size: 'small' }),
    fc.string({ unit: 'binary-ascii', maxLength: 40 }).map((text) => `/${encodeURI(text)}`),
    fc
      .string({ unit: 'grapheme-ascii', maxLength: 40 })
      .map((text) => `/${text.replaceAll(' ', '')}`),
    fc.constantFrom(
      '/%',
      '/..',
      '//',
      '/%2e%2e/',
      '/\\',
      '/?',
      '/_slipway/open',
      '/_slipway/seen',
      '/v1/projects/temp',
    ),
  );
  const header = fc.tuple(
    fc.constantFrom(
      'range',
      'if-range',
      'if-none-match',
      'if-match',
      'if-modified-since',
      'accept',
      'content-type',
      'x-slipway-host',
      'x-slipway-access',
      'cookie',
      'authorization',
      'x-forwarded-for',
      'expect',
    ),
    fc.string({ unit: 'grapheme-ascii', maxLength: 60 }),
  );

  test('never cause a 5xx, a redirect to another host or a leak of internals', async () => {
    const site = new URL(neighbour).host;
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(token, fc.constantFrom('GET', 'HEAD', 'POST', 'PUT')),
        path,
        fc.array(header, { maxLength: 4 }),
        fc.constantFrom(site, new URL(cloud.baseUrl).host, host),
        fc.string({ maxLength: 200 }),
        async (method, target, headers, to, body) => {
          const { status, location, text } = await exchange(
            [
              `${method.toUpperCase()} ${target} HTTP/1.1`,
              `host: ${to}`,
              'connection: close',
              ...headers.map(([name, value]) => `${name}: ${value}`),
              `content-length: ${Buffer.byteLength(body)}`,
              '',
              body,
            ].join('\r\n'),
          );
          expect(status).toBeGreaterThanOrEqual(200);
          expect(status).toBeLessThan(500);
          expect(location ?? '/').toMatch(/^\/(?!\/)/);
          expectNoInsides(text);
        },
      ),
      { numRuns: 400 },
    );
  });

  test('leave nothing behind', expectNothingLeft);

  async function exchange(request: string) {
    const socket = connect(request);
    const chunks: Buffer[] = [];
    for await (const chunk of socket) chunks.push(chunk);
    const answer = Buffer.concat(chunks).toString('latin1');
    const [head = '', text = ''] = answer.split('\r\n\r\n', 2);
    return {
      status: Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1] ?? 0),
      location: /\r\nlocation: ([^\r]*)/i.exec(head)?.[1],
      text,
    };
  }
});
