import { constants, deflateRawSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import { readArchive, readBySource } from '../../../fixtures/archives/archive-readers.ts';
import { chunkedSource } from '../../../fixtures/archives/byte-sources.ts';
import { peakMemory } from '../../../fixtures/peak-memory.mjs';
import {
  buildZip,
  concat,
  type EntrySpec,
  numbers,
  zip64Extra,
} from '../../../fixtures/archives/zip-builder.ts';

const limits = { maxEntries: 500, maxTotalBytes: 10_000_000 };
const megabyte = 1024 * 1024;

/** About 1 kB of deflate data per megabyte of zeros. */
function deflatedZeros(megabytes: number): Uint8Array {
  const block = deflateRawSync(new Uint8Array(megabyte), {
    level: 9,
    finishFlush: constants.Z_FULL_FLUSH,
  });
  return concat([...Array<Uint8Array>(megabytes).fill(block), Uint8Array.of(3, 0)]);
}

/** Says that it holds `bytes`, whatever it holds. */
function bomb(name: string, data: Uint8Array, bytes: number): EntrySpec {
  return { name, data, method: 8, local: { bytes }, central: { bytes } };
}

/** Two gigabytes of zeros in two megabytes of ZIP. */
const twoGigabytes = deflatedZeros(2048);

const kernel = { name: 'b', method: 8, content: new Uint8Array(4 * megabyte) };
const quotedHeader = buildZip({ entries: [kernel] }).slice(0, 31);

/**
 * Fifield's overlap: the data of `a` quotes the local header of `b` in a stored block and goes on
 * with the very data of `b`, so both inflate rightly and share one kernel.
 */
const quoting = {
  name: 'a',
  method: 8,
  content: concat([quotedHeader, kernel.content]),
  data: concat([
    Uint8Array.of(0),
    numbers([2, quotedHeader.length], [2, ~quotedHeader.length]),
    quotedHeader,
    deflateRawSync(kernel.content),
  ]),
};
const quotedAt = 31 + 5;

describe('a bomb is refused in bounded memory and time', () => {
  test.each([
    [
      'that declares 10 GB in a ZIP64 field',
      buildZip({
        entries: [
          {
            ...bomb('zeros', deflatedZeros(1024), 0xffff_ffff),
            extra: zip64Extra(10 * 1024 ** 3),
          },
        ],
      }),
      'unpacks to 10737418240 bytes',
    ],
    [
      'whose sizes add up to a number above 2^64',
      buildZip({
        entries: [1, 2, 3].map((index) => ({
          ...bomb(`${index}`, deflatedZeros(1), 0xffff_ffff),
          extra: zip64Extra(2 ** 63),
        })),
      }),
      'at most 10000000',
    ],
    [
      'that declares 1,000 bytes and holds 2 GB',
      buildZip({ entries: [bomb('zeros', twoGigabytes, 1000)] }),
      'another size',
    ],
    [
      'that declares nothing and holds 2 GB',
      buildZip({ entries: [{ ...bomb('zeros', twoGigabytes, 0), content: '' }] }),
      'hidden behind',
    ],
    [
      'that declares exactly the limit and holds 2 GB',
      buildZip({ entries: [bomb('zeros', twoGigabytes, limits.maxTotalBytes)] }),
      'another size',
    ],
    [
      'of many entries that each fit, but not together',
      buildZip({
        entries: Array.from({ length: 400 }, (_, index) =>
          bomb(`${index}`, deflatedZeros(1), megabyte),
        ),
      }),
      'unpacks to 419430400 bytes',
    ],
    [
      'whose entries overlap',
      buildZip({
        entries: [quoting, { ...kernel, centralOnly: true, central: { localHeaderAt: quotedAt } }],
      }),
      '"a" overlaps',
    ],
    [
      'whose entries share one local header',
      buildZip({
        entries: Array.from({ length: 9 }, (_, index) => ({
          ...bomb('zeros', deflatedZeros(1), megabyte),
          centralOnly: index > 0,
          central: { bytes: megabyte, localHeaderAt: 0 },
        })),
      }),
      'overlaps',
    ],
  ])('one %s', async (_, zip, message) => {
    const inChunks = chunkedSource(zip, 64 * 1024);
    for (const read of [() => readArchive(zip, limits), () => readBySource(inChunks, limits)]) {
      const before = peakMemory();
      const startedAt = performance.now();
      await expect(read()).rejects.toMatchObject({
        code: 'ARCHIVE_INVALID',
        message: expect.stringContaining(message),
      });
      expect(peakMemory() - before).toBeLessThan(150 * megabyte);
      expect(performance.now() - startedAt).toBeLessThan(5000);
    }
  });

  test.each([quoting, kernel])(
    'entry "$name" of the overlapping bomb is valid alone',
    async (entry) => {
      const {
        files: [file],
      } = await readArchive(buildZip({ entries: [entry] }), limits);
      expect(Buffer.compare(file?.bytes ?? new Uint8Array(), entry.content)).toBe(0);
    },
  );

  test('a ZIP inside a ZIP is not unpacked', async () => {
    const inner = buildZip({ entries: [bomb('zeros', twoGigabytes, 2 ** 31)] });
    const zip = buildZip({ entries: [{ name: 'inner.zip', content: inner, method: 8 }] });
    const {
      files: [file],
    } = await readArchive(zip, limits);
    expect(Buffer.compare(file?.bytes ?? new Uint8Array(), inner)).toBe(0);
  });
});
