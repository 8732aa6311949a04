import { expect, test } from '@jest/globals';
import { placeOf, StoreId } from '../../../../../core/content/content-keys.ts';
import { knownFiles, nothingKnown } from '../../../../../core/projects/publishing/known-files.ts';
import { type FileEntry, placeIn } from '../../../../../core/visit/manifest.ts';

const [a, b, c] = ['a1', 'b2', 'c3'].map((id) => StoreId.parse(id)) as [StoreId, StoreId, StoreId];
const entry = (hash: string, size = 1): FileEntry => ({ hash, size });
const known = knownFiles([
  { store: a, files: new Map([['docs/a.txt', entry('one')]]) },
  { store: b, files: new Map([['b.txt', { ...entry('two', 5), kept: placeOf(c, 'old/b.txt') }]]) },
]);

test.each([
  ['the same path', 'docs/a.txt', entry('one'), placeOf(a, 'docs/a.txt'), 'a1'],
  ['another folder', 'moved/a.txt', entry('one'), placeOf(a, 'docs/a.txt'), undefined],
  ['one that was moved before', 'b.txt', entry('two', 5), placeOf(c, 'old/b.txt'), undefined],
  ['one that moved back', 'old/b.txt', entry('two', 5), placeOf(c, 'old/b.txt'), 'c3'],
])('finds a file under %s where it stands', (_, path, wanted, place, kept) => {
  const found = known.find(path, wanted);
  expect(found).toEqual({ ...wanted, kept: kept ?? place });
  expect(placeIn(StoreId.parse('ff'), path, found as FileEntry)).toBe(place);
});

test.each([
  ['other bytes', 'docs/a.txt', entry('other')],
  ['another size', 'docs/a.txt', entry('one', 2)],
  ['another name, which storage would answer with', 'docs/b.txt', entry('one')],
  ['another type, which storage would answer with', 'docs/a.html', entry('one')],
])('does not find %s', (_, path, wanted) => {
  expect(known.find(path, wanted)).toBeUndefined();
});

test('holds the places of every file, wherever it was first stored', () => {
  expect(known.holds(placeOf(a, 'docs/a.txt'))).toBe(true);
  expect(known.holds(placeOf(c, 'old/b.txt'))).toBe(true);
  expect(known.holds(placeOf(b, 'b.txt'))).toBe(false);
});

test('a first version finds nothing', () => {
  expect(nothingKnown.find('docs/a.txt', entry('one'))).toBeUndefined();
  expect(nothingKnown.holds(placeOf(a, 'docs/a.txt'))).toBe(false);
});
