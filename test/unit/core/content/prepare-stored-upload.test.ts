import { expect, test } from '@jest/globals';
import { bytesSource } from '../../../../core/content/zip/byte-source.ts';
import { prepareStored } from '../../../../core/content/prepare-stored-upload.ts';
import type { PreparedUpload } from '../../../../core/content/prepare-upload.ts';
import type { UploadOptions } from '../../../../core/content/choose-home.ts';
import { piecesSource } from '../../../fixtures/archives/byte-sources.ts';
import { buildZip } from '../../../fixtures/archives/zip-builder.ts';

const limits = { maxParts: 50, maxBytes: 9999, maxArchiveEntries: 3, maxArchiveBytes: 9999 };
const mebibyte = 1024 * 1024;

const partsOf = (files: Record<string, string | Uint8Array>) =>
  Object.entries(files).map(([path, content]) => ({
    path,
    source: bytesSource(typeof content === 'string' ? Buffer.from(content) : content),
  }));
const zipOf = (...names: string[]) =>
  buildZip({ entries: names.map((name) => ({ name, content: `in ${name}` })) });

async function contents(upload: PreparedUpload): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for await (const { path, size, content } of upload.files()) {
    const chunks: Uint8Array[] = [];
    for await (const chunk of content) chunks.push(chunk);
    const bytes = Buffer.concat(chunks);
    expect({ path, size }).toEqual({ path, size: bytes.length });
    found[path] = bytes.toString();
  }
  return found;
}

test.each<[string, Record<string, string>, UploadOptions, Partial<PreparedUpload>]>([
  ['a page', { 'index.html': 'x' }, {}, { type: 'html', home: 'index.html', title: 'index' }],
  ['a picture', { 'a.png': 'x' }, {}, { type: 'image', home: null, title: 'a' }],
  ['several', { 'a.txt': 'xx', 'b.txt': 'y' }, {}, { type: 'files', bytes: 3, title: '2 files' }],
  ['pages as files', { 'index.html': 'x' }, { asFileBundle: true }, { type: 'files', home: null }],
  ['an empty file', { 'a.txt': '' }, {}, { bytes: 0, fileCount: 1 }],
])(
  'understands %s by its names, and reads it when it is asked to',
  async (_, files, options, is) => {
    const upload = await prepareStored({ kind: 'files', files: partsOf(files) }, options, limits);
    expect(upload).toMatchObject({ fileCount: Object.keys(files).length, ...is });
    expect(await contents(upload)).toEqual(files);
    // A change that loses a race asks for them again.
    expect(await contents(upload)).toEqual(files);
  },
);

test.each(['files', 'archive'] as const)(
  'a ZIP with a password is shared as one file if its sender says so (%s)',
  async (kind) => {
    const zip = buildZip({ entries: [{ name: 'index.html', content: 'x', flags: 1 }] });
    const files = partsOf({ 'secret.zip': zip });
    const refused = prepareStored({ kind, files }, {}, limits);
    await expect(refused).rejects.toMatchObject({
      code: 'ARCHIVE_INVALID',
      fields: { isEncrypted: true, nextStep: expect.stringContaining('`asFileBundle: true`') },
    });
    const upload = await prepareStored({ kind, files }, { asFileBundle: true }, limits);
    expect(upload).toMatchObject({ type: 'files', home: null, fileCount: 1, title: 'secret' });
    expect(Object.keys(await contents(upload))).toEqual(['secret.zip']);
  },
);

test('removes the folder that all files are in', async () => {
  const files = partsOf({ 'site/index.html': 'x', 'site/css/a.css': 'y' });
  const upload = await prepareStored({ kind: 'files', files }, {}, limits);
  expect(upload).toMatchObject({ type: 'html', home: 'index.html', title: 'site' });
  expect(await contents(upload)).toEqual({ 'index.html': 'x', 'css/a.css': 'y' });
});

test.each([
  ['files', 'files'],
  ['an archive', 'archive'],
] as const)('keeps the folder of %s that its pages refer to', async (_, kind) => {
  const html = '<link rel="stylesheet" href="/site/css/a.css">';
  const entries = { 'site/index.html': html, 'site/css/a.css': 'y' };
  const content = Object.entries(entries).map(([name, text]) => ({ name, content: text }));
  const files = partsOf(kind === 'files' ? entries : { 'a.zip': buildZip({ entries: content }) });
  const upload = await prepareStored({ kind, files }, {}, limits);
  expect(upload).toMatchObject({ home: 'site/index.html', warnings: [{ kind: 'folder' }] });
  expect(await contents(upload)).toEqual(entries);
});

