import { gzipSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import JSZip from 'jszip';
import { prepareUpload, type Upload } from '../../../../core/content/prepare-upload.ts';
import { buildZip } from '../../../fixtures/archives/zip-builder.ts';
import { gzippedZip } from '../../../../contract/limits.ts';
import { defaultPlans } from '../../../../contract/plans.ts';
import { tempLimits, uploadLimits } from '../../../../core/projects/publishing/upload-limits.ts';

const file = (name: string, body: string | Uint8Array = 'x', contentType = 'text/plain') => ({
  name,
  contentType,
  bytes: Buffer.from(body),
});

async function zipped(files: Record<string, string>, name = 'site.zip') {
  const zip = new JSZip();
  for (const [path, body] of Object.entries(files)) zip.file(path, body);
  return file(
    name,
    await zip.generateAsync({ type: 'uint8array', compression: 'DEFLATE' }),
    'application/zip',
  );
}

async function pathsOf(upload: Upload) {
  const prepared = await prepare(upload);
  const { home, warnings = [] } = prepared;
  const paths: string[] = [];
  for await (const { path } of prepared.files()) paths.push(path);
  return { home, paths, kinds: warnings.map(({ kind, message }) => `${kind}: ${message}`) };
}

const folderKept = expect.stringMatching(/^folder: The folder "app\/" is part of the addresses/);
const folderLeftOut = expect.stringMatching(/^folder: .*"app\/".*left out/);

describe('the only top folder of a ZIP', () => {
  const page = (...addresses: string[]) => addresses.map((one) => `<script src="${one}">`).join('');
  const at = (html: string, more: Record<string, string> = {}) =>
    zipped({ 'app/index.html': html, 'app/assets/a.js': '1', 'app/_redirects': '', ...more });
  const kept = ['app/index.html', 'app/assets/a.js', '_redirects'];
  const leftOut = ['index.html', 'assets/a.js', '_redirects'];

  test.each([
    ['pages refer to it', page('/app/assets/a.js'), kept],
    ['the base is in it', '<base href="/app/"><script src="assets/a.js"></script>', kept],
    ['pages refer to the root', page('/assets/a.js'), leftOut],
    ['addresses are relative', page('assets/a.js', './assets/a.js'), leftOut],
    ['only a comment refers to it', '<!-- <script src="/app/assets/a.js"> -->', leftOut],
    ['it has no such file', page('/app/other.js'), leftOut],
    ['pages link to a page of that name alone', '<a href="/app/">', leftOut],
  ])('%s', async (_, html, paths) => {
    const isKept = paths === kept;
    expect(await pathsOf({ files: [await at(html)] })).toEqual({
      home: isKept ? 'app/index.html' : 'index.html',
      paths,
      kinds: [isKept ? folderKept : folderLeftOut],
    });
  });

  test.each(['index.html', 'app/index.html'])('%s names the home page of both', async (named) => {
    for (const html of [page('/app/assets/a.js'), page('/assets/a.js')]) {
      const zip = await at(html, { 'app/b.html': '' });
      const { home } = await prepare({ files: [zip], zipIndexHtmlPath: named });
      expect(home).toBe(html.includes('/app') ? 'app/index.html' : 'index.html');
    }
  });

  test('separate files, and a list of files', async () => {
    const html = page('/app/assets/a.js');
    const files = [file('app/index.html', html), file('app/assets/a.js')];
    expect((await pathsOf({ files })).paths).toEqual(['app/index.html', 'app/assets/a.js']);
    const bundle = await pathsOf({ files, asFileBundle: true });
    expect(bundle).toEqual({ home: null, paths: ['index.html', 'assets/a.js'], kinds: [] });
  });
});

test('separate files of `find . -exec curl -F`, and a home page that is named so', async () => {
  const files = [file('./a.html'), file('./b.html'), file('./assets/c.js')];
  const sent = await prepare({ files, zipIndexHtmlPath: './b.html' });
  expect(sent.home).toBe('b.html');
  const paths: string[] = [];
  for await (const { path } of sent.files()) paths.push(path);
  expect(paths).toEqual(['a.html', 'b.html', 'assets/c.js']);
});

const prepare = (upload: Upload) => prepareUpload(upload, tempLimits({ perMinute: 3, perHour: 5 }));

describe('a refusal has a next step', () => {
  const plan = uploadLimits({ ...defaultPlans.free, maxFilesPerProject: 3, maxUploadBytes: 500 });
  const temporary = tempLimits({ perMinute: 3, perHour: 5 });
  const signIn = expect.stringMatching(/Sign in .*POST \/v1\/auth\/otp\/request/);
  const larger = expect.stringMatching(/^(?!.*[Ss]ign in).*larger plan/);
  const files = (count: number) => Array.from({ length: count }, (_, at) => file(`${at}.txt`));
  const bomb = () => zipped({ 'a.txt': 'x'.repeat(20_000_000) });

  test.each([
    ['a reserved name', [file('_slipway/x.js')], 'FILE_TYPE_REFUSED'],
    ['an unsafe name', [file('a/../x.js')], 'INVALID_REQUEST'],
  ])('%s is named', async (_, sent, code) => {
    const name = JSON.stringify(sent[0]?.name);
    await expect(prepareUpload({ files: sent }, plan)).rejects.toMatchObject({
      code,
      body: { error: expect.stringContaining(name) },
    });
  });

  test('a name is quoted without terminal control characters', async () => {
    const refusal = prepareUpload({ files: [file('_slipway/\u202Egpj.exe')] }, plan);
    await expect(refusal).rejects.not.toThrow('\u202E');
  });

  test.each([
    ['too many files', files(4), 'TOO_MANY_FILES'],
    ['too many bytes', [file('a.txt', 'x'.repeat(501))], 'PAYLOAD_TOO_LARGE'],
  ])('%s of an account: a larger plan', async (_, sent, code) => {
    await expect(prepareUpload({ files: sent }, plan)).rejects.toMatchObject({
      code,
      body: { nextStep: larger },
    });
  });

  test.each([
    ['too many files', files(6), 'TOO_MANY_FILES'],
    ['more than 2 MB', [file('a.txt', 'x'.repeat(2_100_000))], 'PAYLOAD_TOO_LARGE'],
  ])('%s without an account: sign in', async (_, sent, code) => {
    await expect(prepareUpload({ files: sent }, temporary)).rejects.toMatchObject({
      code,
      body: { nextStep: signIn },
    });
  });

  test('the error for a ZIP that unpacks to too much does not suggest to repack it', async () => {
    const upload = { files: [await bomb()] };
    await expect(prepareUpload(upload, temporary)).rejects.toMatchObject({
      code: 'ARCHIVE_INVALID',
      body: { nextStep: signIn },
    });
    const many = { files: [await zipped({ a: '', b: '', c: '', d: '' })] };
    await expect(prepareUpload(many, plan)).rejects.toMatchObject({
      code: 'TOO_MANY_FILES',
      body: { nextStep: larger },
    });
  });
});

describe('the type of an upload', () => {
  test('a ZIP with one HTML file is a site that starts there', async () => {
    const upload = { files: [await zipped({ 'dist/start.html': '', 'dist/app.css': '' })] };
    expect(await prepare(upload)).toMatchObject({ type: 'zip', home: 'start.html', title: 'site' });
  });

  test('a ZIP without HTML is a bundle', async () => {
    const upload = { files: [await zipped({ 'a.txt': '', 'b.txt': '' })] };
    expect(await prepare(upload)).toMatchObject({ type: 'files', home: null });
  });

  test.each([
    ['a valid rule', { _redirects: '/* https://new.example/:splat' }],
    ['a folder of it', { 'site/_redirects': '/a /b', 'site/_headers': '/*\n  X-A: 1' }],
    [
      'rules of another host',
      { 'vercel.json': '{"redirects":[{"source":"/a","destination":"/b"}]}' },
    ],
  ])('a ZIP of nothing but %s is a site', async (_, files) => {
    expect(await prepare({ files: [await zipped(files)] })).toMatchObject({
      type: 'zip',
      home: 'index.html',
    });
  });

  test.each([
    ['an invalid rule', { _redirects: 'nonsense' }],
    ['a file without rules', { CNAME: 'a.example' }],
    ['a rule and another file', { _redirects: '/a /b', 'a.png': '' }],
  ])('a ZIP of %s is a bundle', async (_, files) => {
    expect(await prepare({ files: [await zipped(files)] })).toMatchObject({ home: null });
    const asked = { files: [await zipped({ _redirects: '/a /b' })], asFileBundle: true };
    expect(await prepare(asked)).toMatchObject({ type: 'files', home: null });
  });

  test('rules that were sent as files are a site, and one such file is a file', async () => {
    const redirects = file('_redirects', '/a /b');
    expect(await prepare({ files: [redirects, file('_headers', '/*\n X-A: 1')] })).toMatchObject({
      type: 'html',
      home: 'index.html',
    });
    expect(await prepare({ files: [redirects] })).toMatchObject({ home: null });
  });

  test('a ZIP of one image is a bundle too', async () => {
    expect(await prepare({ files: [await zipped({ 'a.png': '' })] })).toMatchObject({
      type: 'files',
    });
  });

  test('a ZIP without an extension is recognised by its media type', async () => {
    const upload = { files: [await zipped({ 'index.html': '' }, 'upload')] };
    expect(await prepare(upload)).toMatchObject({ type: 'zip' });
  });

  test('an office document is not treated as an archive', async () => {
    const upload = { files: [file('letter.docx', 'PK\u0003\u0004')] };
    expect(await prepare(upload)).toMatchObject({ type: 'document' });
  });

  test.each([
    ['  ', 'Untitled'],
    [' report.txt', 'report'],
  ])('a file that is called "%s" has the title "%s"', async (name, title) => {
    expect(await prepare({ files: [file(name)] })).toMatchObject({ title });
  });

  test('the home page has a title of its own, in a ZIP and in a folder too', async () => {
    const [fair, app] = ['<title>Spring &amp; fair</title>', '<title>Vite App</title>'];
    const kept = { 'app/index.html': `${fair}<script src="/app/a.js">`, 'app/a.js': '1' };
    const titleOf = async (sent: Upload['files'][number]) =>
      (await prepare({ files: [sent] })).homeTitle?.();
    expect(await titleOf(file('index.html', fair))).toBe('Spring & fair');
    expect(await titleOf(await zipped({ 'index.html': fair, 'a.html.txt': app }))).toBe(
      'Spring & fair',
    );
    expect(await titleOf(await zipped(kept))).toBe('Spring & fair');
    expect(await titleOf(file('index.html', app))).toBeUndefined();
    expect(await titleOf(file('a.txt', fair))).toBeUndefined();
  });

  test('a ZIP among several files is not unpacked', async () => {
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

  test('a ZIP with a password is shared as one file if its sender says so', async () => {
    const entries = [{ name: 'a.txt', content: 'x', flags: 1 }];
    const zip = {
      name: 'secret.zip',
      contentType: 'application/zip',
      bytes: buildZip({ entries }),
    };
    await expect(prepare({ files: [zip] })).rejects.toMatchObject({ code: 'ARCHIVE_INVALID' });
    const sent = await prepare({ files: [zip], asFileBundle: true });
    expect(sent).toMatchObject({
      type: 'files',
      home: null,
      fileCount: 1,
      bytes: zip.bytes.length,
    });
    expect(sent.mayBeText).toBeUndefined();
  });

  test('asFileBundle makes any upload a bundle', async () => {
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

describe('a ZIP that is compressed as a whole', () => {
  const gzipped = (zip: Uint8Array) => file('files.zip', gzipSync(zip), gzippedZip.type);
  const longest = gzippedZip.maxBytes;

  test('is published as the ZIP, also as a list of files', async () => {
    const zip = await zipped({ 'index.html': '<title>Pier</title>', 'a.txt': 'x' });
    const [asIs, whole] = [[zip], [gzipped(zip.bytes)]];
    expect(await pathsOf({ files: whole })).toEqual(await pathsOf({ files: asIs }));
    expect(await prepare({ files: whole, asFileBundle: true })).toMatchObject({ fileCount: 2 });
  });

  test('has the size that was sent, as the ZIP has', async () => {
    const zip = buildZip({ entries: [{ name: 'a.txt', content: 'x'.repeat(3 * 1024 * 1024) }] });
    expect(await prepare({ files: [gzipped(Buffer.from(zip))] })).toMatchObject({ fileCount: 1 });
  });

  const encrypted = { name: 'a.txt', content: 'x', flags: 1 };
  test.each<[string, Uint8Array, string]>([
    ['is no gzip', Buffer.from('PK'), 'complete gzip'],
    ['is cut short', gzipSync(Buffer.alloc(1000)).subarray(0, -9), 'complete gzip'],
    ['unpacks to more than may be', gzipSync(Buffer.alloc(longest + 1)), `than ${longest} bytes`],
    ['holds no ZIP', gzipSync(Buffer.alloc(longest)), 'The ZIP'],
    ['has a password', gzipSync(buildZip({ entries: [encrypted] })), 'encrypted'],
  ])('is refused where it %s', async (_, bytes, error) => {
    const files = [file('files.zip', bytes, gzippedZip.type)];
    await expect(prepare({ files, asFileBundle: true })).rejects.toMatchObject({
      code: 'ARCHIVE_INVALID',
      message: expect.stringContaining(error),
    });
  });
});

describe('a folder that was dropped as files', () => {
  const folder = ['mysite/index.html', 'mysite/css/a.css', 'mysite/about.html'].map((name) =>
    file(name),
  );
  const pathsOf = async (upload: Upload) => {
    const paths: string[] = [];
    for await (const { path } of (await prepare(upload)).files()) paths.push(path);
    return paths;
  };

  test('loses its name as in a ZIP', async () => {
    const inside = ['index.html', 'css/a.css', 'about.html'];
    expect(await pathsOf({ files: folder })).toEqual(inside);
    const zip = await zipped({
      'mysite/index.html': '',
      'mysite/css/a.css': '',
      'mysite/about.html': '',
    });
    const zipIndexHtmlPath = 'mysite/index.html';
    expect(await pathsOf({ files: [zip], zipIndexHtmlPath })).toEqual(inside);
    expect(await prepare({ files: folder })).toMatchObject({ type: 'html', home: 'index.html' });
  });

  test('loses one level only, and nothing where a file lies beside it', async () => {
    expect(await pathsOf({ files: [file('a/b/x.txt'), file('a/b/y.txt')] })).toEqual([
      'b/x.txt',
      'b/y.txt',
    ]);
    const beside = [file('a/x.txt'), file('y.txt')];
    expect(await pathsOf({ files: beside })).toEqual(['a/x.txt', 'y.txt']);
    expect(await pathsOf({ files: [file('a/x.txt'), file('b/x.txt')] })).toEqual([
      'a/x.txt',
      'b/x.txt',
    ]);
    expect(await pathsOf({ files: [file('a/x.txt')] })).toEqual(['x.txt']);
  });

  test('is one folder also where its name is composed in two ways', async () => {
    const files = [file('caf\u00e9/a.txt'), file('cafe\u0301/b.txt')];
    expect(await pathsOf({ files })).toEqual(['a.txt', 'b.txt']);
  });

  test('is looked for without the files of macOS, which are not kept, as in a ZIP', async () => {
    const sent = ['site/a.txt', 'site/.DS_Store', '.DS_Store', '__MACOSX/site/._a.txt'];
    expect(await pathsOf({ files: sent.map((name) => file(name)) })).toEqual(['a.txt']);
    expect(await pathsOf({ files: [file('.DS_Store')] })).toEqual(['.DS_Store']);
  });

  test('names its pages as they were sent', async () => {
    await expect(prepare({ files: folder, zipIndexHtmlPath: 'none.html' })).rejects.toMatchObject({
      code: 'ZIP_MULTIPLE_HTML',
      fields: { htmlPaths: ['mysite/index.html', 'mysite/about.html'] },
    });
    for (const zipIndexHtmlPath of ['mysite/about.html', 'about.html']) {
      expect(await prepare({ files: folder, zipIndexHtmlPath })).toMatchObject({
        home: 'about.html',
      });
    }
  });

  test('stays where the names are exact', async () => {
    const files = folder.slice(0, 2);
    expect(await pathsOf({ files, hasExactPaths: true })).toEqual([
      'mysite/index.html',
      'mysite/css/a.css',
    ]);
  });
});

describe('refuses', () => {
  test.each([
    ['six files', Array.from({ length: 6 }, (_, i) => file(`${i}.txt`)), 'TOO_MANY_FILES'],
    ['a byte over 2 MiB', [file('a', Buffer.alloc(2 * 1024 * 1024 + 1))], 'PAYLOAD_TOO_LARGE'],
    ['the same name twice', [file('a.txt'), file('a.txt')], 'INVALID_REQUEST'],
    ['a file where another has a folder', [file('a'), file('a/b')], 'INVALID_REQUEST'],
    ['a parent folder', [file('../a.txt')], 'INVALID_REQUEST'],
    ['an absolute name', [file('/etc/passwd')], 'INVALID_REQUEST'],
    ['a Windows name', [file('C:\\a.txt')], 'INVALID_REQUEST'],
    ['a reserved name', [file('_slipway/media/x')], 'FILE_TYPE_REFUSED'],
    ['a name that is reserved in its folder', [file('site/_slipway/x')], 'FILE_TYPE_REFUSED'],
    ['something called .zip that is none', [file('a.zip', 'no archive')], 'ARCHIVE_INVALID'],
  ])('%s', async (_, files, code) => {
    await expect(prepare({ files })).rejects.toMatchObject({ code });
  });

  test('accepts exactly 2 MiB', async () => {
    const upload = { files: [file('a', Buffer.alloc(2 * 1024 * 1024))] };
    expect(await prepare(upload)).toMatchObject({ bytes: 2 * 1024 * 1024 });
  });
});
