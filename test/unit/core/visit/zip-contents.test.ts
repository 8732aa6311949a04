import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { type ReadPart, zipContents } from '../../../../core/visit/zip-contents.ts';

const mebibyte = 1024 * 1024;

/** Storage that holds what is asked for under `there`, and notes reads and bytes that nobody took yet. */
function aStore(there: (key: string) => boolean = () => true) {
  const seen = { reads: 0, untaken: 0, most: 0 };
  const read: ReadPart = async (key, { first, last }) => {
    seen.reads += 1;
    seen.untaken += last - first + 1;
    seen.most = Math.max(seen.most, seen.untaken);
    await turn();
    return there(key) ? new Uint8Array(last - first + 1).fill(first / (4 * mebibyte)) : undefined;
  };
  return { seen, read };
}

const file = (path: string, size: number) => ({ path, key: `key of ${path}`, size });

test('reads every file whole, in order and in pieces', async () => {
  const { seen, read } = aStore();
  const files = [file('a', 10), file('empty', 0), file('big', 9 * mebibyte), file('z', 1)];
  const found: [string, number, number[]][] = [];
  for (const { path, content } of zipContents(files, read)) {
    const chunks: Uint8Array[] = [];
    for await (const chunk of content) chunks.push(chunk);
    const length = chunks.reduce((sum, chunk) => sum + chunk.length, 0);
    found.push([path, length, chunks.map(([first = -1]) => first)]);
  }
  expect(found).toEqual([
    ['empty', 0, []],
    ['a', 10, [0]],
    ['big', 9 * mebibyte, [0, 1, 2]],
    ['z', 1, [0]],
  ]);
  expect(seen.reads).toBe(5);
});

test.each([
  ['large files', 40 * mebibyte, 3, 10],
  ['small files', 1000, 200, 10],
])(
  'holds no more of %s than two pieces beside the one that is taken',
  async (_, size, count, reads) => {
    const { seen, read } = aStore();
    const files = Array.from({ length: count }, (_, index) => file(`${index}`, size));
    let beforeFirst: number | undefined;
    for (const { content } of zipContents(files, read)) {
      for await (const chunk of content) {
        beforeFirst ??= seen.reads;
        seen.untaken -= chunk.length;
        await turn();
      }
    }
    expect(seen.most).toBeLessThanOrEqual(16 * mebibyte);
    expect(beforeFirst).toBeLessThanOrEqual(reads);
    expect(beforeFirst).toBeGreaterThan(1);
  },
);

test('throws when the turn of a missing object comes, and not before', async () => {
  const { read } = aStore((key) => key !== 'key of b');
  const readPaths: string[] = [];
  const reading = async () => {
    for (const { path, content } of zipContents([file('a', 1), file('b', 1), file('c', 1)], read)) {
      for await (const _ of content) readPaths.push(path);
    }
  };
  await expect(reading()).rejects.toThrow('object key of b is missing');
  expect(readPaths).toEqual(['a']);
});

test('asks for nothing more once nobody takes', async () => {
  const { seen, read } = aStore();
  const entries = zipContents([file('big', 400 * mebibyte)], read);
  for (const { content } of entries) {
    for await (const _ of content) break;
    break;
  }
  const { reads } = seen;
  for (let turns = 0; turns < 20; turns += 1) await turn();
  expect(seen.reads).toBe(reads);
});

test('reads neighbours in one object together, also over brotli forms, and never other bytes', async () => {
  const pack = Uint8Array.from({ length: 9 * mebibyte }, (_, at) => (at * 31) % 251);
  const reads: [string, number, number][] = [];
  const read: ReadPart = async (key, { first, last }) => {
    reads.push([key, first, last]);
    return pack.slice(first, last + 1);
  };
  const sizes = [1, 700, 5000, 1_000_000, 3_000_000, 3_000_000, 20];
  let offset = 100;
  const packed = sizes.map((size, index) => {
    const at = { path: `p${index}`, key: 'pack', size, offset };
    offset += size + Math.min(size, 40_000);
    return at;
  });
  const far = { path: 'far', key: 'pack', size: 5, offset: 8 * mebibyte };
  const twin = { path: 'twin', key: 'pack', size: 700, offset: packed[1]?.offset };
  const inPack = { path: 'empty in the pack', key: 'pack', size: 0, offset: 5000 };
  const files = [far, file('whole', 10), ...packed.toReversed(), twin, file('empty', 0), inPack];
  const starts = new Map([...packed, far, twin].map((one) => [one.path, one.offset]));
  for (const { path, size, content } of zipContents(files, read)) {
    const chunks: Uint8Array[] = [];
    for await (const chunk of content) chunks.push(chunk);
    const found = Buffer.concat(chunks);
    const at = starts.get(path) ?? 0;
    expect([path, found.length]).toEqual([path, size]);
    expect(found.equals(pack.subarray(at, at + size))).toBe(true);
  }
  expect(reads.map(([key]) => key)).toEqual(['pack', 'pack', 'pack', 'key of whole']);
  expect(reads.every(([, first, last]) => last - first < 4 * mebibyte)).toBe(true);
});

test('reads 20,000 small files of packs with few reads', async () => {
  const { seen, read } = aStore();
  const files = Array.from({ length: 20_000 }, (_, index) => ({
    path: `${index}`,
    key: `pack ${index % 4}`,
    size: 100,
    offset: Math.floor(index / 4) * 130,
  }));
  for (const { content } of zipContents(files, read)) for await (const _ of content);
  expect(seen.reads).toBeLessThanOrEqual(8);
});
