import { describe, expect, test } from '@jest/globals';
import { maxZipBytes } from '../../../../contract/limits.ts';
import { decideZip, zipAddress, zipEntries } from '../../../../core/visit/decide-zip.ts';
import { aManifest, aSite } from '../../../fixtures/visits/a-site.ts';

const bundle = aSite({ type: 'files', home: null, title: 'Harbour' });
const files = aManifest('b.txt', 'a & b/c.txt', 'a & b/deep/d.txt', 'a & b.txt', 'Z.txt');

function pathsOf(rawPath: string): string[] | string {
  const decision = decideZip(bundle, files, rawPath);
  return decision.kind === 'zip'
    ? zipEntries(decision.files).map(({ path }) => path)
    : decision.kind;
}

describe('the files of a ZIP', () => {
  test.each([
    ['/_slipway/zip', ['Z.txt', 'a & b.txt', 'a & b/c.txt', 'a & b/deep/d.txt', 'b.txt']],
    ['/_slipway/zip/', ['Z.txt', 'a & b.txt', 'a & b/c.txt', 'a & b/deep/d.txt', 'b.txt']],
    ['/_slipway/zip/a%20%26%20b', ['c.txt', 'deep/d.txt']],
    ['/_slipway/zip/a%20%26%20b/', ['c.txt', 'deep/d.txt']],
    ['/_slipway/zip/a%20%26%20b/deep', ['d.txt']],
  ])('%s: the files below, sorted by path', (rawPath, expected) => {
    expect(pathsOf(rawPath)).toEqual(expected);
  });

  test.each([
    ['an unknown folder', '/_slipway/zip/c'],
    ['the beginning of a name', '/_slipway/zip/a'],
    ['a file', '/_slipway/zip/b.txt'],
    ['an encoded slash', '/_slipway/zip/a%20%26%20b%2Fdeep'],
    ['a parent', '/_slipway/zip/a%20%26%20b/%2e%2e/a%20%26%20b'],
    ['a broken escape', '/_slipway/zip/%E0%A4%A'],
    ['a neighbour of ours', '/_slipway/zipper'],
  ])('%s is missing', (_name, rawPath) => {
    expect(pathsOf(rawPath)).toBe('missing');
  });

  test.each([
    ['a site with a home page', aSite({ home: 'index.html' }), 'missing'],
    ['files without one', aSite({ type: 'files', home: null }), 'zip'],
    ['several documents', aSite({ type: 'pdf', home: null }), 'zip'],
    [
      'downloads switched off',
      aSite({ type: 'files', home: null, disableDownloads: true }),
      'disabled',
    ],
  ])('%s: %#', (_name, site, kind) => {
    expect(decideZip(site, files, '/_slipway/zip').kind).toBe(kind);
  });

  test.each([
    ['files', 'zip'],
    ['pdf', 'missing'],
  ] as const)('one file alone of type %s: %s', (type, kind) => {
    const site = aSite({ type, home: null });
    expect(decideZip(site, aManifest('one'), '/_slipway/zip').kind).toBe(kind);
  });
});

test.each([
  [
    ['fn.AD0.html', 'fn.ad0.html'],
    ['fn.AD0.html', 'fn.ad0 (2).html'],
  ],
  [
    ['A', 'a', 'a (2)', 'a (3)'],
    ['A', 'a (4)', 'a (2)', 'a (3)'],
  ],
  [
    ['Docs/a.txt', 'docs/A.txt', 'docs/b.txt'],
    ['Docs/a.txt', 'docs/A (2).txt', 'docs/b.txt'],
  ],
  [
    ['DOCS', 'docs/a.txt'],
    ['DOCS (2)', 'docs/a.txt'],
  ],
  [
    ['.Env', '.env'],
    ['.Env', '.env (2)'],
  ],
])(
  'files that differ by case alone have names of their own in a ZIP: %j (fault 1)',
  (paths, names) => {
    const decision = decideZip(bundle, aManifest(...paths), '/_slipway/zip');
    if (decision.kind !== 'zip') throw new Error(decision.kind);
    const entries = zipEntries(decision.files);
    expect(entries.map(({ path }) => path)).toEqual(names);
    expect(entries.map(({ source }) => source)).toEqual(paths);
  },
);

