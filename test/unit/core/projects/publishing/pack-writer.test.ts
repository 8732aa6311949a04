import { expect, test } from '@jest/globals';
import { contentHash, contentKey, StoreId } from '../../../../../core/content/content-keys.ts';
import type { StoredObject } from '../../../../../core/ports.ts';
import {
  fullPackBytes,
  packWriter,
  type SmallFile,
} from '../../../../../core/projects/publishing/pack-writer.ts';
import type { FileEntry } from '../../../../../core/visit/manifest.ts';
import { aProject } from '../../../../fixtures/projects/a-project.ts';

const projectId = aProject().id;
const store = StoreId.parse('b2');

function aFile(path: string, text: string, brotli?: string): SmallFile {
  const bytes = Buffer.from(text);
  const form = brotli === undefined ? {} : { brotliBytes: brotli.length };
  const entry = { size: bytes.length, hash: contentHash(bytes), ...form };
  return { path, entry, bytes, brotli: brotli === undefined ? undefined : Buffer.from(brotli) };
}

/** A writer, and what it stores: each object as text, and where each file is. */
function aWriter(put?: (object: StoredObject) => Promise<void>) {
  const objects = new Map<string, StoredObject>();
  const entries = new Map<string, FileEntry>();
  const content = {
    put: put ?? (async (object: StoredObject) => void objects.set(object.key, object)),
  };
  const objectFor = ({ path }: { path: string }) => ({
    key: `alone/${path}`,
    contentType: 'text/plain',
    cacheTag: 'tag',
  });
  const packs = packWriter(content, { projectId, store, objectFor }, entries);
  const add = (...files: SmallFile[]) => packs.add(Promise.resolve(files));
  return { objects, entries, packs, add };
}

test('files are one after the other, each followed by its brotli form', async () => {
  const { objects, entries, packs, add } = aWriter();
  const [one, two, empty] = [aFile('1', 'one', '(br)'), aFile('2', 'two!'), aFile('3', '')];
  await add(one);
  await add(two, empty);
  expect([objects.size, entries.size]).toEqual([0, 0]);
  await packs.finish();
  const [storedAt = ''] = [...entries.values()].map((entry) => entry.storedAt);
  expect(storedAt).toMatch(/^b2\/p[0-9a-f]{24}-7$/);
  expect([...entries]).toEqual([
    ['1', { ...one.entry, storedAt, offset: 0 }],
    ['2', { ...two.entry, storedAt, offset: 7 }],
    ['3', { ...empty.entry, storedAt, offset: 11 }],
  ]);
  const key = contentKey(projectId, storedAt);
  expect([...objects.values()]).toEqual([
    {
      key,
      bytes: Buffer.from('one(br)two!'),
      contentType: 'application/octet-stream',
      cacheTag: `p-${projectId}`,
    },
  ]);
});

test('files keep the order of the calls, whichever is ready first', async () => {
  const { objects, packs } = aWriter();
  const slow = new Promise<SmallFile[]>((resolve) => {
    setTimeout(resolve, 20, [aFile('slow', 'slow')]);
  });
  await Promise.all([packs.add(slow), packs.add(Promise.resolve([aFile('fast', 'fast')]))]);
  await packs.finish();
  expect([...objects.values()].map(({ bytes }) => String(bytes))).toEqual(['slowfast']);
});

test('the same files have the same key, others have another', async () => {
  const keyOf = async (...files: SmallFile[]) => {
    const { objects, packs, add } = aWriter();
    await add(...files);
    await packs.finish();
    return [...objects.keys()].join();
  };
  const [a, b] = [aFile('a', 'one'), aFile('b', 'two')];
  expect(await keyOf(a, b)).toBe(await keyOf(a, b));
  const keys = await Promise.all([
    keyOf(a, b),
    keyOf(b, a),
    keyOf(a, aFile('b', 'six')),
    keyOf(a, aFile('b', 'two', 'br')),
    keyOf(a, aFile('b', 'two', 'brotli')),
  ]);
  expect(new Set(keys).size).toBe(keys.length);
});

test('a file that is alone is an object of its own, one with a brotli form is not', async () => {
  const alone = aWriter();
  const file = aFile('a', 'text');
  await alone.add(file);
  await alone.packs.finish();
  expect([...alone.objects.keys()]).toEqual(['alone/a']);
  expect([...alone.entries]).toEqual([['a', file.entry]]);
  const both = aWriter();
  await both.add(aFile('a', 'text', 'br'));
  await both.packs.finish();
  expect([...both.objects.values()].map(({ bytes }) => String(bytes))).toEqual(['textbr']);
  expect(both.entries.get('a')).toMatchObject({ offset: 0, brotliBytes: 2 });
});

test('no files are no object', async () => {
  const { objects, packs } = aWriter();
  await packs.finish();
  expect(objects.size).toBe(0);
});

test('a pack that is full is stored, so there are at most one more than the bytes fill', async () => {
  const { objects, entries, packs, add } = aWriter();
  const size = fullPackBytes / 8 - 1;
  const count = 19;
  for (let at = 0; at < count; at += 1) await add(aFile(`${at}`, `${at}`.padEnd(size)));
  await packs.finish();
  // Eight of them are a byte less each than what is full.
  expect([...objects.values()].map(({ bytes }) => bytes.length / size)).toEqual([9, 9, 1]);
  expect(entries.size).toBe(count);
});

test('after a failure nothing more is stored, and each call says so', async () => {
  let puts = 0;
  const { packs, add } = aWriter(async () => {
    puts += 1;
    throw new Error('storage is broken');
  });
  const large = 'x'.repeat(fullPackBytes);
  const added = [add(aFile('a', large)), add(aFile('b', large)), packs.add(Promise.resolve([]))];
  const outcomes = await Promise.allSettled(added);
  expect(outcomes.map(({ status }) => status)).toEqual(added.map(() => 'rejected'));
  await expect(packs.finish()).rejects.toThrow('storage is broken');
  expect(puts).toBe(1);
});
