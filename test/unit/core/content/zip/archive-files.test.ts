import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import { streamArchive } from '../../../../../core/content/zip/stream-archive.ts';
import { type ByteSource, bytesSource } from '../../../../../core/content/zip/byte-source.ts';
import { openArchive } from '../../../../../core/content/zip/open-archive.ts';
import { readBySource } from '../../../../fixtures/archives/archive-readers.ts';
import { chunkedSource, piecesSource } from '../../../../fixtures/archives/byte-sources.ts';
import {
  deflatedEntry,
  largeZip,
  noise,
  storedEntry,
} from '../../../../fixtures/archives/large-zip.ts';
import { buildZip } from '../../../../fixtures/archives/zip-builder.ts';
import { longProof } from '../../../../fixtures/proof-size.ts';

const megabyte = 1024 * 1024;
const limits = { maxEntries: 5, maxTotalBytes: 10_000_000 };
const block = noise(megabyte);
const twoFiles = buildZip({
  entries: [
    { name: 's/', mode: 0o040755 },
    { name: 's/a.txt', content: 'hello '.repeat(50), method: 8 },
    { name: 's/b.txt', content: 'world' },
  ],
});

async function* filesOf(source: ByteSource, within = limits) {
  yield* streamArchive(source, await openArchive(source, within));
}

async function lengthOf(content: AsyncIterable<Uint8Array>): Promise<number> {
  let length = 0;
  for await (const chunk of content) length += chunk.length;
  return length;
}

describe('the index of an archive', () => {
  const empty = storedEntry('', block, 0);
  const manyFiles = largeZip(
    Array.from({ length: 70_000 }, (_, at) => ({ ...empty, name: `${at}` })),
  );

  test('has files, sizes and the top folder', async () => {
    const index = await openArchive(bytesSource(twoFiles), limits);
    expect(index).toMatchObject({ topFolder: 's/', bytes: 305 });
    expect(index.files.map(({ path, bytes }) => [path, bytes])).toEqual([
      ['a.txt', 300],
      ['b.txt', 5],
    ]);
    expect(index.entries).toHaveLength(3);
  });

  test('of 500 MB and 2,000 files needs two reads of less than 1 MB together', async () => {
    const file = storedEntry('', block, 262_144);
    const named = Array.from({ length: 2000 }, (_, at) => ({ ...file, name: `site/page-${at}` }));
    const source = piecesSource(largeZip(named));
    expect(source.size).toBeGreaterThan(500_000_000);
    const index = await openArchive(source, { maxEntries: 2000, maxTotalBytes: source.size });
    expect(index.files).toHaveLength(2000);
    expect(index.bytes).toBe(2000 * 262_144);
    expect(source.bytesRead).toBeLessThan(1_000_000);
    expect([source.reads, source.streams]).toEqual([2, 0]);
  });

  test.each([
    ['more entries than are read', { maxEntries: 32_000 }, 'holds 70000 entries; at most 64100'],
    ['more files than are allowed', { maxEntries: 69_999 }, 'holds 70000 files; at most 69999'],
    ['as many files as are allowed', { maxEntries: 70_000 }, undefined],
  ])('of ZIP64 with %s', async (_, { maxEntries }, refusal) => {
    const source = piecesSource(manyFiles);
    const opened = openArchive(source, { maxEntries, maxTotalBytes: 0 });
    if (refusal === undefined) return expect((await opened).files).toHaveLength(70_000);
    await expect(opened).rejects.toMatchObject({
      code: 'TOO_MANY_FILES',
      message: expect.stringContaining(refusal),
    });
    if (maxEntries === 32_000) expect(source.bytesRead).toBeLessThan(70_000);
  });

  test.each([
    ['a gap', { gapAfter: new Uint8Array(70_000) }, 'followed by bytes that belong to no entry'],
    ['a gap for a descriptor', { gapAfter: new Uint8Array(70_000), flags: 8 }, 'descriptor'],
    ['an overlap', { central: { compressedBytes: 40, bytes: 40 } }, 'overlaps another entry'],
  ])('refuses %s without reading local headers', async (_, entry, refusal) => {
    const zip = buildZip({ entries: [{ name: 'a', ...entry }, { name: 'b' }] });
    await expect(openArchive(bytesSource(zip), limits)).rejects.toThrow(refusal);
  });

  test('that is far too large is refused before it is read', async () => {
    const comment = new Uint8Array(0xffff);
    const entries = Array.from({ length: 20 }, (_, at) => ({ name: `${at}/`, comment }));
    const source = chunkedSource(buildZip({ entries }), megabyte);
    await expect(openArchive(source, limits)).rejects.toThrow('central directory of');
    expect(source.bytesRead).toBeLessThan(70_000);
  });
});

