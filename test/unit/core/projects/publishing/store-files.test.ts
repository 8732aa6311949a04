import { gzipSync } from 'node:zlib';
import { maxInlineBytes } from '../../../../../core/visit/decide-visit.ts';
import { describe, expect, test } from '@jest/globals';
import {
  contentHash,
  contentKey,
  uploadLocation,
  StoreId,
} from '../../../../../core/content/content-keys.ts';
import type { IncomingFile } from '../../../../../core/content/prepare-upload.ts';
import { captureText } from '../../../../../core/projects/publishing/capture-text.ts';
import { shownType } from '../../../../../core/visit/bundle-file.ts';
import type { ContentStore, StoredObject } from '../../../../../core/ports.ts';
import type { ByteRange } from '../../../../../core/visit/protocol/conditional-request.ts';
import { knownFiles, noKnownFiles } from '../../../../../core/projects/publishing/known-files.ts';
import {
  maxBufferedBytes,
  storeFiles,
} from '../../../../../core/projects/publishing/store-files.ts';
import { decodeManifest, encodeManifest } from '../../../../../core/visit/manifest.ts';
import { aProject } from '../../../../fixtures/projects/a-project.ts';

const projectId = aProject().id;
const store = StoreId.parse('b2');
const earlier = StoreId.parse('a1');
const keyOf = (path: string, at = store) => contentKey(projectId, uploadLocation(at, path));
const entryOf = (bytes: Buffer) => ({ size: bytes.length, hash: contentHash(bytes) });
const text = (path: string, content: string): IncomingFile => ({
  path,
  size: Buffer.byteLength(content),
  content: [Buffer.from(content)],
});

/** A large file in chunks of a MiB, and how many of them were asked for. */
function large(path: string, letter: string) {
  const chunk = Buffer.alloc(1024 * 1024, `${letter}\0`);
  const count = maxBufferedBytes / chunk.length + 1;
  const read = { chunks: 0 };
  async function* content() {
    for (; read.chunks < count; read.chunks += 1) yield chunk;
  }
  const bytes = Buffer.concat(Array.from({ length: count }, () => chunk));
  return { file: { path, size: bytes.length, content: content() }, bytes, read };
}

async function* upload(...files: IncomingFile[]): AsyncGenerator<IncomingFile> {
  yield* files;
}

/** Storage that remembers what it was given. */
class Bucket implements Pick<ContentStore, 'get' | 'put' | 'putLarge'> {
  readonly objects = new Map<string, Buffer>();
  readonly given = new Map<string, Omit<StoredObject, 'bytes'>>();
  underWay = 0;
  broken: string | undefined;

  async get(key: string, range?: ByteRange): Promise<Uint8Array | undefined> {
    return this.objects.get(key)?.subarray(range?.first, range && range.last + 1);
  }

  async put({ bytes, ...object }: StoredObject): Promise<void> {
    this.underWay += 1;
    // The first of many ends last.
    await new Promise((resolve) => setTimeout(resolve, 20 - this.underWay));
    this.underWay -= 1;
    if (object.key === this.broken) throw new Error('storage is broken');
    this.given.set(object.key, object);
    this.objects.set(object.key, Buffer.from(bytes));
  }

  async putLarge(
    object: Omit<StoredObject, 'bytes'>,
    content: AsyncIterable<Uint8Array>,
    isStillNeeded: () => boolean,
  ): Promise<void> {
    const chunks: Uint8Array[] = [];
    for await (const chunk of content) chunks.push(chunk);
    if (!isStillNeeded()) return;
    this.given.set(object.key, object);
    this.objects.set(object.key, Buffer.concat(chunks));
  }
}

const target = { projectId, store, known: noKnownFiles, isSite: true };

test('every file is stored under its own key, with its response headers', async () => {
  const bucket = new Bucket();
  const entries = await storeFiles(bucket, target, upload(text('a/page.html', '<h1>')));
  expect([...entries]).toEqual([['a/page.html', entryOf(Buffer.from('<h1>'))]]);
  expect([...bucket.given.values()]).toEqual([
    {
      key: keyOf('a/page.html'),
      contentType: 'text/html; charset=utf-8',
      contentDisposition: "inline; filename*=UTF-8''page.html",
      cacheTag: `p-${projectId}`,
    },
  ]);
});

