import { randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { expect, test } from '@jest/globals';
import type { LocalFile } from '../../../cli/local-file.ts';
import { zipOf } from '../../../cli/zip-files.ts';
import { zipLength } from '../../../core/content/zip/write-archive.ts';
import { archiveReaders } from '../../fixtures/archives/archive-readers.ts';

const words = Buffer.from('harbour '.repeat(5000));
/** The second of the same text could refer to the first, the large one has a compressor of its own. */
const contents: readonly [string, Buffer][] = [
  ['empty.txt', Buffer.alloc(0)],
  ['Grüße.txt', words],
  ['again.txt', words],
  ['noise.bin', randomBytes(300_000)],
  ['large.txt', Buffer.alloc(3_000_000, words)],
  ['empty at the end.txt', Buffer.alloc(0)],
];
const files: readonly LocalFile[] = contents.map(([path, source]) => ({
  path,
  source,
  size: source.length,
  changedMs: 0,
}));

test.each(archiveReaders)('packed files are the same, each on its own, for %s', async (_, read) => {
  const limits = { maxEntries: 100, maxTotalBytes: 10_000_000 };
  const { files: found } = await read(await buffer(zipOf(files)), limits);
  expect(found.map(({ path, bytes }) => [path, Buffer.from(bytes)])).toEqual(contents);
});

test('packed files are compressed', async () => {
  expect((await buffer(zipOf(files))).length).toBeLessThan(zipLength(files) - 3_000_000);
});

test('a file that changed since it was found is refused', async () => {
  const [, changed] = files;
  const lying = changed === undefined ? [] : [{ ...changed, size: 1 }];
  await expect(buffer(zipOf(lying))).rejects.toThrow('changed while it was read');
});
