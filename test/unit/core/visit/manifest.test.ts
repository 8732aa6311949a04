import { expect, test } from '@jest/globals';
import {
  contentHash,
  packLength,
  packLocation,
  uploadLocation,
  StoreId,
} from '../../../../core/content/content-keys.ts';
import {
  decodeManifest,
  encodeManifest,
  entryStoredAt,
  type FileEntry,
  type Manifest,
  fileLocation,
} from '../../../../core/visit/manifest.ts';

const loadManifest = (count: number, more = {}) =>
  new Map(
    Array.from({ length: count }, (_, index) => {
      const path = `section-${index % 40}/page-${index}/index.html`;
      return [path, { size: index, hash: contentHash(Buffer.from(path)), ...more }] as const;
    }),
  );

test('a manifest keeps what files are by their bytes', () => {
  const files = new Map<string, FileEntry>([
    ['LICENSE', { size: 1, hash: 'a', isText: true }],
    ['yarn.lock', { size: 2, hash: 'b', storedAt: 'c', isText: true }],
    ['a.bin', { size: 3, hash: 'd' }],
    ['a.doc', { size: 3, hash: 'd', format: 'pdf' }],
  ]);
  expect(decodeManifest(encodeManifest(files))).toEqual(files);
});

test('a manifest reads back as it was written', () => {
  const manifest = loadManifest(100);
  expect(decodeManifest(encodeManifest(manifest))).toEqual(manifest);
});

test('a manifest of files that stand elsewhere reads back as it was written', () => {
  const manifest: Manifest = new Map([
    ['new.txt', { size: 1, hash: 'h1' }],
    ['same.txt', { size: 2, hash: 'h2', storedAt: 'a1' }],
    ['moved/file.txt', { size: 3, hash: 'h3', storedAt: uploadLocation('a1', 'file.txt') }],
  ]);
  const read = decodeManifest(encodeManifest(manifest));
  expect([...read]).toEqual([...manifest]);
  expect(read.get('new.txt')).not.toHaveProperty('kept');
});

test('a push that changes nothing of 2,000 files hardly makes their manifest larger', () => {
  const plain = encodeManifest(loadManifest(2000)).length;
  const kept = encodeManifest(loadManifest(2000, { storedAt: '0123456789abcdef' })).length;
  expect(kept).toBeLessThan(plain * 1.2);
});

const digest = contentHash(Buffer.from('pack'))
  .padEnd(24, '0')
  .replace(/[^0-9a-f]/g, 'a');
const pack = packLocation('a1', digest, 5000);

test('a manifest of files in packs reads back as it was written', () => {
  const manifest: Manifest = new Map([
    ['first.txt', { size: 10, hash: 'h1', storedAt: pack, offset: 0 }],
    ['packed.js', { size: 20, hash: 'h2', storedAt: pack, offset: 10, brotliBytes: 5 }],
    ['alone.txt', { size: 1, hash: 'h3', storedAt: 'a1' }],
    ['next.txt', { size: 4, hash: 'h4', storedAt: pack, offset: 35 }],
    ['empty', { size: 0, hash: 'h5', storedAt: pack, offset: 39 }],
    ['later.txt', { size: 4, hash: 'h6', storedAt: pack, offset: 4000 }],
    ['before.txt', { size: 4, hash: 'h7', storedAt: pack, offset: 100 }],
    [
      'kept.js',
      { size: 4, hash: 'h8', storedAt: pack, offset: 0, until: '2026-03-01T12:00:00.000Z' },
    ],
  ]);
  expect(decodeManifest(encodeManifest(manifest))).toEqual(manifest);
});

test('a pack hardly makes the manifest of 2,000 files larger', () => {
  const plain = loadManifest(2000);
  let offset = 0;
  const packed = new Map(
    [...plain].map(([path, entry]) => {
      const inPack = { ...entry, storedAt: pack, offset };
      offset += entry.size;
      return [path, inPack] as const;
    }),
  );
  expect(encodeManifest(packed).length).toBeLessThan(encodeManifest(plain).length * 1.2);
});

test('only the location of a pack says how many bytes it has', () => {
  expect(packLength(pack)).toBe(5000);
  expect(packLength(uploadLocation('a1', 'a.txt'))).toBeUndefined();
  expect(packLength('a1')).toBeUndefined();
});

const store = StoreId.parse('b2');

test.each([
  ['its own store', 'a.txt', undefined, uploadLocation('b2', 'a.txt')],
  ['the store of an earlier version', 'a.txt', 'a1', uploadLocation('a1', 'a.txt')],
  [
    'another path’s location',
    'a.txt',
    uploadLocation('a1', 'old/a.txt'),
    uploadLocation('a1', 'old/a.txt'),
  ],
])('a file stands in %s', (_, path, kept, location) => {
  const entry = { size: 1, hash: 'h', storedAt: kept };
  expect(fileLocation(store, path, entry)).toBe(location);
  // Kept once more, it stays where it is.
  expect(fileLocation(StoreId.parse('c3'), path, entryStoredAt(location, path, entry))).toBe(
    location,
  );
});
