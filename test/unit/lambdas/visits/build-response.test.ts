import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import { fixedSecret } from '../../../fixtures/fixed-secret.ts';
import { markupKey, uploadLocation } from '../../../../core/content/content-keys.ts';
import { contentMemory } from '../../../../core/visit/content-memory.ts';
import { encodeManifest } from '../../../../core/visit/manifest.ts';
import type { ServingRecord } from '../../../../core/visit/serving-record.ts';
import { revalidateAlways } from '../../../../core/visit/protocol/cache-policy.ts';
import { readSiteRules } from '../../../../core/site-rules/collect-site-rules.ts';
import { encodeMarkup, markupRevision } from '../../../../core/visit/text-markup.ts';
import { settingTime } from '../../../../core/visit/setting-time.ts';
import { answerVisit } from '../../../../lambdas/visits/gate.ts';
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
import { viewerDeps } from '../../../fixtures/visits/viewers.ts';

const code = { type: 'code', home: null, manifest: encodeManifest(aManifest('a.ts')) } as const;
const kept = { ...code, markupRevision };
const bundle = {
  type: 'files',
  home: null,
  manifest: encodeManifest(aManifest('a.ts', 'b.ts')),
} as const;

/** A gate over memory that counts what a visit makes it do. */
function aGate(settings: Partial<ServingRecord>, { build = 'build-1', brand = 'Slipway' } = {}) {
  const site = aSite(settings);
  const work = { pages: 0, reads: new Array<string>() };
  const clock = {
    ms: 0,
    /** What passes at each look. */
    step: 0,
    pass: (ms: number) => void time.count(() => (clock.ms += ms)),
  };
  const time = settingTime(() => (clock.ms += clock.step));
  const deps = {
    ...viewerDeps,
    brand,
    build,
    heads: someAddresses,
    accessSecret: fixedSecret('a secret'),
    roots: noRoots,
    shareLinks: noLinks,
    visitors: noVisitors,
    sites: { get: async () => site },
    namedPreview: async () => undefined,
    keptVersion: async () => undefined,
    contents: contentMemory(),
    content: {
      async get(key: string) {
        work.reads.push(key);
        const isMarkup = key === markupKey(site.projectId, site.store);
        if (key.endsWith(uploadLocation(site.store, 'slow.css'))) return Buffer.from(slowToColour);
        return isMarkup
          ? encodeMarkup({ kind: 'code', markup: '<b>kept</b>', isNumbered: true, isCut: false })
          : Buffer.from('const a = 1;\n');
      },
    },
    // Every page of ours asks for the names of what it loads, once.
    assets() {
      work.pages += 1;
      return viewerDeps.assets();
    },
    settingTime: time,
  };
  const view = async (changes: Partial<EdgeRequest> = {}) => {
    const request = { ...aVisit(), domainId: null, ...theRest, ...changes };
    return (await answerVisit(deps, request, now)).response;
  };
  return { view, work, clock };
}

/** Colouring it takes as long as is allowed, which is 1.5 seconds. */
const slowToColour = `${'a{b:c('.repeat(90)}\n`.repeat(900);

const aTakenPicture = `_pictures/${'0'.repeat(32)}.png`;

const theRest = {
  urlPath: '/',
  cleared: '-',
  isWorkerScript: false,
  viewer: { method: 'GET' },
  method: 'GET',
  host: aSite().host,
  access: '-',
  preview: '-',
  requestId: 'request',
  address: '192.0.2.1',
  userAgent: '',
  referrer: '',
  country: '',
};

