import { brotliDecompressSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from '@jest/globals';
import JSZip from 'jszip';
import { signIn } from '../../fixtures/accounts/accounts.ts';
import { type Answer, ask, file } from '../../fixtures/clouds/client.ts';
import { created } from '../../fixtures/projects/projects.ts';
import { patch, push } from '../../fixtures/projects/versions.ts';
import { cookieFrom, unlock } from '../../fixtures/visits/access.ts';

const mebibyte = 1024 * 1024;

/** Bytes that brotli makes to about `share` of their number. */
function shrinking(size: number, share: number): Buffer {
  const bytes = Buffer.alloc(size);
  let state = 1;
  for (let at = 0; at < size * share; at += 1) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    bytes[at] = state >>> 24;
  }
  return bytes;
}

const program = shrinking(5 * mebibyte, 0.01);
/** Packed, it is above 4 MB as well. */
const model = shrinking(5 * mebibyte, 0.82);
const film = Buffer.alloc(5 * mebibyte, 'A film of boats in the harbour. ');

const headers = `/*
  Cross-Origin-Opener-Policy: same-origin
  Cross-Origin-Embedder-Policy: require-corp
/film-1b2c3d4e.mp4
  X-Mine: film
`;

const site = {
  'index.html': '<h1>Home',
  'app.wasm': program,
  'film-1b2c3d4e.mp4': film,
  _headers: headers,
};

async function aZip(files: Record<string, string | Buffer>) {
  const zip = new JSZip();
  for (const [path, content] of Object.entries(files)) zip.file(path, content);
  return [file('a.zip', await zip.generateAsync({ type: 'nodebuffer', compression: 'DEFLATE' }))];
}

/** Follows the redirect to the address that the file has of its own. */
async function follow(url: string, path: string, sent: Record<string, string> = {}) {
  const { status, headers: got } = await ask(url + path, { headers: sent });
  const location = String(got.location);
  expect({ status, location }).toEqual({
    status: 302,
    location: expect.stringMatching(ownAddress),
  });
  return { location, answer: await ask(url + location, { headers: sent }) };
}
const ownAddress =
  /^\/_slipway\/(?:files|isolated)\/[0-9a-f-]{36}\/[0-9a-f]+\/[0-9a-f]{32}(?:\.br)?\//;
const packed = { 'accept-encoding': 'gzip, br' };

/** The headers of a response without those of this one transfer. */
function steady({ headers: got }: Answer) {
  const names = ['date', 'connection', 'content-length', 'x-amz-cf-id', 'via', 'x-cache', 'age'];
  const others = ['transfer-encoding', 'keep-alive', 'x-amzn-requestid', 'x-amzn-trace-id'];
  return Object.fromEntries(
    Object.entries(got).filter(([name]) => ![...names, ...others].includes(name)),
  );
}

