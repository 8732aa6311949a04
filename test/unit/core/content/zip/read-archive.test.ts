import { hash } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import JSZip from 'jszip';
import { checkPath, findCollision } from '../../../../../core/content/safe-path.ts';
import { CodedError } from '../../../../../core/errors.ts';
import {
  type Archive,
  archiveReaders,
  readArchive,
} from '../../../../fixtures/archives/archive-readers.ts';
import {
  buildZip,
  bytesOf,
  concat,
  type EntrySpec,
  extraField,
  unicodePath,
  type ZipSpec,
  zip64Extra,
} from '../../../../fixtures/archives/zip-builder.ts';
import { proofSize } from '../../../../fixtures/proof-size.ts';

const limits = { maxEntries: 500, maxTotalBytes: 10_000_000 };
const wide = 0xffff_ffff;
const wideSizes = { bytes: wide, compressedBytes: wide };

/** What every way to read the archive gives: the same files, or refusals with the same code. */
async function read(zip: Uint8Array, readers = archiveReaders): Promise<Record<string, string>> {
  const [first, ...others] = await Promise.allSettled(
    readers.map(([, readBy]) => readBy(zip, limits)),
  );
  if (first === undefined) throw new Error('Nothing reads archives.');
  for (const other of others) expect(comparable(other)).toEqual(comparable(first));
  if (first.status === 'rejected') throw first.reason;
  const { files } = first.value;
  return Object.fromEntries(files.map(({ path, bytes }) => [path, Buffer.from(bytes).toString()]));
}

function comparable(outcome: PromiseSettledResult<Archive>): unknown {
  if (outcome.status === 'rejected') return outcome.reason.code ?? outcome.reason;
  const { files, topFolder } = outcome.value;
  return { topFolder, files: files.map(({ path, bytes }) => [path, hash('sha256', bytes)]) };
}

