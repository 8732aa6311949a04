import { describe, expect, test } from '@jest/globals';
import JSZip from 'jszip';
import { contentKey } from '../../../../core/content/content-keys.ts';
import {
  accessToken,
  ownerStampOf,
  passwordStampOf,
} from '../../../../core/visit/access/access-token.ts';
import { maxZipBytes } from '../../../../contract/limits.ts';
import { contentMemory } from '../../../../core/visit/content-memory.ts';
import { encodeManifest, type Manifest, fileLocation } from '../../../../core/visit/manifest.ts';
import { previewToken } from '../../../../core/visit/access/preview.ts';
import type { ServingRecord } from '../../../../core/visit/serving-record.ts';
import { settingTime } from '../../../../core/visit/setting-time.ts';
import { answerVisit } from '../../../../lambdas/visits/gate.ts';
import { zipResponse } from '../../../../lambdas/visits/zip-response.ts';
import type { EdgeRequest } from '../../../../lambdas/visits/edge-request.ts';
import {
  aManifest,
  aSite,
  aVisit,
  noLinks,
  noVisitors,
  noRoots,
  now,
  someAddresses,
} from '../../../fixtures/visits/a-site.ts';
import { aVersion } from '../../../fixtures/projects/a-project.ts';
import { fixedSecret } from '../../../fixtures/fixed-secret.ts';

const secret = fixedSecret('the secret that signs access');
const files: Manifest = new Map([
  ['a.txt', { size: 1, hash: 'a' }],
  ['papers/b.txt', { size: 2, hash: 'b' }],
  ['A.txt', { size: 1, hash: 'c' }],
]);
const contents = new Map([
  ['a.txt', 'a'],
  ['papers/b.txt', 'bb'],
  ['A.txt', 'A'],
]);
const bundle = aSite({ type: 'files', home: null, manifest: encodeManifest(files) });

interface ZipOptions {
  site?: Partial<ServingRecord>;
  request?: Partial<EdgeRequest>;
  earlier?: number;
  running?: number;
  lost?: string;
}

/** One request for a ZIP, what was read of storage and what was counted for it. */
async function ask({ site = {}, request = {}, earlier = 0, running = 0, lost }: ZipOptions = {}) {
  const record = { ...bundle, ...site };
  const keys = new Map(
    [...files].map(([path, entry]) => [
      contentKey(record.projectId, fileLocation(record.store, path, entry)),
      path,
    ]),
  );
  const seen = { reads: 0, counted: [] as string[] };
  const deps = {
    brand: 'Slipway',
    accessSecret: secret,
    roots: noRoots,
    shareLinks: noLinks,
    visitors: noVisitors,
    sites: { get: async () => record },
    namedPreview: async () => undefined,
    keptVersion: async (_: unknown, version: number) => (version === 7 ? oldVersion : undefined),
    content: {
      get: async (key: string, range?: { first: number; last: number }) => {
        seen.reads += 1;
        const path = keys.get(key);
        const text = path === undefined || path === lost ? undefined : contents.get(path);
        return text === undefined
          ? undefined
          : Buffer.from(text).subarray(range?.first, (range?.last ?? 99) + 1);
      },
    },
    counters: {
      count: async (key: string, _seconds: number, _now: Date, events = 1) => {
        if (events === 0) return 0;
        seen.counted.push(events > 0 ? key : `-${key}`);
        return (key.startsWith('zips') ? earlier : running) + 1;
      },
    },
    contents: contentMemory(),
  };
  const whole: EdgeRequest = {
    ...aVisit({ path: '/_slipway/zip' }),
    urlPath: '/',
    domainId: null,
    access: '-',
    preview: '-',
    cleared: '-',
    isWorkerScript: false,
    viewer: { method: 'GET' },
    method: 'GET',
    host: record.host,
    requestId: 'r1',
    address: '192.0.2.7',
    userAgent: '',
    referrer: '',
    country: '',
    ...request,
  };
  return { answer: await zipResponse(deps, whole, now), deps, request: whole, seen };
}

const oldVersion = aVersion({
  version: 7,
  type: 'files',
  home: null,
  manifest: encodeManifest(aManifest('old/old.txt')),
});

async function zipOf(options: ZipOptions) {
  const { answer } = await ask(options);
  const chunks: Uint8Array[] = [];
  for await (const chunk of answer.bytes ?? []) chunks.push(chunk);
  return JSZip.loadAsync(Buffer.concat(chunks), { checkCRC32: true });
}

