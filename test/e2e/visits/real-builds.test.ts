import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { hasHashedName } from '../../../core/visit/protocol/cache-policy.ts';
import { zipFolder } from '../../browser/support/folders.ts';
import { type Answer, ask, file, publish } from '../../fixtures/clouds/client.ts';
import { buildHandbook } from '../../fixtures/visits/handbook.ts';
import { buildRoutedApp } from '../../fixtures/visits/real-builds.ts';

jest.setTimeout(600_000);

const folder = mkdtempSync(join(tmpdir(), 'slipway-builds-'));
const reload = { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document', accept: 'text/html' };
const fetched = { 'sec-fetch-mode': 'cors', 'sec-fetch-dest': 'empty', accept: '*/*' };
const aBrowser = { ...reload, 'accept-encoding': 'gzip, deflate, br, zstd' };

afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Site {
  url: string;
  /** Paths of the build. */
  paths: string[];
  warnings: { file: string; line: number }[] | undefined;
  built: (path: string) => string;
}

async function publishedBuild(name: string, build: (folder: string) => Promise<string>) {
  const work = join(folder, name);
  mkdirSync(work);
  const dist = await build(work);
  const zip = join(work, 'dist.zip');
  const paths = await zipFolder(dist, zip);
  const answer = await publish([
    file('dist.zip', readFileSync(zip)),
    { name: 'zipIndexHtmlPath', body: 'index.html' },
  ]);
  if (answer.status !== 200) throw new Error(`not published: ${answer.text}`);
  const { url, warnings } = answer.json.data;
  return { url, paths, warnings, built: (path: string) => readFileSync(join(dist, path), 'utf8') };
}

/** A page without the service's additions to its head: its text, and its own files. */
function ownOf(html: string) {
  const words = html.replace(/<(script|style)\b[^]*?<\/\1>|<[^>]+>/g, '').trim();
  return { words, loaded: loadedBy(html).filter((path) => !path.startsWith('/_slipway/')) };
}

/** The files that a page's HTML loads. */
function loadedBy(html: string): string[] {
  return [...html.matchAll(/(?:src|href)="(\/[^"]+\.(?:js|css|woff2))"/g)].map(
    ([, path = '']) => path,
  );
}

function unpacked({ headers, body }: Answer): string {
  return (headers['content-encoding'] === 'br' ? brotliDecompressSync(body) : body).toString();
}

async function expectEveryFile({ url, paths, built }: Site): Promise<void> {
  for (const path of paths.filter((one) => !/^_(?:redirects|headers)$/.test(one))) {
    const { status, headers, body } = await ask(`${url}/${path}`, { headers: fetched });
    expect({ path, status }).toEqual({ path, status: 200 });
    expect(headers['x-content-type-options']).toBe('nosniff');
    if (/\.(?:js|css|html|json)$/.test(path)) {
      expect(headers['content-type']).toMatch(/charset=utf-8$/);
      expect(contentOf(path, body.toString())).toEqual(contentOf(path, built(path)));
    }
  }
}

const contentOf = (path: string, text: string) => (path.endsWith('.html') ? ownOf(text) : text);

