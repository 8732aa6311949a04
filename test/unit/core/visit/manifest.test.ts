import { expect, test } from '@jest/globals';
import { contentHash, placeOf, StoreId } from '../../../../core/content/content-keys.ts';
import {
  decodeManifest,
  encodeManifest,
  keptAt,
  type Manifest,
  maxInlineManifestBytes,
  placeIn,
} from '../../../../core/visit/manifest.ts';

const manifestOf = (count: number, more = {}) =>
  new Map(
    Array.from({ length: count }, (_, index) => {
      const path = `section-${index % 40}/page-${index}/index.html`;
      return [path, { size: index, hash: contentHash(Buffer.from(path)), ...more }] as const;
    }),
  );

test('a manifest reads back as it was written', () => {
  const manifest = manifestOf(100);
  expect(decodeManifest(encodeManifest(manifest))).toEqual(manifest);
});

test('a manifest of files that stand elsewhere reads back as it was written', () => {
  const manifest: Manifest = new Map([
    ['new.txt', { size: 1, hash: 'h1' }],
    ['same.txt', { size: 2, hash: 'h2', kept: 'a1' }],
    ['moved/file.txt', { size: 3, hash: 'h3', kept: placeOf('a1', 'file.txt') }],
  ]);
  const read = decodeManifest(encodeManifest(manifest));
  expect([...read]).toEqual([...manifest]);
  expect(read.get('new.txt')).not.toHaveProperty('kept');
});

test('a site of 2,000 files still fits into its serving record', () => {
  expect(encodeManifest(manifestOf(2000)).length).toBeLessThan(maxInlineManifestBytes);
});

test('a push that changes nothing of 2,000 files hardly makes their manifest larger', () => {
  const plain = encodeManifest(manifestOf(2000)).length;
  const kept = encodeManifest(manifestOf(2000, { kept: '0123456789abcdef' })).length;
  expect(kept).toBeLessThan(plain * 1.2);
  expect(kept).toBeLessThan(maxInlineManifestBytes);
});

const store = StoreId.parse('b2');

test.each([
  ['its own store', 'a.txt', undefined, placeOf('b2', 'a.txt')],
  ['the store of an earlier version', 'a.txt', 'a1', placeOf('a1', 'a.txt')],
  ['another path’s place', 'a.txt', placeOf('a1', 'old/a.txt'), placeOf('a1', 'old/a.txt')],
])('a file stands in %s', (_, path, kept, place) => {
  const entry = { size: 1, hash: 'h', kept };
  expect(placeIn(store, path, entry)).toBe(place);
  // Kept once more, it stays where it is.
  expect(placeIn(StoreId.parse('c3'), path, keptAt(place, path, entry))).toBe(place);
});
