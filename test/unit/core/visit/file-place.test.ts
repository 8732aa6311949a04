import { expect, test } from '@jest/globals';
import { contentKey, packLocation, StoreId } from '../../../../core/content/content-keys.ts';
import {
  brotliPlace,
  filePlace,
  rangeAt,
  readFilePlace,
} from '../../../../core/visit/file-place.ts';
import { fileLocation } from '../../../../core/visit/manifest.ts';
import { zipContents } from '../../../../core/visit/zip-contents.ts';
import { aProject } from '../../../fixtures/projects/a-project.ts';

const at = { projectId: aProject().id, store: StoreId.parse('b2') };
const pack = packLocation('a1', 'c'.repeat(64), 30);
const key = contentKey(at.projectId, pack);
/** The bytes before a file, the file, its brotli form, the bytes after it. */
const bytes = Buffer.from('....the fileBR....');
const entry = { size: 8, hash: 'h', storedAt: pack, offset: 4, brotliBytes: 2 };

/** Storage with the pack alone, and what it was asked for. */
function storage() {
  const requests: unknown[] = [];
  return {
    requests,
    async get(requested: string, range?: { first: number; last: number }) {
      requests.push([requested, range]);
      if (requested !== key) return undefined;
      return range === undefined ? bytes : bytes.subarray(range.first, range.last + 1);
    },
  };
}

test.each([
  ['whole', undefined, 'the file'],
  ['its first byte', { first: 0, last: 0 }, 't'],
  ['its last byte', { first: 7, last: 7 }, 'e'],
  ['a part', { first: 4, last: 6 }, 'fil'],
])('a file in a pack is read in one range: %s', async (_, range, text) => {
  const content = storage();
  const read = await readFilePlace(content, filePlace(at, 'a.txt', entry), range);
  expect(String(read)).toBe(text);
  expect(content.requests).toHaveLength(1);
});

test('its brotli form follows it', async () => {
  expect(String(await readFilePlace(storage(), brotliPlace(at, 'a.js', entry)))).toBe('BR');
});

test('an empty file in a pack is not asked for', async () => {
  const content = storage();
  const place = filePlace(at, 'a.txt', { ...entry, size: 0 });
  expect(await readFilePlace(content, place)).toEqual(new Uint8Array());
  expect(content.requests).toEqual([]);
});

test('a file in a pack that is gone is not there', async () => {
  const elsewhere = { ...entry, storedAt: packLocation('a2', 'c'.repeat(64), 30) };
  expect(await readFilePlace(storage(), filePlace(at, 'a.txt', elsewhere))).toBeUndefined();
});

test('a file of its own is read as a whole object, with its brotli form beside it', () => {
  const own = { size: 8, hash: 'h', brotliBytes: 2 };
  const place = filePlace(at, 'a.txt', own);
  expect(place.key).toBe(contentKey(at.projectId, fileLocation(at.store, 'a.txt', own)));
  expect(rangeAt(place)).toBeUndefined();
  expect(rangeAt(place, { first: 1, last: 2 })).toEqual({ first: 1, last: 2 });
  expect(brotliPlace(at, 'a.txt', own)).toEqual({ key: `${place.key}.br`, size: 2 });
});

test('a ZIP has the files of packs', async () => {
  const content = storage();
  const files = [
    { path: 'a.txt', ...filePlace(at, 'a.txt', entry) },
    { path: 'none', ...filePlace(at, 'none', { ...entry, size: 0 }) },
    { path: 'b', ...filePlace(at, 'b', { ...entry, size: 1 }) },
  ];
  const texts: string[] = [];
  for (const { content: read } of zipContents(files, (one, range) => content.get(one, range))) {
    let text = '';
    for await (const part of read) text += String(part);
    texts.push(text);
  }
  expect(texts).toEqual(['', 'the file', 't']);
});