describe('a valid archive is read exactly', () => {
  const hello = { name: 'a.txt', content: 'hello' };
  const sound: [string, Partial<EntrySpec>, Partial<ZipSpec>?][] = [
    ['stored', {}],
    ['deflated', { method: 8 }],
    ['deflated, with a descriptor', { method: 8, descriptor: 'signed' }],
    ['stored, with a descriptor', { descriptor: 'signed' }],
    ['with a descriptor without signature', { method: 8, descriptor: 'plain' }],
    ['with a wide descriptor', { method: 8, descriptor: 'signedWide' }],
    ['with a wide descriptor without signature', { method: 8, descriptor: 'plainWide' }],
    [
      'as streamed by Python and Info-ZIP, with a ZIP64 local header',
      { method: 8, descriptor: 'signedWide', local: wideSizes, localExtra: zip64Extra(0, 0) },
    ],
    ['with a ZIP64 end record', {}, { zip64: {} }],
    [
      'with a ZIP64 end record and a plain one that agree',
      {},
      { zip64: {}, end: { disk: 0, directoryDisk: 0, count: 1, countHere: 1 } },
    ],
    [
      'with a ZIP64 end record before the longest comment',
      {},
      { zip64: {}, comment: new Uint8Array(0xffff) },
    ],
    ['with a ZIP64 size', { central: { bytes: wide }, extra: zip64Extra(5) }],
    ['with ZIP64 sizes', { central: wideSizes, extra: zip64Extra(5, 5) }],
    ['with a ZIP64 offset', { central: { localHeaderAt: wide }, extra: zip64Extra(0) }],
    ['as Go writes ZIP64, with a field more', { central: wideSizes, extra: zip64Extra(5, 5, 0) }],
    [
      'with ZIP64 sizes in both headers',
      {
        central: wideSizes,
        extra: zip64Extra(5, 5),
        local: wideSizes,
        localExtra: zip64Extra(5, 5),
      },
    ],
    [
      'with other extra fields',
      {
        extra: extraField(0x5455, bytesOf('12345')),
        localExtra: extraField(0x7875, bytesOf('123')),
      },
    ],
    ['with a Unicode Path of the same name', { extra: unicodePath('a.txt', 'a.txt') }],
    ['with a Unix mode', { mode: 0o100644 }],
    ['with permissions but no file type', { mode: 0o644 }],
    ['with comments', { comment: bytesOf('of the entry') }, { comment: bytesOf('of the archive') }],
  ];

  test.each(sound)('%s', async (_, entry, spec = {}) => {
    const zip = buildZip({ entries: [{ ...hello, ...entry }], ...spec });
    expect(await read(zip)).toEqual({ 'a.txt': 'hello' });
  });

  test.each([
    ['stored', { method: 0 }],
    ['deflated', { method: 8 }],
    ['deflated to nothing', { method: 8, data: new Uint8Array() }],
    ['with a descriptor', { method: 8, descriptor: 'signed' as const }],
  ])('an empty file, %s', async (_, entry) => {
    expect(await read(buildZip({ entries: [{ name: 'a', content: '', ...entry }] }))).toEqual({
      a: '',
    });
  });

  test('names in UTF-8 with and without the flag, and in CP437', async () => {
    const zip = buildZip({
      entries: [
        { name: 'дом.txt', flags: 0x800, content: '1' },
        { name: 'café.txt', content: '2' },
        { name: Uint8Array.of(0x81, 0x62, 0x65, 0x72), content: '3' },
      ],
    });
    expect(await read(zip)).toEqual({ 'дом.txt': '1', 'café.txt': '2', über: '3' });
  });

  test('a CP437 name with an equal Unicode Path', async () => {
    const name = Uint8Array.of(0x81, 0x62, 0x65, 0x72);
    const zip = buildZip({ entries: [{ name, extra: unicodePath(name, 'über'), content: '1' }] });
    expect(await read(zip)).toEqual({ über: '1' });
  });

  test('the name of a Unicode Path that belongs to the header, as WinRAR and 7-Zip write it', async () => {
    // `привет.html` in CP866, the code page of a Russian Windows; it has a byte that is a backslash elsewhere.
    const name = Uint8Array.of(0xaf, 0xe0, 0xa8, 0xa2, 0xa5, 0xe2, 0x2e, 0x68, 0x74, 0x6d, 0x6c);
    const extra = unicodePath(name, 'привет.html');
    const both = buildZip({ entries: [{ name, extra, localExtra: extra, content: '1' }] });
    expect(await read(both)).toEqual({ 'привет.html': '1' });
    const central = buildZip({ entries: [{ name, extra, content: '1' }] });
    expect(await read(central)).toEqual({ 'привет.html': '1' });
  });

  test('two entries whose Unicode Paths are one path are refused', async () => {
    const entries = ['a.txt', 'b.txt'].map((name) => ({ name, extra: unicodePath(name, 'c.txt') }));
    await expect(read(buildZip({ entries }))).rejects.toMatchObject({ code: 'ARCHIVE_INVALID' });
  });

  test('what `echo … | zip - -` writes: an entry of a pipe, with ZIP64 fields and a descriptor', async () => {
    const zip = Buffer.from(
      'UEsDBC0ACAAIABRfdl0AAAAA//////////8BABQALQEAEAAAAAAAAAAAAAAAAAAAAAAAsymwy8jkAgBQSwcIQKpyOQgAAAAAAAAABgAAAAAAAABQSwECHgMtAAgACAAUX3ZdQKpyOQgAAAAGAAAAAQAAAAAAAAABAAAAgBEAAAAALVBLBQYAAAAAAQABAC8AAABTAAAAAAA=',
      'base64',
    );
    expect(await read(zip)).toEqual({ '-': '<p>hi\n' });
    const lie = Buffer.from(zip);
    lie.writeUInt8(7, lie.indexOf('PK\x07\x08') + 16);
    await expect(read(lie)).rejects.toMatchObject({ code: 'ARCHIVE_INVALID' });
  });

  test('names that begin with `./`, and the folder of all of them, as bsdtar writes them', async () => {
    const names = ['./', './site/', './site/index.html', './site/.well-known/a', '././site/b'];
    const entries = names.map((name) => ({ name, content: name.endsWith('/') ? '' : '1' }));
    const below = { 'index.html': '1', '.well-known/a': '1', b: '1' };
    expect(await read(buildZip({ entries }))).toEqual(below);
    const files = entries.filter(({ name }) => !name.endsWith('/'));
    expect(await read(buildZip({ entries: files }))).toEqual(below);
  });

  test.each([
    ['one path with and without it', ['./a', 'a']],
    ['a parent behind it', ['./../a']],
    ['a folder with content', ['./']],
  ])('is refused: %s', async (_, names) => {
    const zip = buildZip({ entries: names.map((name) => ({ name, content: '1' })) });
    await expect(read(zip)).rejects.toMatchObject({ code: 'ARCHIVE_INVALID' });
  });

  test('decomposed names, as macOS writes them, are returned in NFC', async () => {
    const zip = buildZip({ entries: [{ name: 'cafe\u0301', flags: 0x800, content: '1' }] });
    expect(await read(zip)).toEqual({ 'caf\u00e9': '1' });
  });

  test('a folder that is listed composed and decomposed is one folder', async () => {
    const names = ['caf\u00e9/', 'cafe\u0301/', 'caf\u00e9/a', 'cafe\u0301/b'];
    const entries = names.map((name) => ({
      name,
      flags: 0x800,
      content: name.endsWith('/') ? '' : '1',
    }));
    expect(await read(buildZip({ entries }))).toEqual({ a: '1', b: '1' });
  });

  test('names that are special to JavaScript are plain names', async () => {
    const names = ['__proto__', 'constructor', 'toString', 'f'];
    const zip = buildZip({ entries: names.map((name) => ({ name, content: name })) });
    const { files } = await readArchive(zip, limits);
    expect(files.map(({ path, bytes }) => [path, Buffer.from(bytes).toString()])).toEqual(
      names.map((name) => [name, name]),
    );
  });

  test('files are in the order of the directory, for any order of their data', async () => {
    const [first, second] = [
      { name: 'b', content: '1' },
      { name: 'a', content: '2' },
    ];
    const offset = 30 + 1 + 1;
    const zip = buildZip({
      entries: [
        { ...first, central: { localHeaderAt: 0 } },
        { ...second, central: { localHeaderAt: offset } },
      ],
    });
    const swapped = buildZip({ entries: [first, second] });
    const directoryAt = 2 * offset;
    const records = [
      swapped.slice(directoryAt, directoryAt + 47),
      swapped.slice(directoryAt + 47, directoryAt + 94),
    ];
    swapped.set(concat(records.reverse()), directoryAt);
    expect((await readArchive(zip, limits)).files.map(({ path }) => path)).toEqual(['b', 'a']);
    expect((await readArchive(swapped, limits)).files.map(({ path }) => path)).toEqual(['a', 'b']);
    expect(await read(swapped)).toEqual({ b: '1', a: '2' });
  });

  test('a ZIP stored inside as the last file, end record and all', async () => {
    const inner = buildZip({ entries: [hello], comment: bytesOf('inner') });
    const {
      files: [file],
    } = await readArchive(buildZip({ entries: [{ name: 'x.zip', content: inner }] }), limits);
    expect(file?.bytes).toEqual(inner);
  });

  test('a view into a larger buffer', async () => {
    const zip = buildZip({ entries: [hello] });
    const larger = concat([bytesOf('before'), zip, bytesOf('after')]);
    expect(await read(larger.subarray(6, 6 + zip.length))).toEqual({ 'a.txt': 'hello' });
    expect(await read(Buffer.from(zip))).toEqual({ 'a.txt': 'hello' });
  });

  test('exactly as many files and bytes as allowed', async () => {
    const zip = buildZip({
      entries: [
        { name: 'a', content: 'xy' },
        { name: 'b', content: 'z' },
        { name: 'c/', content: '' },
      ],
    });
    const { files } = await readArchive(zip, { maxEntries: 2, maxTotalBytes: 3 });
    expect(files).toHaveLength(2);
    await expect(readArchive(zip, { maxEntries: 1, maxTotalBytes: 3 })).rejects.toMatchObject({
      code: 'TOO_MANY_FILES',
    });
    await expect(readArchive(zip, { maxEntries: 2, maxTotalBytes: 2 })).rejects.toMatchObject({
      code: 'ARCHIVE_INVALID',
    });
  });
});

