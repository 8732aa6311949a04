import { describe, expect, test } from '@jest/globals';
import { StoreId } from '../../../../../core/content/content-keys.ts';
import { incomingFiles } from '../../../../../core/content/prepare-upload.ts';
import type { StoredObject } from '../../../../../core/ports.ts';
import { knownFiles, noKnownFiles } from '../../../../../core/projects/publishing/known-files.ts';
import { filesInSparsePacks } from '../../../../../core/projects/publishing/sparse-packs.ts';
import { storeFiles } from '../../../../../core/projects/publishing/store-files.ts';
import { brotliPlace, filePlace, readFilePlace } from '../../../../../core/visit/file-place.ts';
import type { FileEntry, Manifest } from '../../../../../core/visit/manifest.ts';
import type { ByteRange } from '../../../../../core/visit/protocol/conditional-request.ts';
import { aProject } from '../../../../fixtures/projects/a-project.ts';

const projectId = aProject().id;
const [a, b] = [StoreId.parse('a1'), StoreId.parse('b2')];
const texts = (...paths: string[]) =>
  paths.map((path) => ({ path, bytes: Buffer.from(`text of ${path}`) }));
const script = Buffer.from('const answer = 42;\n'.repeat(4000));

/** Storage that counts what is read of it. */
function bucket() {
  const objects = new Map<string, Uint8Array>();
  const reads: (ByteRange | undefined)[] = [];
  return {
    objects,
    reads,
    put: async ({ key, bytes }: StoredObject) => void objects.set(key, bytes),
    get: async (key: string, range?: ByteRange) => {
      reads.push(range);
      return objects.get(key)?.subarray(range?.first, range && range.last + 1);
    },
    putLarge: async () => {
      throw new Error('no file of these tests is large');
    },
  };
}

type Files = ReturnType<typeof texts>;

/** Stores files as a first version, and then others as the next. */
async function twoVersions(first: Files, next: Files, carriedPaths: readonly string[] = []) {
  const content = bucket();
  const target = { projectId, isSite: false };
  const before = await storeFiles(
    content,
    { ...target, store: a, known: noKnownFiles },
    incomingFiles(first),
  );
  const known = knownFiles([{ store: a, files: before }]);
  const carried = new Map([...before].filter(([path]) => carriedPaths.includes(path)));
  const puts = content.objects.size;
  const entries = await storeFiles(
    content,
    { ...target, store: b, known, carried },
    incomingFiles(next),
  );
  return { content, before, entries, puts: content.objects.size - puts };
}

/** The text of a file of the second version. */
async function textOf(content: ReturnType<typeof bucket>, files: Manifest, path: string) {
  const entry = files.get(path);
  if (entry === undefined) return undefined;
  const bytes = await readFilePlace(content, filePlace({ projectId, store: b }, path, entry));
  return bytes && Buffer.from(bytes).toString();
}

describe('a push of which a pack of before keeps', () => {
  test('half of its bytes or more leaves the files there', async () => {
    const first = texts('a', 'b', 'c', 'd');
    const { before, entries, puts, content } = await twoVersions(first, texts('a', 'b', 'x', 'y'));
    expect(entries.get('a')).toEqual(before.get('a'));
    expect(entries.get('b')).toEqual(before.get('b'));
    expect([puts, content.reads]).toEqual([1, []]);
  });

  test('less than half stores them again, in the pack of the new files', async () => {
    const first = texts('a', 'b', 'c', 'd', 'e');
    const next = texts('x', 'a', 'b', 'y');
    const { content, entries, puts } = await twoVersions(first, next);
    const packs = new Set([...entries.values()].map(({ storedAt }) => storedAt));
    expect([packs.size, puts, content.reads.length]).toEqual([1, 1, 1]);
    expect([...packs][0]).toMatch(/^b2\/p[0-9a-f]{24}-36$/);
    for (const { path, bytes } of next) {
      expect(await textOf(content, entries, path)).toBe(bytes.toString());
    }
    expect([...entries.keys()]).toEqual(['x', 'a', 'b', 'y']);
  });

  test('a file with its brotli form alone stores both again, and compresses nothing', async () => {
    const large = { path: 'photo.jpg', bytes: Buffer.alloc(2 * script.length + 1, 'j') };
    const first = [{ path: 'app.js', bytes: script }, large];
    const { content, before, entries } = await twoVersions(first, [
      { path: 'app.js', bytes: script },
    ]);
    const entry = entries.get('app.js');
    if (entry?.brotliBytes === undefined) throw new Error('the brotli form was lost');
    expect(entry).toEqual({ ...before.get('app.js'), storedAt: entry.storedAt, offset: 0 });
    expect(entry.storedAt).toMatch(/^b2\/p/);
    const brotliOf = async (files: Manifest) => {
      const one = files.get('app.js') ?? entry;
      return readFilePlace(content, brotliPlace({ projectId, store: b }, 'app.js', one));
    };
    const [old, own] = [await brotliOf(before), await brotliOf(entries)];
    expect(Buffer.from(own ?? '').equals(old ?? Buffer.of())).toBe(true);
    expect(await textOf(content, entries, 'app.js')).toBe(script.toString());
  });
});

