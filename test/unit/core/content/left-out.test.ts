import { describe, expect, test } from '@jest/globals';
import { ignoredPaths } from '../../../../core/content/left-out/ignore-patterns.ts';
import { prepareStored } from '../../../../core/content/prepare-stored-upload.ts';
import { privatePaths } from '../../../../core/content/left-out/sift-paths.ts';
import { filesByCheckedPath, prepareUpload } from '../../../../core/content/prepare-upload.ts';
import type { UploadOptions } from '../../../../core/content/choose-home.ts';
import { bytesSource } from '../../../../core/content/zip/byte-source.ts';
import { buildZip } from '../../../fixtures/archives/zip-builder.ts';

const limits = { maxParts: 5, maxBytes: 200_000, maxArchiveEntries: 5, maxArchiveBytes: 400_000 };

type Sent = Readonly<Record<string, string>>;
const named = (...paths: string[]): Sent => Object.fromEntries(paths.map((path) => [path, 'x']));
const zipOf = (sent: Sent) =>
  buildZip({ entries: Object.entries(sent).map(([name, content]) => ({ name, content })) });
const fileOf = (name: string, content: string | Uint8Array) => ({
  name,
  contentType: '',
  bytes: Buffer.from(content),
});
const partOf = (path: string, content: string | Uint8Array) => ({
  path,
  source: bytesSource(Buffer.from(content)),
});

/** Every way in which the files of an upload may arrive. */
const ways = {
  'parts of a form': (sent: Sent, options: UploadOptions) =>
    prepareUpload({ files: Object.entries(sent).map((one) => fileOf(...one)), ...options }, limits),
  'a ZIP in the request': (sent: Sent, options: UploadOptions) =>
    prepareUpload({ files: [fileOf('a.zip', zipOf(sent))], ...options }, limits),
  'files in storage': (sent: Sent, options: UploadOptions) => {
    const files = Object.entries(sent).map((one) => partOf(...one));
    return prepareStored({ kind: 'files', files }, options, limits);
  },
  'a ZIP in storage': (sent: Sent, options: UploadOptions) => {
    const files = [partOf('archive.zip', zipOf(sent))];
    return prepareStored({ kind: 'archive', files }, options, limits);
  },
};

async function publish(way: keyof typeof ways, sent: Sent, options: UploadOptions = {}) {
  const upload = await ways[way](sent, options);
  const { warnings = [], home } = upload;
  const published: string[] = [];
  for await (const { path, content } of upload.files()) {
    for await (const _ of content);
    published.push(path);
  }
  const leftOut = warnings.flatMap((one) => (one.kind === 'left-out' ? [one] : []));
  return { published, home, leftOut };
}

const all = Object.keys(ways) as (keyof typeof ways)[];

