import { Script, runInNewContext } from 'node:vm';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import JSZip from 'jszip';
import { describeDuration, temporaryLifetimeSeconds } from '../../../../../contract/limits.ts';
import { landingPage } from '../../../../../web/pages/landing/landing-page.ts';
import { landingScript } from '../../../../../web/pages/landing/landing-script.ts';
import { packScript } from '../../../../../web/pages/landing/pack-script.ts';
import { formatBytes } from '../../../../../web/pages/parts/format.ts';
import { landing } from '../every-page.ts';

const page = landingPage(landing);

interface Packer {
  withoutClutter(picked: { path: string }[]): { folder: string; files: { path: string }[] };
  sizeText(bytes: number): string;
  leftText(milliseconds: number): string;
  zipParts(entries: { path: string; bytes: Uint8Array }[]): Uint8Array[];
}

const packer = runInNewContext(
  `${packScript}; ({ withoutClutter, sizeText, leftText, zipParts });`,
  {
    Uint8Array,
    TextEncoder,
  },
) as Packer;

describe('landingPage', () => {
  test('publishes by a plain form, without any script', () => {
    expect(page.html).toMatch(
      /<form [^>]*action="\/v1\/projects\/temp" method="post" enctype="multipart\/form-data"/,
    );
    expect(page.html).toMatch(/<input [^>]*type="file" name="files" multiple required/);
    expect(page.html).toContain('<noscript>');
    expect(page.csp).toContain("form-action 'self'");
  });

  test('shows the limits of the settings', () => {
    expect(page.html).toContain('<dd>5, or one ZIP with up to 500 inside</dd>');
    expect(page.html).toContain('<dd>2 MB</dd>');
    expect(page.html).toContain(
      `<dd>${describeDuration(temporaryLifetimeSeconds)}, then the files are deleted unless you claimed the project</dd>`,
    );
    expect(page.html).toContain('<dd>3 in a minute, 5 in an hour</dd>');
    expect(page.html).toMatch(/data-max-parts="5" data-max-entries="500" data-max-bytes="2097152"/);
  });

  test('shows a first command for this installation', () => {
    expect(page.html).toContain('files=@index.html https://app.example/v1/projects/temp');
    const local = { baseUrl: 'http://localhost:8787', sitesDomain: 'sites.localhost:8787' };
    expect(landingPage({ ...landing, ...local }).html).toContain(
      'http://calm-harbour-k7m2.sites.localhost:8787',
    );
  });

  test('is one document of less than 30 kB, compressed', () => {
    expect(page.html).not.toMatch(/<(?:script|img|iframe)[^>]* src=|<link rel="(?!icon")/);
    const { length } = gzipSync(page.html);
    expect(length).toBeGreaterThan(5_000);
    expect(length).toBeLessThan(30_000);
  });

  test('links only to what exists', () => {
    const links = [...page.html.matchAll(/<a [^>]*href="([^"]*)"/g)].map(([, href]) => href);
    const paths = ['/docs', '/docs/api', '/connect', '/docs/getting-started', '/dashboard'];
    expect(new Set(links)).toEqual(new Set(['#launch', '/', ...paths]));
  });

  test('gives every control a name and every label a control', () => {
    for (const [, target] of page.html.matchAll(/<label [^>]*for="([^"]+)"/g)) {
      expect(page.html).toContain(`id="${target}" type="file"`);
    }
    for (const [input] of page.html.matchAll(/<input [^>]*>/g))
      expect(input).toContain('aria-label=');
    expect(page.html).toContain('role="alert"');
    expect(page.html).toContain('role="timer"');
  });
});

describe('landingScript', () => {
  test('is a valid script, and cannot end its own tag', () => {
    expect(() => new Script(landingScript)).not.toThrow();
    expect(landingScript).not.toMatch(/<\/script|<!--/i);
  });

  test('inserts no markup and evaluates no text', () => {
    expect(landingScript).not.toMatch(
      /innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(/,
    );
  });

  test('touches only elements that the page has', () => {
    const ids = [...landingScript.matchAll(/\bat\('([^']+)'\)/g)].map(([, id]) => id);
    expect(ids.length).toBeGreaterThan(10);
    for (const id of ids) expect(page.html).toContain(`id="${id}"`);
  });
});

describe('packing in the browser', () => {
  test('makes a ZIP that others can read', async () => {
    const entries = [
      { path: 'index.html', bytes: new TextEncoder().encode('<h1>Grüße</h1>') },
      { path: 'bilder/größe.txt', bytes: new Uint8Array(70_000).map((_, index) => index % 251) },
      { path: 'empty.txt', bytes: new Uint8Array() },
    ];
    const archive = await JSZip.loadAsync(Buffer.concat(packer.zipParts(entries)), {
      checkCRC32: true,
    });
    const read = Object.values(archive.files).filter((file) => !file.dir);
    expect(read.map((file) => file.name)).toEqual(entries.map(({ path }) => path));
    for (const { path, bytes } of entries) {
      const stored = await archive.file(path)?.async('uint8array');
      expect(Buffer.from(stored ?? []).equals(Buffer.from(bytes))).toBe(true);
    }
  });

  test.each([
    [['site/index.html', 'site/css/a.css'], 'site', ['site/index.html', 'site/css/a.css']],
    [['site/index.html', 'other/a.css'], '', ['site/index.html', 'other/a.css']],
    [['index.html', 'css/a.css'], '', ['index.html', 'css/a.css']],
    [['site/.DS_Store', 'site/a', '__MACOSX/site/a', 'site/Thumbs.db'], 'site', ['site/a']],
    [['.DS_Store'], '', []],
  ])('removes system files from %j, and knows its one top folder', (paths, folder, expected) => {
    const tidied = packer.withoutClutter(paths.map((path) => ({ path })));
    expect(tidied.folder).toBe(folder);
    expect(tidied.files.map(({ path }) => path)).toEqual(expected);
  });

  test.each([0, 1, 1023, 1024, 1536, 10_189, 2 * 1024 * 1024, 1024 ** 3])(
    'reads %d bytes as the pages do',
    (bytes) => expect(packer.sizeText(bytes)).toBe(formatBytes(bytes)),
  );

  test.each([
    [900_000, '15:00'],
    [61_001, '1:02'],
    [500, '0:01'],
    [0, '0:00'],
    [-5000, '0:00'],
  ])('counts %d milliseconds down as %s', (milliseconds, text) => {
    expect(packer.leftText(milliseconds)).toBe(text);
  });
});