describe('a viewer page is rendered only if it is sent', () => {
  test.each<[string, Partial<ServingRecord>]>([
    ['a text', code],
    ['a text whose markup is kept', kept],
    ['a picture', { ...code, type: 'image', manifest: encodeManifest(aManifest('a.png')) }],
    ['a folder', bundle],
  ])('an unchanged page of %s is neither rendered nor read', async (_, settings) => {
    const gate = aGate(settings);
    for (const acceptEncoding of ['', 'br', 'gzip']) {
      const { headers, status, text } = await gate.view({ acceptEncoding });
      expect([status, text === undefined]).toEqual([200, false]);
      const before = structuredClone(gate.work);
      const conditions = { ifNoneMatch: headers['etag'] };
      const again = await gate.view({ acceptEncoding, conditions });
      expect([again.status, again.text, again.headers['etag']]).toEqual([
        304,
        undefined,
        headers['etag'],
      ]);
      expect(again.headers['content-type']).toBe('text/html; charset=utf-8');
      expect(gate.work).toEqual(before);
    }
  });

  test('a file that takes long to set is shown as it is written, and kept by nobody, once no time is left', async () => {
    const gate = aGate({ ...bundle, manifest: encodeManifest(aManifest('slow.css', 'b.ts')) });
    gate.clock.pass(9000);
    const { status, headers, text } = await gate.view({ path: '/slow.css/' });
    expect([status, headers['etag']]).toEqual([200, undefined]);
    expect(headers['cache-control']).toBe('private, no-store');
    expect(text).toContain('a{b:c(a{b:c(');
    // What takes no time is set all the same, and a minute later it is kept again.
    expect((await gate.view({ path: '/b.ts/' })).text).toContain('hljs-keyword');
    gate.clock.ms += 100_000;
    expect((await gate.view({ path: '/b.ts/' })).headers['etag']).toBeDefined();
  }, 30_000);

  test('views while no time is left do not put off when there is time again', async () => {
    const gate = aGate(bundle);
    gate.clock.pass(9000);
    gate.clock.step = 1000;
    for (let count = 0; count < 20; count += 1) await gate.view({ path: '/b.ts/' });
    gate.clock.ms += 60_000;
    expect((await gate.view({ path: '/b.ts/' })).headers['etag']).toBeDefined();
  });

  test('every view reads the stored markup, and not the file', async () => {
    const { view, work } = aGate(kept);
    for (let count = 0; count < 2; count += 1) {
      expect((await view()).text).toContain('<b>kept</b>');
    }
    const { projectId, store } = aSite();
    expect(work.reads).toEqual([markupKey(projectId, store), markupKey(projectId, store)]);
  });

  test.each<[string, Partial<ServingRecord>]>([
    ['of no revision', code],
    ['of another revision', { ...code, markupRevision: markupRevision + 1 }],
  ])(
    'a text without kept markup, or with markup %s, is made at its view under a weak ETag',
    async (_, settings) => {
      const { view } = aGate(settings);
      const { text, headers } = await view();
      expect(text).toContain('hljs-keyword');
      expect(headers['etag']).toMatch(/^W\/"[\w-]{16}"$/);
    },
  );

  const etagOf = async (settings: Partial<ServingRecord>, maker = {}, changes = {}) =>
    (await aGate(settings, maker).view(changes)).headers['etag'];

  test.each<[string, { settings?: Partial<ServingRecord>; maker?: object; changes?: object }]>([
    ['another title', { settings: { pageTitle: 'Other' } }],
    ['a description', { settings: { metaDescription: 'Other' } }],
    ['no downloads', { settings: { disableDownloads: true } }],
    ['a request to search engines', { settings: { noIndex: true } }],
    ['no counting', { settings: { analyticsEnabled: false } }],
    ['another address', { settings: { host: 'other.sites.test' } }],
    ['an end of its own', { settings: { temporary: true, expiresAt: '2026-03-01T12:15:00.000Z' } }],
    [
      'other content',
      { settings: { manifest: encodeManifest(new Map([['a.ts', { size: 100, hash: 'x' }]])) } },
    ],
    ['another name of its file', { settings: { manifest: encodeManifest(aManifest('b.ts')) } }],
    [
      'a picture that was taken along',
      { settings: { manifest: encodeManifest(aManifest('a.ts', aTakenPicture)) } },
    ],
    ['another build', { maker: { build: 'build-2' } }],
    ['another brand', { maker: { brand: 'Other' } }],
    ['another coding', { changes: { acceptEncoding: 'br' } }],
  ])('a page with %s has another ETag', async (_, { settings = {}, maker, changes }) => {
    expect(await etagOf({ ...kept, ...settings }, maker, changes)).not.toBe(await etagOf(kept));
  });

  test.each<[string, Partial<ServingRecord>]>([
    ['a new version of the same', { version: 2, publishedAt: '2026-03-01T11:59:00.000Z' }],
    ['a password that nobody is asked for', { passwordStamp: 'x' }],
  ])('%s does not change the ETag', async (_, settings) => {
    expect(await etagOf({ ...kept, ...settings })).toBe(await etagOf(kept));
  });

  test('every folder of a bundle has its own ETag, which changes with the list of files', async () => {
    const nested = { ...bundle, manifest: encodeManifest(aManifest('x/a.ts', 'y/a.ts')) };
    const tags = await Promise.all(['/', '/x/', '/y/'].map((path) => etagOf(nested, {}, { path })));
    expect(new Set([...tags, await etagOf(bundle)]).size).toBe(4);
  });
});