describe('a single-page application built with Vite', () => {
  let site: Site;

  beforeAll(async () => {
    site = await publishedBuild('app', buildRoutedApp);
  });

  test('serves every file as built, and reports the invalid line', async () => {
    await expectEveryFile(site);
    expect(site.warnings).toMatchObject([{ file: '_redirects', line: 4 }]);
  });

  test.each(['/tours/7', '/tours/7/', '/a/b/c?d=e', '/tours/jo.ann'])(
    'a reload at %s gets the application and all its files',
    async (path) => {
      const answer = await ask(site.url + path, { headers: aBrowser });
      expect({ status: answer.status, own: ownOf(unpacked(answer)) }).toEqual({
        status: 200,
        own: ownOf(site.built('index.html')),
      });
      expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
      const loaded = loadedBy(unpacked(answer));
      expect(loaded.length).toBeGreaterThanOrEqual(2);
      for (const one of loaded) expect((await ask(site.url + one)).status).toBe(200);
    },
  );

  test('a missing chunk of an older build does not get the application', async () => {
    const answer = await ask(`${site.url}/assets/tour-Zx9y8w7v.js`, { headers: fetched });
    expect(answer.status).toBe(404);
    expect(answer.text).not.toContain('id="app"');
  });

  test('names with a hash are immutable, the page is revalidated at every view', async () => {
    const names = site.paths.filter((path) => path.startsWith('assets/') && hasHashedName(path));
    expect(names.length).toBeGreaterThanOrEqual(2);
    for (const path of names) {
      const { headers } = await ask(`${site.url}/${path}`);
      expect(headers['cache-control']).toMatch(
        /^public, max-age=[1-9]\d*, s-maxage=\d+, immutable/,
      );
    }
    const page = await ask(site.url, { headers: reload });
    expect(page.headers['cache-control']).toMatch(/^public, max-age=0, must-revalidate/);
  });

  test('scripts and styles are compressed', async () => {
    for (const path of site.paths.filter((one) => /index-.*\.(?:js|css)$/.test(one))) {
      const { headers, body } = await ask(`${site.url}/${path}`, { headers: aBrowser });
      const plain = Buffer.byteLength(site.built(path));
      expect({ path, coding: headers['content-encoding'] }).toEqual({ path, coding: 'br' });
      expect(body.length).toBeLessThan(plain / 2);
    }
  });

  test.each([
    ['/trips/7', '308 /tours/7'],
    ['/trips/7?day=2', '308 /tours/7?day=2'],
    ['/press/2026/a', '302 https://example.org/harbour/2026/a'],
  ])('its rule leads from %s: %s', async (path, expected) => {
    const { status, headers } = await ask(site.url + path, { headers: reload });
    expect(`${status} ${headers.location}`).toBe(expected);
  });

  test('its rules rewrite to a file and add headers', async () => {
    const { text, headers } = await ask(`${site.url}/api/tours`, { headers: fetched });
    expect(text).toBe(site.built('offline.json'));
    expect(headers['referrer-policy']).toBe('same-origin');
    expect(headers['permissions-policy']).toBe('camera=()');
    const [asset] = site.paths.filter((one) => one.startsWith('assets/'));
    const { headers: of } = await ask(`${site.url}/${asset}`);
    expect(of['access-control-allow-origin']).toBe('*');
    const { headers: robots } = await ask(`${site.url}/offline.json`);
    expect(robots['x-robots-tag']).toBe('noindex, nosnippet');
  });
});

describe('a documentation site in VitePress’s shape', () => {
  let site: Site;

  beforeAll(async () => {
    site = await publishedBuild('handbook', buildHandbook);
  });

  test('serves every file as built', async () => {
    expect(site.warnings).toBeUndefined();
    expect(site.paths).toEqual(expect.arrayContaining(['404.html', 'guide/tides/high-water.html']));
    await expectEveryFile({
      ...site,
      paths: site.paths.filter((one) => one !== 'guide/mooring.html'),
    });
  });

  test.each([
    ['/', 'index.html'],
    ['/guide/', 'guide/index.html'],
    ['/guide/mooring', 'guide/mooring.html'],
    ['/guide/tides/high-water', 'guide/tides/high-water.html'],
  ])('%s is the page %s, with all its files', async (path, page) => {
    const answer = await ask(site.url + path, { headers: aBrowser });
    expect({ status: answer.status, own: ownOf(unpacked(answer)) }).toEqual({
      status: 200,
      own: ownOf(site.built(page)),
    });
    const loaded = loadedBy(unpacked(answer));
    expect(loaded.length).toBeGreaterThanOrEqual(3);
    for (const one of loaded) expect((await ask(site.url + one)).status).toBe(200);
  });

  test.each([
    ['/guide', '301 /guide/'],
    ['/guide/mooring/', '301 /guide/mooring'],
    ['/guide/mooring.html', '301 /guide/mooring'],
    ['/handbuch/mooring', '301 /guide/mooring'],
    ['/handbuch', '301 /guide/'],
    ['/tides/high-water?q=1', '302 /guide/tides/high-water?q=1'],
  ])('%s redirects: %s', async (path, expected) => {
    const { status, headers } = await ask(site.url + path, { headers: reload });
    expect(`${status} ${headers.location}`).toBe(expected);
  });

  test.each(['/nothing', '/guide/nothing', '/guide/tides/', '/assets/nothing.js'])(
    '%s is the 404 page of the documentation',
    async (path) => {
      const answer = await ask(site.url + path, { headers: reload });
      expect({ status: answer.status, own: ownOf(answer.text) }).toEqual({
        status: 404,
        own: ownOf(site.built('404.html')),
      });
      expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
    },
  );

  test('names with a hash are immutable, by our rule or by the site’s own rule', async () => {
    for (const path of site.paths.filter((one) => one.startsWith('assets/'))) {
      const { headers } = await ask(`${site.url}/${path}`);
      expect({ path, kept: headers['cache-control'] }).toEqual({
        path,
        kept: expect.stringMatching(/^public, max-age=[1-9]\d*, s-maxage=\d+, immutable/),
      });
    }
    const { headers } = await ask(`${site.url}/guide/mooring`);
    expect(headers['x-part']).toBe('guide');
  });
});
