import { describe, expect, test } from '@jest/globals';
import { readSevenZip } from '../../../../../web/viewers/tables/read-seven-zip.ts';
import {
  aLockedSevenZip,
  aSevenZip,
  aSevenZipBomb,
} from '../../../../fixtures/archives/sample-seven-zip.ts';

const contentsOf = (bytes: Uint8Array) =>
  readSevenZip({ name: 'a.7z', bytes: new Uint8Array(bytes), isCut: false });

/** The 32 bytes that say where the list is, and the list. */
function anArchive(list: readonly number[]): Buffer {
  const bytes = Buffer.alloc(32 + list.length);
  bytes.set([0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c, 0, 4]);
  bytes.writeBigUInt64LE(BigInt(list.length), 20);
  bytes.set(list, 32);
  return bytes;
}

describe('an archive of 7z', () => {
  test('is a table of its files, without its folders', () => {
    const { sheets, preamble } = contentsOf(aSevenZip());
    const changed = '2026-03-01 09:00';
    expect(preamble).toEqual(['4 files, 5 bytes when unpacked']);
    expect(sheets[0]?.rows).toEqual([
      ['Name', 'Bytes', 'Changed (UTC)'],
      ['docs/empty.txt', { text: '0', value: 0 }, changed],
      ['Tide at the north quay.txt', { text: '1', value: 1 }, changed],
      ['docs/Tide am süd.txt', { text: '2', value: 2 }, changed],
      ['docs/numbers.txt', { text: '2', value: 2 }, changed],
    ]);
  });

  test('may be empty', () => {
    expect(contentsOf(anArchive([])).preamble).toEqual(['0 files, 0 bytes when unpacked']);
  });

  test.each([
    ['is none', Buffer.from('Rar! and some more words for its list'), /does not match its name/],
    ['ends too early', aSevenZip().subarray(0, -20), /does not match its name/],
    ['has a password for its names', aLockedSevenZip(), /protected by a password/],
    ['says that its list is long', aSevenZipBomb(), /too large/],
    ['says that it has 2 ** 56 files', anArchive([1, 5, 255, ...Array(8).fill(255)]), /damaged/],
    ['has a list that unpacks to itself', anArchive(packedInItself()), /too large/],
    ['has another packed list', anArchive([0x17, ...packedBy([0x21], 9)]), /packed in a way/],
  ])('that %s is refused', (_, bytes, reason) => {
    expect(() => contentsOf(bytes)).toThrow(reason);
  });
});

/** Streams of one packed part at a place behind the start, by one method. */
function packedBy(method: readonly number[], length: number, start = 0): number[] {
  const packed = [0x06, start, 1, 0x09, length, 0x00];
  const folder = [0x07, 0x0b, 1, 0, 1, method.length, ...method, 0x0c, length, 0x00];
  return [...packed, ...folder, 0x00];
}

function packedInItself(): number[] {
  const { length } = [0x17, ...packedBy([0], 0)];
  return [0x17, ...packedBy([0], length)];
}