test.each<[string, string, number, string, boolean?]>([
  ['a drawing of a site', 'a.svg', maxInlineBytes + 1, 'inline'],
  ['a drawing in a bundle', 'a.svg', maxInlineBytes + 1, 'attachment', false],
  ['a drawing that we send ourselves', 'a.svg', 10, 'inline'],
  ['a page of a site', 'a.html', maxInlineBytes + 1, 'inline'],
  ['a film', 'a.mp4', maxInlineBytes + 1, 'inline'],
  ['a page in a bundle', 'a.html', maxInlineBytes + 1, 'attachment', false],
])(
  'storage serves %s, %s of %i bytes, as %s',
  async (_, name, size, disposition, isSite = true) => {
    const bucket = new Bucket();
    await storeFiles(bucket, { ...target, isSite }, upload(text(name, 'x'.repeat(size))));
    const [object] = bucket.given.values();
    expect(object?.contentDisposition).toMatch(new RegExp(`^${disposition};`));
  },
);

test('entries keep the order of the upload, whichever file is stored first', async () => {
  const names = ['c', 'a', 'e', 'b', 'd'].map((name) => `${name}.txt`);
  const big = large('z.bin', 'z');
  const files = [...names.map((name) => text(name, name)), big.file, text('last.txt', 'x')];
  const entries = await storeFiles(new Bucket(), target, upload(...files));
  expect([...entries.keys()]).toEqual([...names, 'z.bin', 'last.txt']);
  const small = [...names, 'last.txt'];
  const pack = expect.stringMatching(/^b2\/p[0-9a-f]{24}-26$/);
  const inPack = small.map((name, at) => ({
    ...entryOf(Buffer.from(name === 'last.txt' ? 'x' : name)),
    storedAt: pack,
    offset: at * 5,
  }));
  expect(small.map((name) => entries.get(name))).toEqual(inPack);
});

test('reports every file once, stored or not', async () => {
  const sizes: number[] = [];
  const known = knownFiles([
    { store: earlier, files: new Map([['a.txt', entryOf(Buffer.from('aa'))]]) },
  ]);
  const onStored = ({ size }: { size: number }) => void sizes.push(size);
  const files = upload(text('a.txt', 'aa'), text('b.txt', 'bbb'), large('c.bin', 'c').file);
  await storeFiles(new Bucket(), { ...target, known, onStored }, files);
  expect(sizes.toSorted((a, b) => a - b)).toEqual([2, 3, maxBufferedBytes + 1024 * 1024]);
});

/** Formats without a viewer: registered ones, one that nobody knows, and one of programs. */
test.each(['dxf', 'opml', 'eps', 'ttml', 'fmt', 'bin'])(
  'a .%s file of text is text in a bundle as it is alone, in any encoding, small and large',
  async (extension) => {
    const path = `a.${extension}`;
    const body = '<?xml version="1.0"?>\n<a>Tides</a>\n';
    const contents = [
      Buffer.from(body),
      Buffer.from(`\uFEFF${body}`, 'utf16le'),
      Buffer.from(body.repeat(maxBufferedBytes / body.length + 1)),
      Buffer.from('\0ELF'),
    ];
    for (const bytes of contents) {
      const upload = { type: 'files', home: null, fileCount: 1, mayBeText: true } as const;
      async function* one() {
        yield { path, size: bytes.length, content: [bytes] };
      }
      const captured = captureText(upload, one());
      const target = { projectId, store, known: noKnownFiles, isSite: false };
      const entries = await storeFiles(new Bucket(), target, captured.files);
      const shown = shownType({ type: 'files', home: null }, path, entries.get(path) ?? {});
      expect([shown, captured.text()?.type ?? 'files']).toEqual(
        bytes[0] === 0 ? ['files', 'files'] : ['code', 'code'],
      );
    }
  },
);

