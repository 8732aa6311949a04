import { createHash, randomBytes } from 'node:crypto';
import http from 'node:http';
import { beforeAll, describe, expect, test } from '@jest/globals';
import JSZip from 'jszip';
import { sendWith, signIn } from '../../fixtures/accounts/accounts.ts';
import {
  type Answer,
  ask,
  baseUrl,
  file,
  isLocal,
  published,
  somebody,
} from '../../fixtures/clouds/client.ts';
import { openPreview, preview, push } from '../../fixtures/projects/preview.ts';
import { created } from '../../fixtures/projects/projects.ts';
import { expectNoInsides } from '../../fixtures/clouds/refusals.ts';

// The codes are read from the local inbox.
const local = isLocal ? describe : describe.skip;

const noise = randomBytes(300_000);
const odd: [string, string | Buffer][] = [
  ['Übersicht/日本語 🚣.txt', 'Grüße'],
  ['papers/a & b.txt', 'ab'],
  ['papers/old/c%2Fd.txt', 'c'],
  ['<img src=x onerror=alert(1)>.txt', 'x'],
  ['noise.bin', noise],
];

let bundle = '';
beforeAll(async () => {
  const parts = odd.map(([name, body]) => file(name, body));
  const all = new JSZip();
  for (const { filename = '', body } of parts) all.file(filename, body);
  all.file('empty.txt', '');
  bundle = await published([file('all.zip', await all.generateAsync({ type: 'nodebuffer' }))]);
});

function get(url: string, headers: http.OutgoingHttpHeaders = {}): Promise<Answer> {
  return ask(url, { headers, from: somebody() });
}

async function hashesOf(answer: Answer): Promise<Record<string, string>> {
  const zip = await JSZip.loadAsync(answer.body, { checkCRC32: true });
  const hashes = Object.values(zip.files).map(async (entry) => {
    return [entry.name, sha256(await entry.async('nodebuffer'))];
  });
  return Object.fromEntries(await Promise.all(hashes));
}

function sha256(bytes: string | Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}

function expectPage({ status, headers, text }: Answer, expected: number): void {
  expect(status).toBe(expected);
  expect(headers).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'private, no-store',
    'x-robots-tag': 'noindex',
  });
  expect(text).toMatch(/^<!doctype html>/);
  expectNoInsides(text);
}

describe('a bundle as a ZIP', () => {
  test('contains every file with its exact bytes, for every name', async () => {
    const answer = await get(`${bundle}/_slipway/zip`);
    expect(answer.status).toBe(200);
    expect(answer.headers).toMatchObject({
      'content-type': 'application/zip',
      'content-disposition': expect.stringMatching(/^attachment; filename\*=UTF-8''.+\.zip$/),
      'cache-control': 'private, no-store',
      'x-content-type-options': 'nosniff',
      'x-robots-tag': 'noindex',
    });
    const expected = [...odd, ['empty.txt', ''] as const].map(([path, body]) => [
      path,
      sha256(body),
    ]);
    expect(await hashesOf(answer)).toEqual(Object.fromEntries(expected));
  });

  test('is the same at every download', async () => {
    const [first, second] = await Promise.all([1, 2].map(() => get(`${bundle}/_slipway/zip/`)));
    expect(first?.body.length).toBeGreaterThan(300_000);
    expect(Buffer.compare(first?.body ?? Buffer.alloc(0), second?.body ?? Buffer.alloc(1))).toBe(0);
  });

  test.each([
    ['/papers', { 'a & b.txt': sha256('ab'), 'old/c%2Fd.txt': sha256('c') }, 'papers.zip'],
    ['/papers/old/', { 'c%2Fd.txt': sha256('c') }, 'old.zip'],
    ['/%C3%9Cbersicht', { '日本語 🚣.txt': sha256('Grüße') }, '%C3%9Cbersicht.zip'],
  ])('of the folder %s contains the files below it', async (folder, expected, name) => {
    const answer = await get(`${bundle}/_slipway/zip${folder}`);
    expect(answer.headers['content-disposition']).toBe(`attachment; filename*=UTF-8''${name}`);
    expect(await hashesOf(answer)).toEqual(expected);
  });

  test('HEAD has its headers and no body', async () => {
    const { status, headers, body } = await ask(`${bundle}/_slipway/zip`, { method: 'HEAD' });
    expect({ status, length: body.length }).toEqual({ status: 200, length: 0 });
    expect(headers['content-type']).toBe('application/zip');
  });

  test.each(['/none', '/noise.bin', '/papers%2Fold', '/papers/%2e%2e', '/%ff'])(
    'does not exist at %s',
    async (path) => {
      expectPage(await get(`${bundle}/_slipway/zip${path}`), 404);
    },
  );

  // CloudFront itself refuses: the behaviour has an origin group.
  test.each(['POST', 'PUT', 'DELETE'])('refuses %s', async (method) => {
    const answer = await ask(`${bundle}/_slipway/zip`, { method, body: 'x' });
    expect(answer.status).toBe(403);
  });

  test('does not hide the API’s pages and large files', async () => {
    expect((await get(`${bundle}/_slipway/report`)).status).toBe(200);
    expect((await get(`${bundle}/_slipway/zipper`)).status).toBe(404);
  });
});

local('a bundle that is not for everybody', () => {
  let key = '';
  beforeAll(async () => {
    key = await signIn();
  });

  const files = [file('a.bin', 'secret a'), file('b.bin', 'secret b')];
  const settings = (projectId: string, body: unknown) =>
    sendWith(key, `${baseUrl}/v1/projects/${projectId}`, body, 'PATCH');

  test.each<[string, Record<string, string>, unknown, number]>([
    ['private', { access: 'private' }, undefined, 401],
    ['behind a password', { access: 'password', password: 'a long password' }, undefined, 401],
    ['unpublished', {}, { status: 'private' }, 404],
    ['not for download', {}, { disableDownloads: true }, 403],
  ])(
    'that is %s returns no byte, even just after it was public',
    async (_name, fields, change, status) => {
      const { projectId, url } = await created(key, { fields, files });
      if (change !== undefined) {
        expect((await get(`${url}/_slipway/zip`)).status).toBe(200);
        expect((await settings(projectId, change)).status).toBe(200);
      }
      for (const path of ['/_slipway/zip', '/_slipway/zip/']) {
        const answer = await get(url + path);
        expectPage(answer, status);
        expect(answer.body.includes('secret')).toBe(false);
        expect((await ask(url + path, { method: 'HEAD' })).status).toBe(status);
      }
    },
  );

  test('returns an earlier version to a visitor with a preview of it', async () => {
    const { projectId, url } = await created(key, { files });
    await push(key, projectId, [file('c.bin', 'c'), file('d.bin', 'd')], baseUrl);
    expect(Object.keys(await hashesOf(await get(`${url}/_slipway/zip`)))).toEqual([
      'c.bin',
      'd.bin',
    ]);
    const link = (await preview(key, projectId, 1, baseUrl)).json.data.url;
    const old = await get(`${url}/_slipway/zip`, { cookie: await openPreview(link) });
    expect(Object.keys(await hashesOf(old))).toEqual(['a.bin', 'b.bin']);
  });
});
