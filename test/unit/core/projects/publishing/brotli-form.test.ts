import { brotliDecompressSync } from 'node:zlib';
import { expect, test } from '@jest/globals';
import { StoreId } from '../../../../../core/content/content-keys.ts';
import { incomingFiles } from '../../../../../core/content/prepare-upload.ts';
import type { StoredObject } from '../../../../../core/ports.ts';
import { minBrotliBytes } from '../../../../../core/projects/publishing/brotli-form.ts';
import { knownFiles, noKnownFiles } from '../../../../../core/projects/publishing/known-files.ts';
import { storeFiles } from '../../../../../core/projects/publishing/store-files.ts';
import { brotliPlace, filePlace, readFilePlace } from '../../../../../core/visit/file-place.ts';
import type { ByteRange } from '../../../../../core/visit/protocol/conditional-request.ts';
import { aProject } from '../../../../fixtures/projects/a-project.ts';

const projectId = aProject().id;
const store = StoreId.parse('b2');

/** Storage that remembers what it was given. */
function bucket() {
  const objects = new Map<string, Uint8Array>();
  return {
    objects,
    put: async ({ key, bytes }: StoredObject) => void objects.set(key, bytes),
    get: async (key: string, range?: ByteRange) =>
      objects.get(key)?.subarray(range?.first, range && range.last + 1),
    putLarge: async () => {
      throw new Error('no file of these tests is large');
    },
  };
}

const target = { projectId, store, known: noKnownFiles, isSite: true };
const upload = (path: string, bytes: Buffer) => incomingFiles([{ path, bytes }]);
const code = (size: number) =>
  Buffer.from('const answer = 42;\n'.repeat(size / 8)).subarray(0, size);

test('a script has a brotli form behind it, with the bytes that its entry tells', async () => {
  const content = bucket();
  const entries = await storeFiles(content, target, upload('app.js', code(minBrotliBytes)));
  const entry = entries.get('app.js');
  if (entry === undefined) throw new Error('the script has no entry');
  const [object, ...others] = content.objects.values();
  expect([object?.length, others]).toEqual([minBrotliBytes + (entry.brotliBytes ?? 0), []]);
  const at = { projectId, store };
  const packed = await readFilePlace(content, brotliPlace(at, 'app.js', entry));
  expect(brotliDecompressSync(packed ?? '').equals(code(minBrotliBytes))).toBe(true);
  const own = await readFilePlace(content, filePlace(at, 'app.js', entry));
  expect(code(minBrotliBytes).equals(own ?? Buffer.of())).toBe(true);
});

test.each<[string, string, Buffer, boolean]>([
  ['a smaller script', 'app.js', code(minBrotliBytes - 1), true],
  ['an image', 'photo.jpg', code(minBrotliBytes), true],
  ['a page of a site, whose head is edited', 'about.html', code(minBrotliBytes), true],
])('%s has none', async (_, path, bytes, isSite) => {
  const content = bucket();
  const entries = await storeFiles(content, { ...target, isSite }, upload(path, bytes));
  expect(entries.get(path)).not.toHaveProperty('brotliBytes');
  expect(content.objects.size).toBe(1);
});

test('a page of a bundle, which is sent as it is stored, has one', async () => {
  const content = bucket();
  const page = upload('about.html', code(minBrotliBytes));
  const entries = await storeFiles(content, { ...target, isSite: false }, page);
  expect(entries.get('about.html')).toHaveProperty('brotliBytes');
});

test('an unchanged script keeps its brotli form, and nothing is stored', async () => {
  const first = await storeFiles(bucket(), target, upload('app.js', code(minBrotliBytes)));
  const known = knownFiles([{ store, files: first }]);
  const content = bucket();
  const later = { ...target, store: StoreId.parse('c3'), known };
  const entries = await storeFiles(content, later, upload('app.js', code(minBrotliBytes)));
  expect(entries).toEqual(first);
  expect(content.objects.size).toBe(0);
});