test('a file whose name does not say what it is is text if its bytes are', async () => {
  const files = await storeFiles(
    new Bucket(),
    { projectId, store, known: noKnownFiles, isSite: true },
    upload(
      text('LICENSE', 'Apache\n'),
      text('docs/yarn.lock', '# é'),
      text('CNAME', ''),
      text('program', '\0ELF'),
      text('a.bin', 'text'),
      text('a.html', 'text'),
    ),
  );
  const texts = [...files].filter(([, { isText }]) => isText === true).map(([path]) => path);
  expect(texts).toEqual(['LICENSE', 'docs/yarn.lock', 'a.bin']);
});

test('a video named as TypeScript is a video, small and large', async () => {
  const bucket = new Bucket();
  const target = { projectId, store, known: noKnownFiles, isSite: true };
  const packet = Buffer.concat([Buffer.of(0x47, 0x40, 0x11, 0x10), Buffer.alloc(184)]);
  const segment = Buffer.concat(Array.from({ length: 50_000 }, () => packet));
  const files = await storeFiles(
    bucket,
    target,
    upload(
      { path: 'hls/1.ts', size: packet.length, content: [packet] },
      { path: 'hls/2.ts', size: segment.length, content: [packet, segment.subarray(188)] },
      text('src/a.ts', 'Game.start();'),
    ),
  );
  expect(files.get('hls/1.ts')).toMatchObject({ isVideo: true });
  expect(files.get('hls/2.ts')).toMatchObject({ isVideo: true, size: segment.length });
  expect(files.get('src/a.ts')).not.toHaveProperty('isVideo');
  expect(bucket.given.get(keyOf('hls/2.ts'))).toMatchObject({ contentType: 'video/mp2t' });
  expect(bucket.objects.get(keyOf('hls/2.ts'))?.equals(segment)).toBe(true);
  expect(decodeManifest(encodeManifest(files))).toEqual(files);
});

describe.each([
  ['beyond what a function sends', 5],
  ['beyond what is buffered', 9],
])('a compressed file %s', (_, megabytes) => {
  const bytes = gzipSync(Buffer.alloc(megabytes * 1024 * 1024), { level: 0 });
  const loaded = { contentType: 'application/wasm', contentEncoding: 'gzip' };
  const download = { contentType: 'application/gzip' };

  test.each([
    ['of a site has its coding', 'game.wasm.gz', true, loaded],
    ['of a bundle is a download', 'game.wasm.gz', false, download],
    ['that no page loads is a download', 'table.csv.gz', true, download],
  ])('%s', async (_name, path, isSite, headers) => {
    const bucket = new Bucket();
    const file = { path, size: bytes.length, content: [bytes] };
    await storeFiles(bucket, { ...target, isSite }, upload(file));
    const given = bucket.given.get(keyOf(path));
    expect(given).toMatchObject(headers);
    expect(given?.contentEncoding).toBe('contentEncoding' in headers ? 'gzip' : undefined);
  });
});

describe('a file that the project has already', () => {
  const known = knownFiles([
    { store: earlier, files: new Map([['old/a.txt', entryOf(Buffer.from('same'))]]) },
  ]);

  test.each([
    ['old/a.txt', 'same', { storedAt: 'a1' }],
    ['new/a.txt', 'same', { storedAt: uploadLocation(earlier, 'old/a.txt') }],
  ])('as %s is not stored again', async (path, content, where) => {
    const bucket = new Bucket();
    const entries = await storeFiles(bucket, { ...target, known }, upload(text(path, content)));
    expect(entries.get(path)).toEqual({ ...entryOf(Buffer.from(content)), ...where });
    expect(bucket.objects.size).toBe(0);
  });

  test.each([
    ['old/a.txt', 'diff'],
    ['old/b.txt', 'same'],
    ['old/a.md', 'same'],
  ])('is not %s with the content %s', async (path, content) => {
    const bucket = new Bucket();
    const entries = await storeFiles(bucket, { ...target, known }, upload(text(path, content)));
    expect(entries.get(path)).toEqual(entryOf(Buffer.from(content)));
    expect([...bucket.objects.keys()]).toEqual([keyOf(path)]);
  });
});