describe.each(all)('of an upload as %s', (way) => {
  test.each<[string, Sent, published: string[], leftOut: string[]]>([
    [
      'hidden files and folders',
      named('index.html', '.env', '.git/config', 'a/.ssh/id_rsa', '.well-known/security.txt'),
      ['index.html', '.well-known/security.txt'],
      ['.env', '.git/config', 'a/.ssh/id_rsa'],
    ],
    [
      'packages and what systems make',
      named('index.html', 'node_modules/a/i.js', '__MACOSX/._a', 'b/Thumbs.db', 'Desktop.ini'),
      ['index.html'],
      ['Desktop.ini', '__MACOSX/._a', 'b/Thumbs.db', 'node_modules/a/i.js'],
    ],
    [
      'what is hidden in the top folder',
      named('site/index.html', 'site/a.css', 'site/.env', 'site/.vscode/a.json'),
      ['index.html', 'a.css'],
      ['.env', '.vscode/a.json'],
    ],
    [
      'what is beside the top folder',
      named('site/index.html', 'site/a.css', '__MACOSX/site/._a.css', '.DS_Store'),
      ['index.html', 'a.css'],
      ['.DS_Store', '__MACOSX/site/._a.css'],
    ],
    [
      'only what is hidden below a hidden top folder',
      named('.output/public/index.html', '.output/nitro.json', '.output/.cache/x'),
      ['public/index.html', 'nitro.json'],
      ['.cache/x'],
    ],
    ['no file alone', named('.env'), ['.env'], []],
    ['nothing if all is hidden', named('.env', '.npmrc'), ['.env', '.npmrc'], []],
    ['no name that only looks hidden', named('a.env', 'b..txt', 'node_modules.md'), [], []],
  ])('leaves out %s', async (_, sent, published, leftOut) => {
    const result = await publish(way, sent);
    expect(result.published).toEqual(published.length === 0 ? Object.keys(sent) : published);
    const count = leftOut.length;
    const warning = { kind: 'left-out', count, paths: leftOut, message: expect.anything() };
    expect(result.leftOut).toEqual(count === 0 ? [] : [warning]);
  });

  test('publishes all of it with includeHidden', async () => {
    const sent = {
      ...named('index.html', '.env', 'node_modules/a.js', 'b.psd'),
      '.surgeignore': '*.psd',
    };
    const { published, leftOut } = await publish(way, sent, { includeHidden: true });
    expect(published).toEqual(['index.html', '.env', 'node_modules/a.js', 'b.psd']);
    expect(leftOut).toEqual([]);
  });

  test('leaves out what its ignore file names, and never publishes that', async () => {
    const ignore = '*.psd\n/src/\n!src/a.html\n';
    const sent = named('site/index.html', 'site/a.psd', 'site/src/a.html', 'site/b/src/b.css');
    const result = await publish(way, { ...sent, 'site/.slipwayignore': ignore });
    expect(result.published).toEqual(['index.html', 'b/src/b.css']);
    expect(result.leftOut).toMatchObject([{ count: 2, paths: ['a.psd', 'src/a.html'] }]);
  });

  test('follows one ignore file, and never .gitignore', async () => {
    const sent = {
      ...named('index.html', 'dist/a.js', 'b.psd'),
      '.gitignore': 'dist',
      '.slipwayignore': '',
      '.vercelignore': '*',
    };
    const { published, leftOut } = await publish(way, sent);
    expect(published).toEqual(['index.html', 'dist/a.js', 'b.psd']);
    expect(leftOut).toMatchObject([{ count: 1, paths: ['.gitignore'] }]);
  });

  test('counts the files that remain, not those that were sent', async () => {
    const hidden = Array.from({ length: 40 }, (_, at) => `.git/${at}`);
    const pages = ['index.html', ...Array.from({ length: 4 }, (_, at) => `${at}.css`)];
    const { published, leftOut } = await publish(way, named(...hidden, ...pages));
    expect(published).toEqual(pages);
    expect(leftOut).toMatchObject([{ count: 40 }]);
    expect(leftOut[0]?.paths).toHaveLength(20);
    await expect(publish(way, named('.env', ...pages, 'a.js'))).rejects.toMatchObject({
      code: 'TOO_MANY_FILES',
    });
    await expect(
      publish(way, named('.env', ...pages), { includeHidden: true }),
    ).rejects.toMatchObject({
      code: 'TOO_MANY_FILES',
    });
  });

  test('asks for no home page because of a hidden one', async () => {
    const sent = named('index.html', 'node_modules/a/demo.html', '.cache/b.html');
    expect(await publish(way, sent)).toMatchObject({ home: 'index.html' });
  });

  test.each([
    ['is too large', '#'.repeat(66_000)],
    ['takes too many steps', '*[bc]\n'.repeat(10_000)],
  ])('refuses an ignore file that %s', async (_, ignore) => {
    const names = [1, 2, 3, 4].map((at) => 'a'.repeat(900) + at);
    const sent = { ...named(...names), '.slipwayignore': ignore };
    await expect(publish(way, sent)).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
  });
});

test('a ZIP with a hostile file among those that are left out is refused whole', async () => {
  for (const way of ['a ZIP in the request', 'a ZIP in storage'] as const) {
    const sent = named('index.html', '.git/../../x');
    await expect(publish(way, sent)).rejects.toMatchObject({ code: 'ARCHIVE_INVALID' });
  }
});

