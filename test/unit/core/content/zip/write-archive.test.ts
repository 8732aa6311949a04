import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import JSZip from 'jszip';
import {
  type ZipEntry,
  zipLength,
  zipStream,
} from '../../../../../core/content/zip/write-archive.ts';
import { archiveReaders } from '../../../../fixtures/archives/archive-readers.ts';

const at = new Date('2026-03-01T12:34:57.000Z');
const limits = { maxEntries: 100, maxTotalBytes: 10_000_000 };

/** Names and contents that are easily got wrong; no folder is common to all. */
const files: [string, Buffer][] = [
  ['Übersicht/日本語 🚣.txt', Buffer.from('Grüße')],
  ['a & b/<img src=x>.txt', Buffer.from('markup')],
  ['deep/er/and/deeper/x', Buffer.from('PK\u0003\u0004 PK\u0007\b PK\u0005\u0006')],
  ['empty.txt', Buffer.alloc(0)],
  // More than one piece of 64 KiB.
  ['noise.bin', createHash('shake256', { outputLength: 70_000 }).update('x').digest()],
];

function entry([path, bytes]: [string, Buffer], chunkBytes = 1000): ZipEntry {
  const content = async function* () {
    for (let first = 0; first < bytes.length; first += chunkBytes) {
      yield bytes.subarray(first, first + chunkBytes);
    }
  };
  return { path, size: bytes.length, content: content() };
}

async function whole(stream: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks);
}

const zipped = () =>
  whole(
    zipStream(
      files.map((file) => entry(file)),
      at,
    ),
  );

describe('a ZIP that is written as a stream', () => {
  test.each(archiveReaders)(
    'contains the same files for our own strict reader, %s',
    async (_, read) => {
      const { files: found } = await read(await zipped(), limits);
      expect(found.map(({ path }) => path)).toEqual(files.map(([path]) => path));
      for (const [index, { bytes }] of found.entries()) {
        expect(Buffer.compare(bytes, files[index]?.[1] ?? Buffer.alloc(0))).toBe(0);
      }
    },
  );

  test('contains the same files for jszip, each with its time', async () => {
    const zip = await JSZip.loadAsync(await zipped(), { checkCRC32: true });
    expect(Object.keys(zip.files)).toEqual(files.map(([path]) => path));
    for (const [path, bytes] of files) {
      const found = zip.file(path);
      expect((await found?.async('nodebuffer'))?.equals(bytes)).toBe(true);
      expect(found?.unixPermissions).toBe(0o100644);
      expect(found?.date.toISOString()).toBe('2026-03-01T12:34:56.000Z');
    }
  });

  test('has the announced length', async () => {
    const declared = files.map(([path, { length }]) => ({ path, size: length }));
    expect((await zipped()).length).toBe(zipLength(declared));
  });

  test('is the same for the same files', async () => {
    expect((await zipped()).equals(await zipped())).toBe(true);
  });

  test('of nothing is an archive without files', async () => {
    const zip = await whole(zipStream([], at));
    expect(Object.keys((await JSZip.loadAsync(zip)).files)).toEqual([]);
    expect(zip.length).toBe(zipLength([]));
  });

  test.each(archiveReaders)('may be compressed: the same files for %s', async (_, read) => {
    const large: [string, Buffer] = ['large.txt', Buffer.alloc(300_000, 'abc')];
    const all = [...files, large].map((file) => ({ ...entry(file), isDeflated: true }));
    const zip = await whole(zipStream(all, at));
    const { files: found } = await read(zip, limits);
    expect(found.map(({ path, bytes }) => [path, Buffer.from(bytes)])).toEqual([...files, large]);
    const lengths = all.map(({ path, size }) => ({ path, size }));
    expect(zip.length).toBeLessThan(zipLength(lengths) - 250_000);
  });

  test('reads a file only in its turn, and only as far as the reader needs', async () => {
    const opened: string[] = [];
    const lazy = files.map(([path, bytes]) => ({
      path,
      size: bytes.length,
      content: (async function* () {
        opened.push(path);
        yield bytes;
      })(),
    }));
    const stream = zipStream(lazy, at);
    expect(opened).toEqual([]);
    for (const _ of ['its header', 'its content', 'its checksum']) await stream.next();
    expect(opened).toEqual([files[0]?.[0]]);
    await stream.return(undefined);
    expect(opened).toHaveLength(1);
  });

  test.each([
    ['shorter', 4],
    ['longer', 2],
  ])('fails at a file that is %s than declared', async (_, size) => {
    const lying = { ...entry(['a.txt', Buffer.from('abc')]), size };
    await expect(whole(zipStream([lying], at))).rejects.toThrow(
      `a.txt has 3 bytes instead of ${size}`,
    );
  });

  test('sends nothing when its first file cannot be read', async () => {
    const content = (async function* () {
      yield await Promise.reject<Uint8Array>(new Error('gone'));
    })();
    await expect(zipStream([{ path: 'a', size: 1, content }], at).next()).rejects.toThrow('gone');
  });

  test('cannot be opened without its end', async () => {
    const zip = await zipped();
    for (const [, read] of archiveReaders.slice(0, 1)) {
      await expect(read(zip.subarray(0, -1), limits)).rejects.toMatchObject({
        code: 'ARCHIVE_INVALID',
      });
    }
    await expect(JSZip.loadAsync(zip.subarray(0, zip.length - 300))).rejects.toThrow();
  });
});

const tools: [string, string, (file: string) => string[]][] = [
  ['unzip', '/usr/bin/unzip', (file) => ['-tq', file]],
  ['Python', '/usr/bin/python3', (file) => ['-m', 'zipfile', '-t', file]],
];

describe.each(tools.filter(([, tool]) => existsSync(tool)))('%s', (_, tool, args) => {
  test('finds no error', async () => {
    const dir = mkdtempSync(join(tmpdir(), 'slipway-zip-'));
    try {
      writeFileSync(join(dir, 'all.zip'), await zipped());
      expect(execFileSync(tool, args(join(dir, 'all.zip')), { encoding: 'utf8' })).toMatch(
        /No errors detected|Done testing/,
      );
    } finally {
      rmSync(dir, { recursive: true });
    }
  });
});