describe('the files of an archive', () => {
  test('come in the order of the archive, in one pass', async () => {
    const source = chunkedSource(twoFiles, 10);
    const seen: [string, number, number][] = [];
    for await (const { path, size, content } of filesOf(source)) {
      seen.push([path, size, await lengthOf(content)]);
    }
    expect(seen).toEqual([
      ['a.txt', 300, 300],
      ['b.txt', 5, 5],
    ]);
    expect(source.streams).toBe(1);
    expect(source.bytesStreamed).toBeLessThan(twoFiles.length);
  });

  test('above 4 GiB, and behind such a file, are complete', async () => {
    const large = storedEntry('large.bin', block, 4096 * megabyte + 12_345);
    const source = piecesSource(largeZip([large, storedEntry('last.txt', block, 10)]), megabyte);
    const seen: [string, number][] = [];
    const within = { maxEntries: 2, maxTotalBytes: 5 * 1024 ** 3 };
    for await (const { path, content } of filesOf(source, within)) {
      seen.push([path, await lengthOf(content)]);
    }
    expect(seen).toEqual([
      ['large.bin', 4_294_979_641],
      ['last.txt', 10],
    ]);
    const tooMuch = openArchive(source, { ...within, maxTotalBytes: large.bytes });
    await expect(tooMuch).rejects.toThrow('unpacks to 4294979651 bytes');
  });

  test('have their original content, for all chunk sizes', async () => {
    const hash = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
    const pieces = largeZip([storedEntry('a', block, 3_000_000), deflatedEntry('b', block, 3)]);
    const tripled = Buffer.concat([block, block, block]);
    for (const chunkBytes of [999, 65_536, 8 * megabyte]) {
      const source = piecesSource(pieces, chunkBytes);
      const { files } = await readBySource(source, { ...limits, maxTotalBytes: 9_000_000 });
      expect(files.map(({ bytes }) => hash(bytes))).toEqual([
        hash(tripled.subarray(0, 3_000_000)),
        hash(tripled),
      ]);
    }
  });

  test.each([
    ['deflated', deflatedEntry('a', block, 50)],
    ['stored', storedEntry('a', block, 50 * megabyte)],
  ])('are fetched only when they are read, %s', async (_, entry) => {
    const source = piecesSource(largeZip([entry]));
    let [consumed, furthestAhead] = [0, 0];
    for await (const { content } of filesOf(source, { maxEntries: 1, maxTotalBytes: 1e8 })) {
      for await (const chunk of content) {
        consumed += chunk.length;
        furthestAhead = Math.max(furthestAhead, source.bytesStreamed - consumed);
        if (consumed < megabyte) await new Promise((resolve) => setTimeout(resolve, 1));
      }
    }
    expect(consumed).toBe(50 * megabyte);
    expect(furthestAhead).toBeLessThan(megabyte / 2);
  });

  test('must each be read to the end before the next', async () => {
    const message = 'must be read to its end';
    const skipped = async () => {
      for await (const file of filesOf(bytesSource(twoFiles))) expect(file.path).toBe('a.txt');
    };
    await expect(skipped()).rejects.toThrow(message);
    const leftBeforeItsChecks = async () => {
      for await (const { size, content } of filesOf(bytesSource(twoFiles))) {
        const { value } = await content[Symbol.asyncIterator]().next();
        expect(value?.length).toBe(size);
      }
    };
    await expect(leftBeforeItsChecks()).rejects.toThrow(message);
  });

  test('are refused after the last one if a dropped entry behind it is invalid', async () => {
    const dropped = { name: '.DS_Store', content: 'x', local: { crc32: 1 }, central: { crc32: 1 } };
    const zip = buildZip({ entries: [{ name: 'a', content: 'good' }, dropped] });
    const seen: string[] = [];
    const all = async () => {
      for await (const { path, content } of filesOf(bytesSource(zip))) {
        await lengthOf(content);
        seen.push(path);
      }
    };
    await expect(all()).rejects.toMatchObject({ code: 'ARCHIVE_INVALID' });
    expect(seen).toEqual(['a']);
  });
});