test.each([
  ['an archive', 'archive', 'archive.zip'],
  ['one file that is called a ZIP', 'files', 'Site.ZIP'],
] as const)('unpacks %s', async (_, kind, path) => {
  const files = partsOf({ [path]: zipOf('site/index.html', 'site/a.txt') });
  const upload = await prepareStored({ kind, files }, {}, limits);
  expect(upload).toMatchObject({ type: 'zip', home: 'index.html', fileCount: 2, bytes: 31 });
  const unpacked = { 'index.html': 'in site/index.html', 'a.txt': 'in site/a.txt' };
  expect(await contents(upload)).toEqual(unpacked);
  expect(await contents(upload)).toEqual(unpacked);
});

test('a ZIP with a password that is shared as one file keeps its name', async () => {
  const locked = buildZip({ entries: [{ name: 'a.csv', content: 'sealed', flags: 1 }] });
  const files = partsOf({ 'accounts.zip': locked });
  const upload = await prepareStored({ kind: 'files', files }, { asFileBundle: true }, limits);
  expect(upload).toMatchObject({ type: 'files', fileCount: 1, title: 'accounts' });
  expect(Object.keys(await contents(upload))).toEqual(['accounts.zip']);
});

test('leaves a ZIP among other files as it is', async () => {
  const files = partsOf({ 'a.zip': zipOf('a'), 'b.txt': 'b' });
  expect(await prepareStored({ kind: 'files', files }, {}, limits)).toMatchObject({
    type: 'files',
    fileCount: 2,
  });
});

test.each<[string, Uint8Array, UploadOptions, string]>([
  ['what is no archive', Buffer.from('nothing'), {}, 'ARCHIVE_INVALID'],
  ['an archive of too many files', zipOf('a', 'b', 'c', 'd'), {}, 'TOO_MANY_FILES'],
  ['an archive with several pages', zipOf('a.html', 'b.html'), {}, 'ZIP_MULTIPLE_HTML'],
  [
    'a home page that is not in it',
    zipOf('a.html'),
    { zipIndexHtmlPath: 'c' },
    'ZIP_MULTIPLE_HTML',
  ],
  ['a path upwards', zipOf('../a'), {}, 'ARCHIVE_INVALID'],
  ['a reserved path', zipOf('_slipway/a'), {}, 'FILE_TYPE_REFUSED'],
  [
    'too much in it',
    buildZip({ entries: [{ name: 'a', content: new Uint8Array(10_000), method: 8 }] }),
    {},
    'ARCHIVE_INVALID',
  ],
])('refuses %s before anything is unpacked', async (_, zip, options, code) => {
  const files = partsOf({ 'archive.zip': zip });
  const refusal = prepareStored({ kind: 'archive', files }, options, limits);
  await expect(refusal).rejects.toMatchObject({ code });
});

test('fetches small files a few at a time, and streams what fills a batch alone', async () => {
  const block = Buffer.alloc(mebibyte, 'x');
  const sized = (path: string, length: number) => ({
    path,
    source: piecesSource([{ length, bytes: block }]),
  });
  const small = Array.from({ length: 40 }, (_, at) => sized(`${at}.bin`, 3 * mebibyte));
  const large = sized('large.bin', 33 * mebibyte);
  const files = [...small.slice(0, 20), large, ...small.slice(20)];
  const upload = await prepareStored({ kind: 'files', files }, {}, limits);
  const read = () => small.reduce((sum, { source }) => sum + source.reads, 0);
  const seen: string[] = [];
  let smallFiles = 0;
  for await (const { path, content } of upload.files()) {
    for await (const _ of content);
    seen.push(path);
    if (path !== 'large.bin') smallFiles += 1;
    // No more than 32 MiB is held beside what was taken.
    expect((read() - smallFiles) * 3).toBeLessThan(32);
  }
  expect(seen).toEqual(files.map(({ path }) => path));
  expect([large.source.streams, large.source.reads]).toEqual([1, 0]);
});