describe('a folder with a README', () => {
  const manifest = encodeManifest(aManifest('docs/README.md', 'docs/a.ts', 'readme.txt'));
  const folders = { ...bundle, manifest };

  test('shows it below the list, with a weak ETag, and reads it only if the page is sent', async () => {
    const { view, work } = aGate(folders);
    const { text, headers } = await view({ path: '/docs/' });
    expect(headers['etag']).toMatch(/^W\//);
    expect(text).toMatch(/<table>.*href="\.\/README\.md\/".*const a = 1;/s);
    expect(work.reads).toHaveLength(1);
    const conditions = { ifNoneMatch: headers['etag'] ?? '' };
    expect((await view({ path: '/docs/', conditions })).status).toBe(304);
    expect(work.reads).toHaveLength(1);
  });

  test('is the only folder for which a file is read', async () => {
    const { view, work } = aGate(folders);
    const { text } = await view({ path: '/' });
    expect(text).not.toContain('class="readme"');
    expect(work.reads).toEqual([]);
  });
});

test.each(['text/html', 'Text/HTML; charset=utf-8'])(
  'what a site’s own rules send as %s is a page under every name, which the edge revalidates at every view',
  async (type) => {
    const headers = `/page.txt\n  Content-Type: ${type}\n  Cache-Control: max-age=600`;
    const { rules } = readSiteRules(new Map([['_headers', headers]]));
    const manifest = encodeManifest(aManifest('index.html', 'page.txt', 'other.txt'));
    const handedOverAt = '2026-02-20T00:00:00.000Z';
    const { view } = aGate({ manifest, handedOverAt, ...(rules && { rules }) });
    const openedAs = async (dest: string, path = '/page.txt') => {
      const fetch = { mode: 'navigate', dest, site: 'none', purpose: '' };
      return (await view({ path, fetch })).headers;
    };
    expect((await openedAs('iframe'))['cache-control']).toBe(revalidateAlways);
    expect(await openedAs('document')).toMatchObject({
      'clear-site-data': '"cache", "storage"',
      'cache-control': 'private, no-store',
    });
    expect((await openedAs('document', '/other.txt'))['cache-control']).toContain('s-maxage=300');
  },
);

describe('reports that a former site had browsers send', () => {
  const endOfReports = { nel: '{"max_age":0}', 'report-to': '{"max_age":0,"endpoints":[]}' };
  const daysAgo = (days: number) => new Date(now.getTime() - days * 86_400_000).toISOString();
  const visits: [string, Partial<EdgeRequest>][] = [
    ['page', {}],
    ['frame', { fetch: { mode: 'navigate', dest: 'iframe', site: 'cross-site', purpose: '' } }],
    ['missing file', { path: '/none.txt' }],
    ['script of a worker', { path: '/sw.js', isWorkerScript: true }],
  ];

  test.each(visits)('end with each response after a change of hands: a %s', async (_, changes) => {
    const manifest = encodeManifest(aManifest('index.html'));
    const { headers } = await aGate({ manifest, handedOverAt: daysAgo(89) }).view(changes);
    expect(headers).toMatchObject(endOfReports);
  });

  test.each(visits)(
    'are nothing to end 90 days later, or without one: a %s',
    async (_, changes) => {
      const manifest = encodeManifest(aManifest('index.html'));
      for (const handedOverAt of [daysAgo(91), null]) {
        const { headers } = await aGate({ manifest, handedOverAt }).view(changes);
        expect(headers).not.toHaveProperty('nel');
      }
    },
  );
});

test('the stored markup is small, because markup compresses well', () => {
  const markup = '<span class="line"></span>'.repeat(1000);
  const stored = encodeMarkup({ kind: 'markdown', markup });
  expect(stored.length).toBeLessThan(1000);
  expect(JSON.parse(gunzipSync(stored).toString())).toEqual({ kind: 'markdown', markup });
});

test.each([
  ['/items/9', 'x=1&name=a%20%26%20b', '/items/9?x=1&amp;name=a%20%26%20b'],
  ['/items/9', '', '/items/9'],
  ['/', 'q="><b>', '/?q=&quot;&gt;&lt;b&gt;'],
])('the password page of %s?%s leads back to the whole address', async (path, query, to) => {
  const locked = { access: 'password', passwordStamp: 'stamp' } as const;
  const { status, text, headers } = await aGate(locked).view({ path, query });
  expect(status).toBe(401);
  expect(text).toContain(`name="to" value="${to}"`);
  // A browser keeps the fragment of the form's address through the redirect.
  expect(text).toContain('action += location.hash');
  expect(headers['content-security-policy']).toMatch(/script-src 'sha256-/);
});

describe('after a change of access, a browser without access deletes what it kept (habit 11)', () => {
  const lately = { access: 'private', accessChangedAt: '2026-02-28T12:00:00.000Z' } as const;
  const longAgo = { access: 'private', accessChangedAt: '2025-11-01T12:00:00.000Z' } as const;
  const opened = { fetch: { ...aVisit().fetch, mode: 'navigate', dest: 'document' } };
  const framed = { fetch: { ...aVisit().fetch, mode: 'navigate', dest: 'iframe' } };

  test.each<[string, Partial<ServingRecord>, Partial<EdgeRequest>, boolean]>([
    ['the page that a person opens', lately, opened, true],
    ['a frame of another site, whose visitor may have access', lately, framed, false],
    ['a request of a script', lately, {}, false],
    ['90 days later', longAgo, opened, false],
    ['a site that never changed', { access: 'private' }, opened, false],
    ['a site that is public again', { ...lately, access: 'public' }, opened, false],
  ])('%s', async (_, settings, changes, clears) => {
    const { headers } = await aGate({ ...code, ...settings }).view(changes);
    expect(headers['clear-site-data']).toBe(clears ? '"cache", "storage"' : undefined);
  });

  test('its service worker is replaced by one that removes itself and its caches', async () => {
    const { text, headers } = await aGate({ ...code, ...lately }).view({ isWorkerScript: true });
    expect(headers['content-type']).toMatch(/^text\/javascript/);
    expect(text).toContain('caches.delete');
    expect(text).not.toContain('indexedDB');
  });
});