describe('a file over 4 MB (fault 3)', () => {
  let url: string;
  beforeAll(async () => {
    ({ url } = await created(await signIn(), {
      files: await aZip({ ...site, 'ship.obj': model }),
    }));
  });

  test('is sent packed at its own path, if the packed bytes fit into a response', async () => {
    const answer = await ask(`${url}/app.wasm`, { headers: packed });
    expect(answer.status).toBe(200);
    expect(answer.headers).toMatchObject({
      'content-type': 'application/wasm',
      'content-encoding': 'br',
      vary: 'Accept-Encoding',
      'cross-origin-embedder-policy': 'require-corp',
    });
    expect(answer.body.length).toBeLessThan(mebibyte);
    expect(brotliDecompressSync(answer.body).equals(program)).toBe(true);
    const again = { ...packed, 'if-none-match': String(answer.headers.etag) };
    expect((await ask(`${url}/app.wasm`, { headers: again })).status).toBe(304);
  });

  test.each([
    ['whole', '/film-1b2c3d4e.mp4', {}, film],
    ['whole to clients that unpack nothing', '/app.wasm', {}, program],
    ['packed', '/ship.obj', packed, model],
  ])(
    'is sent %s by storage, from an address that stays the same',
    async (_, path, sent, expected) => {
      const { location, answer } = await follow(url, path, sent);
      const coding = answer.headers['content-encoding'];
      const body = coding === 'br' ? brotliDecompressSync(answer.body) : answer.body;
      expect({ status: answer.status, same: body.equals(expected) }).toEqual({
        status: 200,
        same: true,
      });
      expect(coding).toBe(sent === packed ? 'br' : undefined);
      expect((await follow(url, path, sent)).location).toBe(location);
    },
  );

  test('has its type and coding, the headers that isolate it, and is asked for at every view', async () => {
    const { location, answer } = await follow(url, '/film-1b2c3d4e.mp4');
    expect(location).toMatch(/^\/_slipway\/isolated\//);
    expect(answer.headers).toMatchObject({
      'content-type': 'video/mp4',
      'content-length': String(film.length),
      'accept-ranges': 'bytes',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-embedder-policy': 'require-corp',
      'x-content-type-options': 'nosniff',
      'cache-control': 'max-age=0, must-revalidate, stale-if-error=0',
    });
    for (const name of ['x-mine', 'x-amz-meta-cache-tag', 'x-amz-server-side-encryption'])
      expect(answer.headers).not.toHaveProperty(name);
    const packedOne = await follow(url, '/ship.obj', packed);
    expect(packedOne.answer.headers).toMatchObject({
      'content-type': 'model/obj',
      'content-encoding': 'br',
    });
  });

  test('of a site that isolates nothing has no such headers', async () => {
    const plain = await created(await signIn(), { files: await aZip({ ...site, _headers: '' }) });
    const { location, answer } = await follow(plain.url, '/film-1b2c3d4e.mp4');
    expect(location).toMatch(/^\/_slipway\/files\//);
    expect(answer.headers).not.toHaveProperty('cross-origin-embedder-policy');
    const moved = await ask(plain.url + location.replace('files', 'isolated'));
    expect(moved.headers.location).toBe('/film-1b2c3d4e.mp4');
  });

  test('HEAD is GET without its body, at both addresses', async () => {
    for (const path of ['/film-1b2c3d4e.mp4', (await follow(url, '/film-1b2c3d4e.mp4')).location]) {
      const [get, head] = await Promise.all(
        ['GET', 'HEAD'].map((method) => ask(url + path, { method })),
      );
      expect(head?.status).toBe(get?.status);
      expect(head && steady(head)).toEqual(get && steady(get));
      expect(head?.body.length).toBe(0);
    }
  });

  test('is not sent again to who has it', async () => {
    const { location, answer } = await follow(url, '/ship.obj', packed);
    const sent = { ...packed, 'if-none-match': String(answer.headers.etag) };
    expect((await ask(url + location, { headers: sent })).status).toBe(304);
    const again = await ask(url + location, { headers: packed });
    expect([again.status, again.headers['x-cache']]).toEqual([200, 'RefreshHit from cloudfront']);
  });

  test.each([
    ['bytes=8-15', 8, 15],
    ['bytes=1-4194304', 1, 4_194_304],
    ['bytes=1-4194305', 1, 4_194_305],
    ['bytes=100-', 100, film.length - 1],
    ['bytes=-9', film.length - 9, film.length - 1],
  ])('%s gets exactly these bytes, as of every file', async (range, first, last) => {
    const { location } = await follow(url, '/film-1b2c3d4e.mp4', { range });
    const { status, headers: got, body } = await ask(url + location, { headers: { range } });
    expect({ status, range: got['content-range'] }).toEqual({
      status: 206,
      range: `bytes ${first}-${last}/${film.length}`,
    });
    expect(body.equals(film.subarray(first, last + 1))).toBe(true);
  });

  test('a range that it does not have is 416, several ranges are the whole file', async () => {
    const { location } = await follow(url, '/film-1b2c3d4e.mp4');
    const beyond = await ask(url + location, { headers: { range: `bytes=${film.length}-` } });
    expect(beyond.status).toBe(416);
    const several = await ask(url + location, { headers: { range: 'bytes=0-1,4-5' } });
    expect({ status: several.status, bytes: several.body.length }).toEqual({
      status: 200,
      bytes: film.length,
    });
  });

  test('relative references from its address lead to the files of the site', async () => {
    const { location } = await follow(url, '/film-1b2c3d4e.mp4');
    const beside = new URL('index.html?a=1', `${url}${location}`);
    const { status, headers: got } = await ask(beside.href);
    expect({ status, location: got.location }).toEqual({
      status: 302,
      location: '/index.html?a=1',
    });
  });

  test('has no other address', async () => {
    const { location } = await follow(url, '/film-1b2c3d4e.mp4');
    const other = location.replace(/[0-9a-f]{32}/, '0123456789abcdef'.repeat(2));
    const moved = await ask(url + other);
    expect({ status: moved.status, location: moved.headers.location }).toEqual({
      status: 302,
      location: '/film-1b2c3d4e.mp4',
    });
    for (const wrong of [
      `${location}/..`,
      `${location}%2f`,
      '/_slipway/files/',
      location.slice(0, 40),
    ])
      expect((await ask(url + wrong, { headers: { accept: 'image/png' } })).status).toBe(404);
  });
});

describe('access to a file over 4 MB', () => {
  let key: string;
  beforeAll(async () => {
    key = await signIn();
  });

  test('is asked for at every request: it ends between two ranges, for whoever has a part', async () => {
    const fields = { access: 'password', password: 'open sesame' };
    const { projectId, url } = await created(key, { files: await aZip(site), fields });
    expect((await ask(`${url}/film-1b2c3d4e.mp4`)).status).toBe(401);
    const headers = { cookie: cookieFrom(await unlock(url, 'open sesame')) };
    const { location, answer } = await follow(url, '/film-1b2c3d4e.mp4', headers);
    expect(answer.headers['cache-control']).toMatch(/^max-age=0, must-revalidate/);
    expect(answer.body.equals(film)).toBe(true);
    expect((await ask(url + location)).status).toBe(401);
    const part = await ask(url + location, { headers: { ...headers, range: 'bytes=0-9' } });
    expect(part.status).toBe(206);
    await patch(key, projectId, { password: 'another' });
    const kept = { ...headers, 'if-none-match': String(answer.headers.etag) };
    for (const sent of [headers, kept, { ...headers, range: 'bytes=0-9' }]) {
      expect((await ask(url + location, { headers: sent })).status).toBe(401);
    }
  });

  test('after a push the address leads on to the new file, and stays for what did not change', async () => {
    const { projectId, url } = await created(key, { files: await aZip(site) });
    const [before, same] = await Promise.all(
      ['/film-1b2c3d4e.mp4', '/app.wasm'].map((path) => follow(url, path)),
    );
    const changed = Buffer.from(film).fill(1, 0, 9);
    const files = await aZip({ ...site, 'film-1b2c3d4e.mp4': changed });
    expect((await push(key, projectId, files)).status).toBe(200);
    expect((await ask(url + before?.location)).headers.location).toBe('/film-1b2c3d4e.mp4');
    const { answer } = await follow(url, '/film-1b2c3d4e.mp4');
    expect(answer.body.equals(changed)).toBe(true);
    expect((await follow(url, '/app.wasm')).location).toBe(same?.location);
    // Stored once, with its packed form.
    const small = await ask(`${url}/app.wasm`, { headers: packed });
    expect(brotliDecompressSync(small.body).equals(program)).toBe(true);
  });
});