describe('files that go into a live version', () => {
  const merge = (sent: Sent, options: UploadOptions = {}) =>
    filesByCheckedPath(
      Object.entries(sent).map((one) => fileOf(...one)),
      options,
      limits,
    );

  test('keep their paths, without those that are left out', async () => {
    const sent = named('blog/a.html', 'blog/.env');
    const { warnings, ...files } = await merge(sent);
    expect([...files.sent.keys()]).toEqual(['blog/a.html']);
    expect(warnings).toMatchObject([{ kind: 'left-out', count: 1, paths: ['blog/.env'] }]);
    const whole = await merge(sent, { includeHidden: true });
    expect([...whole.sent.keys()]).toEqual(['blog/a.html', 'blog/.env']);
  });

  test('are what was sent, if that is one', async () => {
    expect([...(await merge(named('.htaccess'))).sent.keys()]).toEqual(['.htaccess']);
  });
});

/** What `git check-ignore --no-index` says. */
test.each<[pattern: string, ignored: string[], others: string[]]>([
  ['a', ['a', 'a/b', 'c/a', 'c/a/b'], ['ab', 'ba', 'b/ca']],
  ['/a', ['a', 'a/b'], ['c/a']],
  ['a/', ['a/b', 'c/a/b'], ['a', 'c/a']],
  ['a/b', ['a/b', 'a/b/c'], ['c/a/b', 'a/bb']],
  ['*.log', ['a.log', 'b/c.log', '.log'], ['a.logs', 'log']],
  ['a*b?', ['abc', 'axxbc', 'd/abb'], ['ab', 'axb']],
  ['**/a/b', ['a/b', 'c/a/b', 'c/d/a/b'], ['a/c/b']],
  ['a/**/b', ['a/b', 'a/c/b', 'a/c/d/b'], ['c/a/b', 'a/bc']],
  ['a/**', ['a/b', 'a/b/c'], ['a', 'b/a/c']],
  ['a/*', ['a/b', 'a/b/c'], ['a', 'c/a/b']],
  ['[a-c]x', ['ax', 'CX', 'd/bx'], ['dx', 'x']],
  ['[!a-c]x', ['dx'], ['ax', 'x']],
  ['[]]x', [']x'], ['x']],
  ['\\#a', ['#a'], ['a', '\\#a']],
  ['# a', [], ['a', '# a']],
  ['\\!a', ['!a'], ['a']],
  ['a\\*', ['a*'], ['ab']],
  ['a   ', ['a'], ['a   ']],
  ['a\\ ', ['a '], ['a']],
  ['README', ['readme', 'b/Readme'], ['readme.md']],
  ['*.md\n!keep.md', ['a.md'], ['keep.md', 'a/keep.md']],
  ['a\n!a/keep', ['a/keep', 'a/b'], ['keep']],
  ['a/*\n!a/keep', ['a/b'], ['a/keep']],
  ['\uFEFFa\r\nb\r\n', ['a', 'b'], ['c']],
  ['[a', [], ['[a', 'a']],
  ['a\\', [], ['a', 'a\\']],
  ['\n/\n//\n', [], ['a']],
])('%j ignores %j and not %j', (patterns, ignored, others) => {
  for (const path of ignored) expect(ignoredPaths(patterns, [path])).toEqual(new Set([path]));
  for (const path of others) expect(ignoredPaths(patterns, [path])).toEqual(new Set());
});

test('files that hardly anybody means to publish are known by their names', () => {
  const bad = [
    '.env',
    'api/.env.production',
    '.git/config',
    '.ssh/config',
    'id_rsa',
    'a/id_ed25519',
    'tls/server.pem',
    'x.p12',
  ];
  const good = [
    '.env.example',
    'environment.md',
    'talk.key',
    '.well-known/x',
    'id_rsa.pub.md',
    'git/a',
    'pem.html',
  ];
  expect(privatePaths([...bad, ...good])).toEqual(bad);
});
