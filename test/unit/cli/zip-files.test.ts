import { randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import type { LocalFile } from '../../../cli/local-file.ts';
import { gzippedZipOf, zipOf } from '../../../cli/zip-files.ts';
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

describe('a ZIP that is compressed as a whole', () => {
  const gzipped = async (most: number) => Buffer.from((await gzippedZipOf(files, most)) ?? '');
  const enough = 4_000_000;

  /** Files are in it as they are, so that some readers would read a large one byte by byte. */
  const isShort = (path: string) => path !== 'large.txt';

  test.each(archiveReaders)('has the same files for %s', async (_, read) => {
    const limits = { maxEntries: 100, maxTotalBytes: 10_000_000 };
    const short = files.filter(({ path }) => isShort(path));
    const zip = gunzipSync((await gzippedZipOf(short, enough)) ?? '');
    const { files: found } = await read(zip, limits);
    expect(found.map(({ path, bytes }) => [path, Buffer.from(bytes)])).toEqual(
      contents.filter(([path]) => isShort(path)),
    );
  });

  test('is made only where it has no more bytes than it may', async () => {
    const { length } = await gzipped(enough);
    expect(length).toBeLessThan(zipLength(files) - 3_000_000);
    expect(await gzipped(length)).toHaveLength(length);
    expect(await gzipped(length - 1)).toHaveLength(0);
    expect(await gzipped(1000)).toHaveLength(0);
  });

  test('is not made of a file that changed since it was found', async () => {
    const lying = files.map((file) => ({ ...file, size: file.size + 1 }));
    await expect(gzippedZipOf(lying, enough)).rejects.toThrow('changed while it was read');
  });
});