test.each([
  ['a.html', true],
  ['a.svg', true],
  ['a.bin', false],
])('a large %s is stored again by each version: %s', async (name, isAgain) => {
  const content = '\0x'.repeat(maxInlineBytes);
  const entry = entryOf(Buffer.from(content));
  const known = knownFiles([{ store: earlier, files: new Map([[name, entry]]) }]);
  const bucket = new Bucket();
  const entries = await storeFiles(bucket, { ...target, known }, upload(text(name, content)));
  // With its brotli form.
  expect(bucket.objects.size).toBe(isAgain ? 2 : 0);
  const again = { ...entry, brotliBytes: expect.any(Number) };
  expect(entries.get(name)).toEqual(isAgain ? again : { ...entry, storedAt: 'a1' });
});

describe('a large file', () => {
  test('is stored while it is read, and hashed at the same time', async () => {
    const { file, bytes, read } = large('film.bin', 'f');
    let readBeforeFirst = -1;
    const bucket = new Bucket();
    const content = bucket.putLarge.bind(bucket);
    bucket.putLarge = async (object, chunks, isStillNeeded) => {
      const watched = async function* () {
        for await (const chunk of chunks) {
          if (readBeforeFirst < 0) readBeforeFirst = read.chunks;
          yield chunk;
        }
      };
      await content(object, watched(), isStillNeeded);
    };
    const entries = await storeFiles(bucket, target, upload(file));
    expect(readBeforeFirst).toBe(0);
    expect(entries.get('film.bin')).toEqual(entryOf(bytes));
    expect(bucket.objects.get(keyOf('film.bin'))?.equals(bytes)).toBe(true);
  });

  test('that the project has already is not stored twice', async () => {
    const { file, bytes } = large('film.bin', 'f');
    const known = knownFiles([{ store: earlier, files: new Map([['film.bin', entryOf(bytes)]]) }]);
    const bucket = new Bucket();
    const entries = await storeFiles(bucket, { ...target, known }, upload(file));
    expect(entries.get('film.bin')).toEqual({ ...entryOf(bytes), storedAt: 'a1' });
    expect(bucket.objects.size).toBe(0);
  });
});

describe('a failure', () => {
  const many = Array.from({ length: 12 }, (_, index) => text(`${index}.txt`, `${index}`));

  test('of storage leaves no write running', async () => {
    const bucket = new Bucket();
    const alone = text('broken.mp4', 'x'.repeat(maxInlineBytes + 1));
    bucket.broken = keyOf('broken.mp4');
    const files = upload(...many, alone, ...many);
    await expect(storeFiles(bucket, target, files)).rejects.toThrow('storage is broken');
    expect(bucket.underWay).toBe(0);
    const stored = bucket.objects.size;
    await new Promise((resolve) => setTimeout(resolve, 40));
    expect(bucket.objects.size).toBe(stored);
  });

  test('of the upload leaves no write running', async () => {
    const bucket = new Bucket();
    async function* files() {
      yield* many;
      throw new Error('the archive is damaged');
    }
    await expect(storeFiles(bucket, target, files())).rejects.toThrow('the archive is damaged');
    expect(bucket.underWay).toBe(0);
  });

  test.each([
    ['shorter', 9],
    ['longer', 1],
  ])('is content %s than its declared size', async (_, size) => {
    const lying = { path: 'a.txt', size, content: [Buffer.from('four')] };
    const bucket = new Bucket();
    await expect(storeFiles(bucket, target, upload(lying))).rejects.toThrow();
    expect(bucket.objects.size).toBe(0);
  });

  test.each([
    ['shorter', 1],
    ['longer', -1],
  ])('is a large file %s than its declared size', async (_, more) => {
    const { file } = large('film.bin', 'f');
    const bucket = new Bucket();
    const lying = { ...file, size: file.size + more };
    await expect(storeFiles(bucket, target, upload(lying))).rejects.toThrow();
    expect(bucket.objects.size).toBe(0);
  });
});