describe('a merge', () => {
  test('stores again what it carries over of a pack that it mostly leaves', async () => {
    const first = texts('a', 'b', 'c', 'd', 'e');
    const { content, entries } = await twoVersions(first, texts('c'), ['a']);
    expect([...entries.keys()].toSorted()).toEqual(['a', 'c']);
    for (const path of ['a', 'c']) {
      expect(entries.get(path)?.storedAt).toMatch(/^b2\/p[0-9a-f]{24}-18$/);
      expect(await textOf(content, entries, path)).toBe(`text of ${path}`);
    }
  });

  test('leaves what it carries over of one that it mostly keeps', async () => {
    const first = texts('a', 'b', 'c', 'd', 'e');
    const { entries, puts } = await twoVersions(first, texts('x'), ['a', 'b', 'c']);
    expect([...entries.keys()]).toEqual(['x']);
    expect(puts).toBe(1);
  });
});

test('a pack that was lost does not stop a push', async () => {
  const content = bucket();
  const target = { projectId, isSite: false };
  const storeIn = (store: StoreId, known = noKnownFiles, files: Files = []) =>
    storeFiles(content, { ...target, store, known }, incomingFiles(files));
  const before = await storeIn(a, noKnownFiles, texts('a', 'b', 'c'));
  content.objects.clear();
  const known = knownFiles([{ store: a, files: before }]);
  const entries = await storeIn(b, known, texts('a', 'x'));
  expect(entries.get('a')).toEqual(before.get('a'));
  expect(await textOf(content, entries, 'x')).toBe('text of x');
});

test('files far apart in a pack are read for themselves, near ones together', async () => {
  const filler = Array.from({ length: 6 }, (_, at) => ({
    path: `${at}.bin`,
    bytes: Buffer.alloc(100_000, at),
  }));
  const [one, two, three] = texts('1', '2', '3') as [Files[0], Files[0], Files[0]];
  const first = [one, two, ...filler, three];
  const { content, entries } = await twoVersions(first, [three, one, two]);
  expect(content.reads).toEqual([
    { first: 0, last: 17 },
    { first: 600_018, last: 600_026 },
  ]);
  for (const path of ['1', '2', '3']) {
    expect(await textOf(content, entries, path)).toBe(`text of ${path}`);
  }
});

test('two paths with the same bytes count once, an object of its own and an own pack not at all', () => {
  const pack = `a1/p${'0'.repeat(24)}-100`;
  const inPack = (size: number, offset: number, storedAt = pack) => ({
    size,
    hash: 'h',
    storedAt,
    offset,
  });
  const sparse = (...entries: Parameters<typeof inPack>[]) => {
    const files = new Map(entries.map((one, at) => [`${at}`, inPack(...one)]));
    return [...filesInSparsePacks(b, files).keys()];
  };
  expect(sparse([49, 0])).toEqual([pack]);
  expect(sparse([50, 0])).toEqual([]);
  expect(sparse([30, 0], [30, 30])).toEqual([]);
  expect(sparse([30, 0], [30, 0])).toEqual([pack]);
  expect(sparse([1, 0, `b2/p${'0'.repeat(24)}-100`])).toEqual([]);
  expect(filesInSparsePacks(b, new Map([['x', { size: 1, hash: 'h', storedAt: 'a1' }]]))).toEqual(
    new Map(),
  );
});

test('one version moves 256 MiB at most, the sparsest packs first', () => {
  const megabyte = 1024 * 1024;
  const packOf = (at: number) => `a1/p${String(at).padStart(24, '0')}-${32 * megabyte}`;
  const shown = (at: number, size: number): [string, FileEntry] => [
    `${at}.bin`,
    { size, hash: `h${at}`, storedAt: packOf(at), offset: 0 },
  ];
  const files = new Map([
    ...Array.from({ length: 20 }, (_, at) => shown(at, 15 * megabyte)),
    ...Array.from({ length: 10 }, (_, at) => shown(20 + at, 10 * megabyte)),
  ]);
  const moved = [...filesInSparsePacks(b, files).keys()];
  expect(moved).toHaveLength(20);
  expect(new Set(moved.slice(0, 10))).toEqual(
    new Set(Array.from({ length: 10 }, (_, at) => packOf(20 + at))),
  );
});