describe('dropped entries', () => {
  const pathsOf = async (...names: string[]) =>
    Object.keys(await read(buildZip({ entries: names.map((name) => ({ name })) })));

  test.each([
    ['one common top folder', ['site/', 'site/a', 'site/b/c'], ['a', 'b/c']],
    ['only one level of it', ['x/y/a', 'x/y/b'], ['y/a', 'y/b']],
    ['the folder of a single file', ['x/a'], ['a']],
    ['the folder beside what is dropped', ['x/a', '__MACOSX/x/._a', '.DS_Store'], ['a']],
    ['no folder when a file lies beside it', ['x/a', 'b'], ['x/a', 'b']],
    ['no folder when names only begin alike', ['site/a', 'site2/b'], ['site/a', 'site2/b']],
    ['no folder that differs by case', ['X/a', 'x/b'], ['X/a', 'x/b']],
    ['.DS_Store at any depth', ['a', '.DS_Store', 'b/.DS_Store'], ['a']],
    ['every hidden file', ['a', '.htaccess', 'Thumbs.db', 'b/__MACOSX/c'], ['a']],
    ['nothing if all is hidden', ['__MACOSX/._a', 'x/.DS_Store'], ['__MACOSX/._a', 'x/.DS_Store']],
  ])('%s', async (_, names, paths) => {
    expect(await pathsOf(...names)).toEqual(paths);
  });

  test.each([
    ['deflated to two bytes', { method: 8 }],
    ['with a Unix mode', { mode: 0o040755 }],
    ['with a DOS attribute', { central: { externalAttributes: 0x10 } }],
    ['with a descriptor flag and no descriptor', { flags: 8 }],
    ['with a descriptor', { descriptor: 'signed' as const }],
  ])('a folder entry %s', async (_, entry) => {
    const zip = buildZip({ entries: [{ name: 'x/', ...entry }, { name: 'x/a' }, { name: 'b' }] });
    expect(Object.keys(await read(zip))).toEqual(['x/a', 'b']);
  });
});

