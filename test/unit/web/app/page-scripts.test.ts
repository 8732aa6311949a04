import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import JSZip from 'jszip';
import { siftPaths } from '../../../../core/content/left-out/sift-paths.ts';
import { leftText, leftOutText } from '../../../../web/app/page-scripts/texts.ts';
import { zipFiles } from '../../../../web/app/page-scripts/zip-files.ts';
import { picked } from '../../../../web/app/upload/picked.ts';
import { leftOutOf, type Warnings } from '../../../../web/app/upload/upload-state.ts';
import { landingPage } from '../../../../web/pages/landing-page.ts';
import { uploadPage } from '../../../../web/pages/upload-page.ts';
import { anUpload, landing } from '../pages/every-page.ts';

const folder = 'web/app/page-scripts';
const sources = new Map(
  readdirSync(folder).map((name) => [name, readFileSync(`${folder}/${name}`, 'utf8')]),
);

const aFile = (path: string, content: Uint8Array<ArrayBuffer> = new Uint8Array()) => ({
  path,
  file: new File([content], path),
});

describe('the script of pages', () => {
  test('inserts no markup and evaluates no text', () => {
    expect(sources.size).toBeGreaterThan(5);
    for (const source of sources.values()) {
      expect(source).not.toMatch(
        /innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(|new Function/,
      );
    }
  });

  test('touches only elements that its page has', () => {
    const idsIn = (source = '') => [...source.matchAll(/\bat\('([^']+)'\)/g)].map(([, id]) => id);
    const ofOnePage = ['main.ts', 'receipt.ts'];
    const ofAll = [...sources].filter(([name]) => !ofOnePage.includes(name));
    const ids = ofAll.flatMap(([, source]) => idsIn(source));
    const ofLanding = idsIn(sources.get('main.ts'));
    expect(ids.length).toBeGreaterThan(10);
    expect(ofLanding.length).toBeGreaterThan(3);
    const { html } = landingPage(landing);
    for (const id of [...ids, ...ofLanding]) expect(html).toContain(`id="${id}"`);
    const upload = uploadPage(anUpload()).html;
    for (const id of ids) expect(upload).toContain(`id="${id}"`);
    const asked = uploadPage(anUpload({ request: {} })).html;
    const isForAddress = (id = '') => id === 'link';
    const ofReceipt = [
      ...ids.filter((id) => !isForAddress(id)),
      ...idsIn(sources.get('receipt.ts')),
    ];
    for (const id of ofReceipt) expect(asked).toContain(`id="${id}"`);
  });
});

describe('zipping in the browser', () => {
  test('makes a ZIP that others can read, without entries for folders', async () => {
    const files = [
      aFile('index.html', new TextEncoder().encode('<h1>Grüße</h1>')),
      aFile(
        'bilder/größe.txt',
        new Uint8Array(70_000).map((_, index) => index % 251),
      ),
      aFile('empty.txt'),
    ];
    const blob = await zipFiles(files);
    expect(blob.type).toBe('application/zip');
    const archive = await JSZip.loadAsync(await blob.arrayBuffer(), { checkCRC32: true });
    expect(Object.keys(archive.files)).toEqual(files.map(({ path }) => path));
    for (const { path, file } of files) {
      const stored = await archive.file(path)?.async('arraybuffer');
      expect(stored).toEqual(await file.arrayBuffer());
    }
  });

  test('keeps names that are special to JavaScript', async () => {
    const paths = ['__proto__', 'constructor/toString'];
    const blob = await zipFiles(paths.map((path) => aFile(path)));
    const archive = await JSZip.loadAsync(await blob.arrayBuffer());
    expect(Object.keys(archive.files)).toEqual(paths);
  });
});

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

describe('what is left out', () => {
  test.each([
    [
      ['site/index.html', 'site/css/a.css'],
      ['site/index.html', 'site/css/a.css'],
    ],
    [
      ['site/index.html', 'other/a.css'],
      ['site/index.html', 'other/a.css'],
    ],
    [['site/.DS_Store', 'site/a', '__MACOSX/site/a', 'site/Thumbs.db'], ['site/a']],
    [['site/.env', 'site/.git/config', 'site/a'], ['site/a']],
    [['.output/a', '.output/b/.env'], ['.output/a']],
    [
      ['.slipwayignore', 'a', '.env'],
      ['.slipwayignore', 'a'],
    ],
    [['.env'], ['.env']],
    [
      ['.env', '.git/config'],
      ['.env', '.git/config'],
    ],
  ])('of %j leaves %j to be sent', (paths, expected) => {
    const { files } = picked(paths.map((path) => aFile(path)));
    expect(files.map(({ path }) => path)).toEqual(expected);
  });

  // What the page leaves out, and then the service, is what the service alone would leave out.
  test('is what the service leaves out', () => {
    fc.assert(
      fc.property(somePaths, (paths) => {
        const { files, leftOut } = picked(paths.map((path) => aFile(path)));
        const alone = siftPaths(paths);
        const after = siftPaths(files.map(({ path }) => path));
        expect(after.kept).toEqual(alone.kept);
        expect(after.topFolder).toBe(alone.topFolder);
        expect([...leftOut.paths, ...after.leftOut].toSorted()).toEqual(alone.leftOut.toSorted());
      }),
    );
  });

  const warning: Warnings = [
    { kind: 'left-out', count: 2, paths: ['x.log'], message: 'm' },
  ] as unknown as Warnings;

  test.each([
    [['a'], undefined, ''],
    [['a', '.env'], undefined, '1 file was left out: .env'],
    [
      ['a/b', '.git/config', '.env', 'a/b/.x', '.c'],
      [],
      '4 files were left out: .env, .c, .git/config, …',
    ],
    [['a', '.env'], warning, '3 files were left out: .env, x.log, …'],
  ])('of %j and %j is said in words', (paths, warnings, text) => {
    const files = picked(paths.map((path) => aFile(path)));
    expect(leftOutText(leftOutOf(files, warnings))).toBe(text);
  });
});

test.each([
  [900_000, '15:00'],
  [61_001, '1:02'],
  [500, '0:01'],
  [0, '0:00'],
  [-5000, '0:00'],
])('counts %d milliseconds down as %s', (milliseconds, text) => {
  expect(leftText(milliseconds)).toBe(text);
});
