import { describe, expect, test } from '@jest/globals';
import JSZip from 'jszip';
import { prepareUpload, type Upload } from '../../../../core/content/prepare-upload.ts';
import { tempLimits } from '../../../../core/projects/publishing/temp-limits.ts';

const file = (name: string, body: string | Uint8Array = 'x', contentType = 'text/plain') => ({
  name,
  contentType,
  bytes: Buffer.from(body),
});

async function zipped(files: Record<string, string>, name = 'site.zip') {
  const zip = new JSZip();
  for (const [path, body] of Object.entries(files)) zip.file(path, body);
  return file(name, await zip.generateAsync({ type: 'uint8array' }), 'application/zip');
}

const prepare = (upload: Upload) => prepareUpload(upload, tempLimits({ perMinute: 3, perHour: 5 }));

describe('what an upload is', () => {
  test('a ZIP with one HTML file is a site that starts there', async () => {
    const upload = { files: [await zipped({ 'dist/start.html': '', 'dist/app.css': '' })] };
    expect(await prepare(upload)).toMatchObject({ type: 'zip', home: 'start.html', title: 'site' });
  });

  test('a ZIP without HTML is a bundle', async () => {
    const upload = { files: [await zipped({ 'a.txt': '', 'b.txt': '' })] };
    expect(await prepare(upload)).toMatchObject({ type: 'files', home: null });
  });

  test('a ZIP of one picture is a bundle too', async () => {
    expect(await prepare({ files: [await zipped({ 'a.png': '' })] })).toMatchObject({
      type: 'files',
    });
  });

  test('a ZIP is known by its media type when it has no name to tell', async () => {
    const upload = { files: [await zipped({ 'index.html': '' }, 'upload')] };
    expect(await prepare(upload)).toMatchObject({ type: 'zip' });
  });

  test('an office document is not taken for an archive', async () => {
    const upload = { files: [file('letter.docx', 'PK\u0003\u0004')] };
    expect(await prepare(upload)).toMatchObject({ type: 'document' });
  });

  test('among several files a ZIP is a file like any other', async () => {
    const upload = { files: [await zipped({ 'index.html': '' }), file('a.txt')] };
    expect(await prepare(upload)).toMatchObject({ type: 'files', title: '2 files' });
  });

  test('files with HTML are a site, files without are a bundle', async () => {
    expect(await prepare({ files: [file('a.css'), file('index.html')] })).toMatchObject({
      type: 'html',
      home: 'index.html',
    });
    expect(await prepare({ files: [file('a.css'), file('b.css')] })).toMatchObject({
      type: 'files',
      home: null,
    });
  });

  test('asFileBundle makes a bundle of anything', async () => {
    const site = [await zipped({ 'index.html': '', 'other.html': '' })];
    expect(await prepare({ files: site, asFileBundle: true })).toMatchObject({
      type: 'files',
      home: null,
    });
    expect(await prepare({ files: [file('a.pdf')], asFileBundle: true })).toMatchObject({
      type: 'files',
    });
  });

  test('paths of files keep their folders, NFC normalised', async () => {
    const upload = { files: [file('index.html'), file('assets/cafe\u0301.css')] };
    const paths: string[] = [];
    for await (const { path } of (await prepare(upload)).files()) paths.push(path);
    expect(paths).toEqual(['index.html', 'assets/caf\u00e9.css']);
  });
});

describe('refuses', () => {
  test.each([
    ['six files', Array.from({ length: 6 }, (_, i) => file(`${i}.txt`)), 'TOO_MANY_FILES'],
    ['a byte over 2 MiB', [file('a', Buffer.alloc(2 * 1024 * 1024 + 1))], 'PAYLOAD_TOO_LARGE'],
    ['the same name twice', [file('a.txt'), file('a.txt')], 'INVALID_REQUEST'],
    ['the same name but for case', [file('a.txt'), file('A.TXT')], 'INVALID_REQUEST'],
    ['a file where another has a folder', [file('a'), file('a/b')], 'INVALID_REQUEST'],
    ['a parent folder', [file('../a.txt')], 'INVALID_REQUEST'],
    ['an absolute name', [file('/etc/passwd')], 'INVALID_REQUEST'],
    ['a Windows name', [file('C:\\a.txt')], 'INVALID_REQUEST'],
    ['a reserved name', [file('_slipway/media/x')], 'FILE_TYPE_REFUSED'],
    ['something called .zip that is none', [file('a.zip', 'no archive')], 'ARCHIVE_INVALID'],
  ])('%s', async (_, files, code) => {
    await expect(prepare({ files })).rejects.toMatchObject({ code });
  });

  test('exactly 2 MiB is taken', async () => {
    const upload = { files: [file('a', Buffer.alloc(2 * 1024 * 1024))] };
    expect(await prepare(upload)).toMatchObject({ bytes: 2 * 1024 * 1024 });
  });
});
