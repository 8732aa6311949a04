import { Script, runInNewContext } from 'node:vm';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import JSZip from 'jszip';
import { describeDuration, temporaryLifetimeSeconds } from '../../../../../contract/limits.ts';
import { siftPaths } from '../../../../../core/content/left-out/sift-paths.ts';
import { landingPage } from '../../../../../web/pages/landing/landing-page.ts';
import { landingScript } from '../../../../../web/pages/landing/landing-script.ts';
import { packScript } from '../../../../../web/pages/landing/pack-script.ts';
import { formatBytes } from '../../../../../web/pages/parts/format.ts';
import { landing } from '../every-page.ts';

const segment = fc.constantFrom(
  'a',
  'site',
  '.env',
  '.git',
  '.well-known',
  'node_modules',
  '__MACOSX',
  'b.html',
  '.slipwayignore',
);
/** Paths of an upload, in a few folders. */
const somePaths = fc.uniqueArray(
  fc.array(segment, { minLength: 1, maxLength: 3 }).map((segments) => segments.join('/')),
  { minLength: 1, maxLength: 8 },
);

const page = landingPage(landing);

interface Packer {
  withoutHidden(
    picked: { path: string }[],
    includeHidden?: boolean,
  ): { folder: string; files: { path: string }[]; leftOut: string[] };
  leftOutText(leftOut: string[], warnings: object[] | undefined): string;
  sizeText(bytes: number): string;
  leftText(milliseconds: number): string;
  zipParts(entries: { path: string; bytes: Uint8Array }[]): Uint8Array[];
}

const packer = runInNewContext(
  `${packScript}; ({ withoutHidden, leftOutText, sizeText, leftText, zipParts });`,
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
    [['site/.env', 'site/.git/config', 'site/a'], 'site', ['site/a']],
    [['.output/a', '.output/b/.env'], '.output', ['.output/a']],
    [['.slipwayignore', 'a', '.env'], '', ['.slipwayignore', 'a']],
    [['.env'], '', ['.env']],
    [['.env', '.git/config'], '', ['.env', '.git/config']],
  ])(
    'does not send what is hidden of %j, and knows its one top folder',
    (paths, folder, expected) => {
      const tidied = packer.withoutHidden(paths.map((path) => ({ path })));
      expect(tidied.folder).toBe(folder);
      expect(tidied.files.map(({ path }) => path)).toEqual(expected);
    },
  );

  test('sends what is hidden if somebody asks for it', () => {
    const files = [{ path: 'a' }, { path: '.env' }];
    expect(packer.withoutHidden(files, true)).toEqual({ folder: '', files, leftOut: [] });
  });

  // What the page leaves out, and then the service, is what the service alone would leave out.
  test('leaves out what the service leaves out', () => {
    fc.assert(
      fc.property(somePaths, (paths) => {
        const { files, leftOut } = packer.withoutHidden(paths.map((path) => ({ path })));
        const alone = siftPaths(paths);
        const after = siftPaths(files.map(({ path }) => path));
        expect(after.kept).toEqual(alone.kept);
        expect(after.topFolder).toBe(alone.topFolder);
        expect([...leftOut, ...after.leftOut].toSorted()).toEqual(alone.leftOut.toSorted());
      }),
    );
  });

  test.each([
    [[], undefined, ''],
    [['.env'], undefined, '1 file was left out: .env'],
    [
      ['.git/config', '.env', 'a/b/.x', '.c'],
      [],
      '4 files were left out: .env, .c, .git/config, …',
    ],
    [
      ['.env'],
      [{ kind: 'left-out', count: 2, paths: ['x.log'] }],
      '3 files were left out: .env, x.log, …',
    ],
  ])('says of %j and %j what was left out', (leftOut, warnings, text) => {
    expect(packer.leftOutText(leftOut, warnings)).toBe(text);
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
