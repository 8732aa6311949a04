import { expect, test } from '@jest/globals';
import { packLocation, uploadLocation, StoreId } from '../../../../../core/content/content-keys.ts';
import { knownFiles, noKnownFiles } from '../../../../../core/projects/publishing/known-files.ts';
import {
  encodeManifest,
  type FileEntry,
  fileLocation,
} from '../../../../../core/visit/manifest.ts';

const [a, b, c] = ['a1', 'b2', 'c3'].map((id) => StoreId.parse(id)) as [StoreId, StoreId, StoreId];
const entry = (hash: string, size = 1): FileEntry => ({ hash, size });
const known = knownFiles([
  { store: a, files: new Map([['docs/a.txt', entry('one')]]) },
  {
    store: b,
    files: new Map([['b.txt', { ...entry('two', 5), storedAt: uploadLocation(c, 'old/b.txt') }]]),
  },
]);

test.each([
  ['the same path', 'docs/a.txt', entry('one'), uploadLocation(a, 'docs/a.txt'), 'a1'],
  ['another folder', 'moved/a.txt', entry('one'), uploadLocation(a, 'docs/a.txt'), undefined],
  [
    'one that was moved before',
    'b.txt',
    entry('two', 5),
    uploadLocation(c, 'old/b.txt'),
    undefined,
  ],
  ['one that moved back', 'old/b.txt', entry('two', 5), uploadLocation(c, 'old/b.txt'), 'c3'],
])('finds a file under %s at its location', (_, path, wanted, location, kept) => {
  const found = known.find(path, wanted);
  expect(found).toEqual({ ...wanted, storedAt: kept ?? location });
  expect(fileLocation(StoreId.parse('ff'), path, found as FileEntry)).toBe(location);
});

test.each([
  ['other bytes', 'docs/a.txt', entry('other')],
  ['another size', 'docs/a.txt', entry('one', 2)],
  ['another name, which storage would answer with', 'docs/b.txt', entry('one')],
  ['another type, which storage would answer with', 'docs/a.html', entry('one')],
])('does not find %s', (_, path, wanted) => {
  expect(known.find(path, wanted)).toBeUndefined();
});

test('holds the locations of every file, wherever it was first stored', () => {
  expect(known.holds(uploadLocation(a, 'docs/a.txt'))).toBe(true);
  expect(known.holds(uploadLocation(c, 'old/b.txt'))).toBe(true);
  expect(known.holds(uploadLocation(b, 'b.txt'))).toBe(false);
});

test('a file in a pack is found where it begins, with its brotli form', () => {
  const pack = packLocation(a, 'f'.repeat(24), 900);
  const inPack = { ...entry('three', 7), storedAt: pack, offset: 300, brotliBytes: 5 };
  const packs = knownFiles([{ store: a, files: new Map([['c.js', inPack]]) }]);
  const found = packs.find('c.js', entry('three', 7));
  expect(found).toEqual(inPack);
  const { offset: _, ...lost } = inPack;
  expect(() => encodeManifest(new Map([['c.js', lost]]))).toThrow('c.js is in a pack');
});

test('a first version finds nothing', () => {
  expect(noKnownFiles.find('docs/a.txt', entry('one'))).toBeUndefined();
  expect(noKnownFiles.holds(uploadLocation(a, 'docs/a.txt'))).toBe(false);
});
