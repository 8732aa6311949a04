import { deflateRawSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import { maxBytesAtOnce } from '../../../../../core/content/zip/unpack-entry.ts';
import { archiveReaders } from '../../../../fixtures/archives/archive-readers.ts';
import { buildZip, concat, type EntrySpec } from '../../../../fixtures/archives/zip-builder.ts';

const limits = { maxEntries: 5, maxTotalBytes: 10_000_000 };

/** Content that is inflated in one call, and content of one byte more, which is streamed. */
const sizes = [1, maxBytesAtOnce, maxBytesAtOnce + 1];

const cases = sizes.flatMap((bytes) =>
  archiveReaders.map(([name, read]) => ({ bytes, name, read })),
);

const contentOf = (bytes: number) => new Uint8Array(Buffer.alloc(bytes, 'some words '));

function anArchive(bytes: number, entry: Partial<EntrySpec> = {}): Uint8Array {
  return buildZip({ entries: [{ name: 'a', method: 8, content: contentOf(bytes), ...entry }] });
}

describe.each(cases)('an entry of $bytes bytes, $name', ({ bytes, read }) => {
  const data = deflateRawSync(contentOf(bytes));
  const declared = (size: number) => ({ local: { bytes: size }, central: { bytes: size } });

  test('is read whole', async () => {
    const { files } = await read(anArchive(bytes), limits);
    expect(files.map(({ path }) => path)).toEqual(['a']);
    expect(Buffer.compare(files[0]?.bytes ?? new Uint8Array(), contentOf(bytes))).toBe(0);
  });

  test.each([
    [
      'more than it declares',
      { ...declared(bytes), content: contentOf(bytes + 1) },
      'another size',
    ],
    ['much more', { ...declared(bytes), content: contentOf(bytes + 3_000_000) }, 'another size'],
    ['less than it declares', declared(bytes + 1), 'another size'],
    ['data that is cut', { data: data.subarray(0, -1) }, 'another size'],
    ['a byte behind its data', { data: concat([data, Uint8Array.of(0)]) }, 'hidden behind'],
    ['damaged data', { data: Uint8Array.of(...data.subarray(0, -1), 255) }, '"a"'],
    ['another checksum', { local: { crc32: 7 }, central: { crc32: 7 } }, 'checksum'],
  ] satisfies [string, Partial<EntrySpec>, string][])(
    'is refused with %s',
    async (_, entry, why) => {
      await expect(read(anArchive(bytes, entry), limits)).rejects.toMatchObject({
        code: 'ARCHIVE_INVALID',
        message: expect.stringContaining(why),
      });
    },
  );
});