describe('a visitor with access', () => {
  test('gets every file, saved under the title', async () => {
    const { answer, seen } = await ask();
    expect(answer).toMatchObject({
      status: 200,
      headers: {
        'content-type': 'application/zip',
        'content-disposition': "attachment; filename*=UTF-8''Harbour.zip",
        'cache-control': 'private, no-store',
        'x-robots-tag': 'noindex',
      },
    });
    expect(answer.text).toBeUndefined();
    expect(seen.counted).toEqual([
      'zips#192.0.2.7',
      'zips#192.0.2.0/24',
      'streaming#192.0.2.7',
      'streaming#192.0.2.0/24',
    ]);
    const zip = await zipOf({});
    expect(Object.keys(zip.files)).toEqual(['A.txt', 'a (2).txt', 'papers/b.txt']);
    expect(await zip.file('papers/b.txt')?.async('string')).toBe('bb');
  });

  test('gets one folder', async () => {
    const zip = await zipOf({ request: { path: '/_slipway/zip/papers/' } });
    expect(Object.keys(zip.files)).toEqual(['b.txt']);
  });

  test('gets the same headers from HEAD, which reads and counts nothing', async () => {
    const get = await ask();
    const head = await ask({ request: { method: 'HEAD' }, earlier: 100 });
    expect(head.answer.headers).toEqual(get.answer.headers);
    expect(head.answer.bytes).toBeUndefined();
    expect(head.seen).toEqual({ reads: 0, counted: [] });
  });

  test('gets a complete archive or an aborted response', async () => {
    const { answer } = await ask({ lost: 'papers/b.txt' });
    const reading = async () => {
      for await (const _ of answer.bytes ?? []);
    };
    await expect(reading()).rejects.toThrow(/is missing/);
  });

  test('gets the version of a preview', async () => {
    const token = { projectId: bundle.projectId, version: 7, expires: now.getTime() / 1000 + 60 };
    const request = { preview: previewToken(secret, token), method: 'HEAD' };
    const path = '/_slipway/zip/old';
    expect((await ask({ request: { ...request, path } })).answer.status).toBe(200);
    expect((await ask({ request: { path } })).answer.status).toBe(404);
    const gone = previewToken(secret, { ...token, version: 8 });
    expect((await ask({ request: { preview: gone } })).answer).toMatchObject({
      status: 302,
      headers: { location: '/_slipway/preview/ended' },
    });
  });

  test.each(['guest', 'owner'] as const)('by a cookie as %s', async (role) => {
    const stamp = role === 'guest' ? passwordStampOf('hash') : ownerStampOf(bundle);
    const expires = now.getTime() / 1000 + 60;
    const access = accessToken(secret, { projectId: bundle.projectId, role, stamp, expires });
    const site = { access: 'password', passwordStamp: passwordStampOf('hash') } as const;
    expect((await ask({ site, request: { access } })).answer.status).toBe(200);
    expect((await ask({ site })).answer.status).toBe(401);
  });
});

describe('a visitor without access', () => {
  test.each<[string, Partial<ServingRecord>, number]>([
    ['expired', { expiresAt: now.toISOString() }, 410],
    ['archived', { archivedAt: now.toISOString() }, 404],
    ['taken down', { takenDown: true }, 451],
    ['unpublished', { status: 'private' }, 404],
    ['private', { access: 'private' }, 401],
    ['with a password', { access: 'password', passwordStamp: 'stamp' }, 401],
    ['resting', { restingUntil: '2026-03-02T00:00:00.000Z' }, 503],
  ])('of a site that is %s gets the gate’s page and no byte', async (_name, site, status) => {
    for (const method of ['GET', 'HEAD']) {
      const { answer, deps, request, seen } = await ask({ site, request: { method } });
      expect(answer.status).toBe(status);
      expect(answer.bytes).toBeUndefined();
      expect(seen).toEqual({ reads: 0, counted: [] });
      const assets = () => {
        throw new Error('a page that keeps everybody out loads nothing');
      };
      const pages = {
        addresses: someAddresses,
        assets,
        heads: someAddresses,
        build: 'a',
        settingTime: settingTime(),
        sendsPieces: true,
        streamsFiles: true,
      };
      const visited = await answerVisit({ ...deps, ...pages }, request, now);
      expect(answer).toEqual(visited.response);
    }
  });

  test.each<[string, ZipOptions, number, RegExp]>([
    ['of a page', { site: { home: 'a.txt' } }, 404, /does not exist|nothing/i],
    ['of no folder', { request: { path: '/_slipway/zip/none' } }, 404, /does not exist|nothing/i],
    ['where downloads are off', { site: { disableDownloads: true } }, 403, /turned off/],
    [
      'of too much',
      { site: { manifest: encodeManifest(aManifest(['a', maxZipBytes], 'b')) } },
      413,
      /191 MB in total. A ZIP can have up to 190 MB/,
    ],
    ['while three are running', { running: 3 }, 429, /still running/],
    ['after ten in a minute', { earlier: 10 }, 429, /At most 10 ZIP downloads/],
  ])('%s gets a page that says so and no byte', async (_name, options, status, words) => {
    const { answer, seen } = await ask(options);
    expect(answer.status).toBe(status);
    expect(answer.text).toMatch(words);
    expect(answer.bytes).toBeUndefined();
    expect(answer.headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'private, no-store',
      'x-robots-tag': 'noindex',
    });
    expect(seen.reads).toBe(0);
  });

  test('over the rate limit gets Retry-After', async () => {
    const { answer } = await ask({ earlier: 10 });
    const seconds = Number(answer.headers['retry-after']);
    expect(seconds).toBeGreaterThanOrEqual(1);
    expect(seconds).toBeLessThanOrEqual(60);
    expect((await ask({ earlier: 9, running: 2 })).answer.status).toBe(200);
  });
});