const safePath = fc
  .array(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 8 }), {
    minLength: 1,
    maxLength: 5,
  })
  .map((segments) => segments.join('/'))
  // Programs write `./` before names, and it is taken off.
  .filter((path) => checkPath(path).ok && !path.startsWith('./'));

const fileSet = fc
  .array(fc.tuple(safePath, fc.uint8Array({ maxLength: 200 }), fc.boolean()), { maxLength: 8 })
  .map((files) => [['index.html', new Uint8Array(), false] as const, ...files] as const)
  .filter((files) => findCollision(files.map(([path]) => path)) === undefined);

describe('any archive', () => {
  test('that JSZip writes reads back equal', async () => {
    await fc.assert(
      fc.asyncProperty(fileSet, fc.boolean(), async (files, streamFiles) => {
        const zip = new JSZip();
        for (const [path, bytes, deflate] of files) {
          zip.file(path, bytes, { compression: deflate ? 'DEFLATE' : 'STORE' });
        }
        const platform = streamFiles ? 'UNIX' : 'DOS';
        const written = await zip.generateAsync({ type: 'uint8array', streamFiles, platform });
        const expected = files.map(([path, bytes]) => ({ path: path.normalize('NFC'), bytes }));
        const sorted = (list: { path: string }[]) =>
          list.toSorted((a, b) => (a.path < b.path ? -1 : 1));
        for (const [, readBy] of archiveReaders) {
          const { files } = await readBy(written, { ...limits, includeHidden: true });
          expect(sorted(files)).toEqual(sorted(expected));
        }
      }),
    );
  });

  const original = buildZip({
    entries: [
      { name: 'd/', mode: 0o040755 },
      { name: 'stored.txt', content: 'stored', mode: 0o100644 },
      { name: 'd/deflated.txt', content: 'deflated '.repeat(20), method: 8, descriptor: 'signed' },
      {
        name: 'é',
        content: '',
        flags: 0x800,
        extra: unicodePath('é', 'é'),
        localExtra: unicodePath('é', 'é'),
      },
      { name: 'w', content: 'wide', central: wideSizes, extra: zip64Extra(4, 4) },
    ],
    zip64: {},
    comment: bytesOf('comment'),
  });

  /** The files, or undefined for a coded refusal; anything else is a bug. */
  const outcome = (zip: Uint8Array, readers = archiveReaders) =>
    read(zip, readers).catch((error: unknown) => {
      if (error instanceof CodedError) return undefined;
      throw error;
    });

  const inMemoryAndByOddChunks = archiveReaders.filter(([way]) => /memory|7 bytes/.test(way));

  test('with any one bit flipped reads back equal or is refused', async () => {
    expect(inMemoryAndByOddChunks).toHaveLength(2);
    const files = await read(original);
    expect(Object.keys(files)).toHaveLength(4);
    const accepted: number[] = [];
    // Five and eight have no divisor in common: every place within a byte has its turn.
    const step = proofSize({ short: 5, whole: 1 });
    for (let bit = 0; bit < original.length * 8; bit += step) {
      const flipped = original.slice();
      flipped[bit >> 3] = (flipped[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      const result = await outcome(flipped, inMemoryAndByOddChunks);
      if (result === undefined) continue;
      expect(result).toEqual(files);
      accepted.push(bit);
    }
    expect(accepted.length).toBeLessThan((original.length * 8 * 0.25) / step);
  });

  test('cut anywhere is refused', async () => {
    for (let length = 0; length < original.length; length += 1) {
      expect(await outcome(original.slice(0, length))).toBeUndefined();
    }
  });

  test('with bytes changed, removed or inserted reads back equal or is refused', async () => {
    const files = await read(original);
    const edit = fc.record({
      at: fc.nat(original.length),
      remove: fc.nat(8),
      insert: fc.uint8Array({ maxLength: 8 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(edit, { minLength: 1, maxLength: 4 }), async (edits) => {
        const edited = edits.reduce<Uint8Array>(
          (zip, { at, remove, insert }) =>
            concat([zip.slice(0, at), insert, zip.slice(at + remove)]),
          original,
        );
        expect([undefined, files]).toContainEqual(await outcome(edited));
      }),
      { numRuns: proofSize({ short: 100, whole: 500 }) },
    );
  });

  test('of random bytes around an end record is refused', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ maxLength: 300 }),
        fc.uint8Array({ maxLength: 30 }),
        async (a, b) => {
          const zip = concat([bytesOf('PK\x03\x04'), a, bytesOf('PK\x05\x06'), b]);
          expect(await outcome(zip)).toBeUndefined();
        },
      ),
    );
  });
});
