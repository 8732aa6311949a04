import { randomBytes } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import {
  type ChecksumAlgorithm,
  declaredCrc32,
  startDigest,
} from '../../../s3/bodies/checksums.ts';

describe('digests', () => {
  // The check values of the CRC catalogue.
  test.each<[ChecksumAlgorithm, string, string]>([
    ['CRC32', '123456789', 'cbf43926'],
    ['CRC64NVME', '123456789', 'ae8b14860a799888'],
    ['CRC32', '', '00000000'],
    ['CRC64NVME', '', '0000000000000000'],
  ])('computes %s of %j, in one piece and in several', (algorithm, text, expected) => {
    const [whole, pieces] = [startDigest(algorithm), startDigest(algorithm)];
    whole.update(Buffer.from(text));
    for (const c of text) pieces.update(Buffer.from(c));
    expect(whole.digest().toString('hex')).toBe(expected);
    expect(pieces.digest().toString('hex')).toBe(expected);
  });

  test('computes CRC64NVME of many bytes as of each byte alone, wherever pieces begin and end', () => {
    const bytes = randomBytes(100);
    for (let first = 0; first < 9; first += 1) {
      for (let end = first; end <= bytes.length; end += 7) {
        const [pieces, single] = [startDigest('CRC64NVME'), startDigest('CRC64NVME')];
        for (const piece of [bytes.subarray(0, first), bytes.subarray(first, end)]) {
          pieces.update(piece);
        }
        for (let at = 0; at < end; at += 1) single.update(bytes.subarray(at, at + 1));
        expect(pieces.digest()).toEqual(single.digest());
      }
    }
  });
});

describe('declared checksums', () => {
  test('is the CRC32 of the header, if there is one', () => {
    expect(declaredCrc32({ 'x-amz-checksum-crc32': 'AAAAAA==' })).toBe('AAAAAA==');
    expect(declaredCrc32({})).toBeUndefined();
  });

  test.each<[string, Record<string, string>, string]>([
    ['a value of another length', { 'x-amz-checksum-crc32': 'AAAAAAAA' }, 'InvalidRequest'],
    ['a value that is not base64', { 'x-amz-checksum-crc32': '????????' }, 'InvalidRequest'],
    ['a name without a value', { 'x-amz-sdk-checksum-algorithm': 'CRC32' }, 'InvalidRequest'],
    [
      'another name',
      { 'x-amz-sdk-checksum-algorithm': 'SHA1', 'x-amz-checksum-crc32': 'AAAAAA==' },
      'NotImplemented',
    ],
  ])('refuses %s', (_, headers, code) => {
    expect(() => declaredCrc32(headers)).toThrow(expect.objectContaining({ code }));
  });
});
