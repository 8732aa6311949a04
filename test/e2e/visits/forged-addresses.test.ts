import { beforeAll, describe, expect, test } from '@jest/globals';
import JSZip from 'jszip';
import { signIn } from '../../fixtures/accounts/accounts.ts';
import { type Answer, ask, file, isLocal, somebody } from '../../fixtures/clouds/client.ts';
import { created } from '../../fixtures/projects/projects.ts';
import { patch, push } from '../../fixtures/projects/versions.ts';
import { cookieFrom, unlock } from '../../fixtures/visits/access.ts';

const secret = 'NOT-FOR-EVERYBODY';
const size = 5 * 1024 * 1024;
/** Too large for one response, and not packed: it has an address of its own. */
const film = (text: string) => Buffer.alloc(size, `${text} `);
async function filesOf(text: string) {
  const zip = new JSZip().file('index.html', '<h1>Home').file('film.mp4', film(text));
  return [file('a.zip', await zip.generateAsync({ type: 'nodebuffer', compression: 'DEFLATE' }))];
}

/** Everything that somebody who has an address can send to it. */
const forms: Record<string, (etag: string) => Parameters<typeof ask>[1]> = {
  GET: () => ({}),
  HEAD: () => ({ method: 'HEAD' }),
  'a short range': () => ({ headers: { range: 'bytes=0-99' } }),
  'a long range': () => ({ headers: { range: 'bytes=1-' } }),
  'a range beyond the end': () => ({ headers: { range: `bytes=${size}-` } }),
  'If-None-Match': (etag) => ({ headers: { 'if-none-match': etag } }),
  'If-None-Match: *': () => ({ headers: { 'if-none-match': '*' } }),
  'If-Match': () => ({ headers: { 'if-match': '"x"' } }),
  'If-Range': (etag) => ({ headers: { range: 'bytes=0-99', 'if-range': etag } }),
  'a request for packed bytes': () => ({ headers: { 'accept-encoding': 'br' } }),
};

/** Where `/film.mp4` is, and its ETag. */
async function addressOf(url: string, headers: Record<string, string> = {}) {
  const { headers: got } = await ask(`${url}/film.mp4`, { headers });
  const location = String(got.location);
  expect(location).toMatch(/^\/_slipway\/files\/[0-9a-f/-]{70,}\/film\.mp4$/);
  const { etag = '' } = (await ask(url + location, { method: 'HEAD', headers })).headers;
  return { location, etag };
}

/** What each form gets at an address: status, target, and whether bytes of the film were sent. */
async function seen(url: string, etag: string, headers: Record<string, string> = {}) {
  const answers = await Promise.all(
    Object.entries(forms).map(async ([name, form]): Promise<[string, Answer]> => {
      const sent = form(etag);
      return [name, await ask(url, { ...sent, headers: { ...headers, ...sent?.headers } })];
    }),
  );
  return Object.fromEntries(
    answers.map(([name, { status, headers: got, text }]) => [
      name,
      { status, location: got.location, leak: text.includes(secret) || got.etag !== undefined },
    ]),
  );
}

/** The same answer to each form. */
const all = (answer: { status: number; location?: string }) =>
  Object.fromEntries(
    Object.keys(forms).map((name) => [name, { location: undefined, ...answer, leak: false }]),
  );

// The codes are read from the local inbox.
const local = isLocal ? describe : describe.skip;

local('a forged address of a large file gives nothing, in any form (fault 3)', () => {
  let key: string;
  let mine: { url: string; projectId: string; location: string; etag: string };
  let other: { url: string; location: string; etag: string };
  beforeAll(async () => {
    key = await signIn();
    const [one, two] = await Promise.all(
      ['first', secret].map(async (text) => {
        const { url, projectId } = await created(key, { files: await filesOf(text) });
        return { url, projectId, ...(await addressOf(url)) };
      }),
    );
    if (one === undefined || two === undefined) throw new Error('not published');
    [mine, other] = [one, two];
  });

  test('another hash, at the path of a file, leads to the path', async () => {
    for (const location of [
      mine.location.replace(/[0-9a-f]{32}/, 'a'.repeat(32)),
      other.location,
    ]) {
      expect(await seen(mine.url + location, other.etag)).toEqual(
        all({ status: 302, location: '/film.mp4' }),
      );
    }
  });

  test.each([
    ['another path', (location: string) => location.replace('film', 'nothing'), 404],
    ['a path above', (location: string) => location.replace('/film', '/..%2f..%2ffilm'), 404],
    [
      'an object of another name',
      (location: string) => location.replace(/[0-9a-f]{32}/, 'abc'),
      404,
    ],
    ['no path', (location: string) => location.replace('/film.mp4', ''), 404],
    ['an encoded slash', (location: string) => location.replace('/film', '%2ffilm'), 404],
  ])('%s', async (_, forge, status) => {
    const headers = { accept: 'image/png' };
    expect(await seen(mine.url + forge(mine.location), mine.etag, headers)).toEqual(
      all({ status }),
    );
  });

  test('the path of another file leads there', async () => {
    const forged = mine.location.replace('film.mp4', 'index.html');
    expect(await seen(mine.url + forged, mine.etag)).toEqual(
      all({ status: 302, location: '/index.html' }),
    );
  });

  test('after a push, the address of what was there before leads to the path', async () => {
    const { url, projectId } = await created(key, { files: await filesOf(secret) });
    const { location, etag } = await addressOf(url);
    await ask(url + location);
    expect((await push(key, projectId, await filesOf('another'))).status).toBe(200);
    expect(await seen(url + location, etag)).toEqual(all({ status: 302, location: '/film.mp4' }));
    expect((await push(key, projectId, [file('index.html', '<h1>Home')])).status).toBe(200);
    const headers = { accept: 'image/png' };
    expect(await seen(url + location, etag, headers)).toEqual(all({ status: 404 }));
  });

  test.each([
    ['a password', { access: 'password', password: 'open sesame' }],
    ['private access', { access: 'private' }],
  ])('after a change to %s, it is refused without a word of the file', async (_, change) => {
    const { url, projectId } = await created(key, { files: await filesOf(secret) });
    const { location, etag } = await addressOf(url);
    await ask(url + location);
    expect((await patch(key, projectId, change)).status).toBe(200);
    expect(await seen(url + location, etag)).toEqual(all({ status: 401 }));
    const forged = location.replace(/[0-9a-f]{32}/, 'a'.repeat(32));
    expect(await seen(url + forged, etag)).toEqual(all({ status: 401 }));
  });

  test('access to one project gives none to another one', async () => {
    const fields = { access: 'password', password: 'open sesame' };
    const [open, closed] = await Promise.all(
      ['public bytes', secret].map(async (text) =>
        created(key, { files: await filesOf(text), fields }),
      ),
    );
    if (open === undefined || closed === undefined) throw new Error('not published');
    const cookie = cookieFrom(await unlock(open.url, 'open sesame', { from: somebody() }));
    const { location, etag } = await addressOf(open.url, { cookie });
    expect((await ask(open.url + location, { headers: { cookie } })).status).toBe(200);
    expect(await seen(closed.url + location, etag, { cookie })).toEqual(all({ status: 401 }));
    expect(await seen(closed.url + other.location, other.etag, { cookie })).toEqual(
      all({ status: 401 }),
    );
  });
});