describe('a source that fails', () => {
  const zip = largeZip([deflatedEntry('a', block, 4), storedEntry('b', block, 4 * megabyte)]);
  const within = { maxEntries: 2, maxTotalBytes: 1e8 };

  /** Streams so many bytes of the archive, then does as told, and says whether it was closed. */
  function breaking(after: number, breakNow: () => void) {
    const whole = piecesSource(zip);
    const state = { isClosed: false };
    const source: ByteSource = {
      ...whole,
      stream: async function* (first, last) {
        try {
          for await (const chunk of whole.stream(first, last)) {
            if (whole.bytesStreamed > after) return breakNow();
            yield chunk;
          }
        } finally {
          state.isClosed = true;
        }
      },
    };
    return { source, state };
  }

  test.each([
    ['a deflated file', megabyte],
    ['a stored file', 6 * megabyte],
    ['the first header', 0],
  ])('inside %s throws its own error, not an archive error', async (_, after) => {
    const lost = new Error('The connection was lost.');
    const broken = breaking(after, () => {
      throw lost;
    });
    await expect(readBySource(broken.source, within)).rejects.toBe(lost);
    const short = breaking(after, () => undefined);
    await expect(readBySource(short.source, within)).rejects.toThrow('The source ended before');
  });

  test('by returning fewer bytes than requested causes an error', async () => {
    const whole = bytesSource(twoFiles);
    const source = { ...whole, read: async () => twoFiles.subarray(0, 10) };
    await expect(openArchive(source, limits)).rejects.toThrow(/gave 10 bytes where \d+ were asked/);
  });

  test.each([
    ['a deflated file', 1],
    ['a stored file', 2],
  ])('or is abandoned inside %s is closed', async (_, lastFile) => {
    const { source, state } = breaking(Number.POSITIVE_INFINITY, () => undefined);
    let files = 0;
    for await (const { content } of filesOf(source, within)) {
      files += 1;
      if (files < lastFile) await lengthOf(content);
      for await (const chunk of content) {
        expect(chunk.length).toBeGreaterThan(0);
        break;
      }
      if (files === lastFile) break;
    }
    expect([files, state.isClosed]).toEqual([lastFile, true]);
  });
});

longProof(
  '500 MB of ZIP stream in less than 300 MB of memory, all of the process included',
  async () => {
    const script = fileURLToPath(
      new URL('../../../../fixtures/archives/stream-large-zip.ts', import.meta.url),
    );
    const child = spawnSync(process.execPath, ['--import', 'tsx', script], {
      encoding: 'utf8',
      env: { ...process.env, NODE_OPTIONS: '' },
    });
    expect(child.stderr).toBe('');
    const { zipBytes, files, bytes, peakBytes } = JSON.parse(child.stdout);
    console.log(`Peak memory ${Math.round(peakBytes / 1e6)} MB for a ZIP of ${zipBytes} bytes.`);
    expect([files, bytes]).toEqual([2003, 941_289_600]);
    expect(zipBytes).toBeGreaterThan(500_000_000);
    expect(peakBytes).toBeLessThan(300_000_000);
  },
);