test('names that 2,048 files share are numbered one after the other', () => {
  const spellings = Array.from({ length: 2048 }, (_, number) =>
    Array.from('abcdefghijk', (letter, at) => ((number >> at) & 1 ? letter.toUpperCase() : letter)),
  ).map((letters) => `${letters.join('')}.txt`);
  const decision = decideZip(bundle, aManifest(...spellings), '/_slipway/zip');
  if (decision.kind !== 'zip') throw new Error(decision.kind);
  // Each view of a listing decides so, and nobody counts them.
  expect(decision.files.map(({ path }) => path)).toEqual(spellings);
  const names = zipEntries(decision.files).map(({ path }) => path.toLowerCase());
  expect(names[1]).toBe('abcdefghijk (2).txt');
  expect(names.at(-1)).toBe('abcdefghijk (2048).txt');
  expect(new Set(names).size).toBe(2048);
});

describe('a ZIP’s length', () => {
  // 22 at the end, 92 and twice its name for a file of one letter.
  const most = maxZipBytes - 22 - 94;

  test.each([
    [most, 'zip'],
    [most + 1, 'too-large'],
  ])('of one file of %d bytes is %s', (size, kind) => {
    const decision = decideZip(bundle, aManifest(['x', size]), '/_slipway/zip');
    expect(decision).toMatchObject({ kind, bytes: size + 22 + 94 });
  });

  test('counts only the requested folder', () => {
    const manifest = aManifest(['small/x', 10], ['large/x', maxZipBytes]);
    expect(decideZip(bundle, manifest, '/_slipway/zip').kind).toBe('too-large');
    expect(decideZip(bundle, manifest, '/_slipway/zip/small').kind).toBe('zip');
  });

  test('is too large with more entries than an end record can count', () => {
    const manifest = aManifest(...Array.from({ length: 0xffff }, (_, index) => `${index}`));
    expect(decideZip(bundle, manifest, '/_slipway/zip').kind).toBe('too-large');
  });
});

describe('a ZIP’s name', () => {
  test.each([
    ['Harbour', 'Harbour.zip'],
    ['Übersicht 日本語 🚣', 'Übersicht 日本語 🚣.zip'],
    ['../../etc/passwd', 'etc passwd.zip'],
    ['a: "b" <c> | d?*\\', 'a b c d.zip'],
    ['line\nbreak\u202egnp.exe', 'line break gnp.exe.zip'],
    ['...', 'files.zip'],
    ['🚣'.repeat(200), `${'🚣'.repeat(100)}.zip`],
  ])('of %j is %j', (title, fileName) => {
    expect(decideZip({ ...bundle, title }, files, '/_slipway/zip')).toMatchObject({ fileName });
  });

  test('of a folder is the folder’s', () => {
    expect(decideZip(bundle, files, '/_slipway/zip/a%20%26%20b/deep')).toMatchObject({
      fileName: 'deep.zip',
    });
  });
});

describe('the address of a ZIP', () => {
  test.each([
    ['', '/_slipway/zip'],
    ['a & b/', '/_slipway/zip/a%20%26%20b'],
    ['a & b/deep/', '/_slipway/zip/a%20%26%20b/deep'],
  ])('of folder %j is %s, and serves a ZIP', (folder, address) => {
    expect(zipAddress(bundle, files, folder)).toBe(address);
    expect(pathsOf(address)).not.toBe('missing');
  });

  test.each([
    ['downloads are switched off', { ...bundle, disableDownloads: true }, files],
    ['there is a home page', aSite(), files],
  ])('is null where %s', (_name, site, manifest) => {
    expect(zipAddress(site, manifest, '')).toBeUndefined();
  });

  test('is null where the ZIP would be too large', () => {
    expect(zipAddress(bundle, aManifest(['x', maxZipBytes]), '')).toBeNull();
  });
});
