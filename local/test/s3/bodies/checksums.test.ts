import { randomBytes } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import {
  type ChecksumAlgorithm,
  declaredChecksum,
  startDigest,
} from '../../../s3/bodies/checksums.ts';

describe('digests', () => {
  // The check values of the CRC catalogue, and NIST's for the hashes.
  test.each<[ChecksumAlgorithm, string, string]>([
    ['CRC32', '123456789', 'cbf43926'],
    ['CRC32C', '123456789', 'e3069283'],
    ['CRC64NVME', '123456789', 'ae8b14860a799888'],
    ['SHA1', 'abc', 'a9993e364706816aba3e25717850c26c9cd0d89d'],
    ['SHA256', 'abc', 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'],
    ['CRC32', '', '00000000'],
    ['CRC32C', '', '00000000'],
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
  test('takes the one that is there, or the name of the trailer', () => {
    expect(declaredChecksum({ 'x-amz-checksum-crc32': 'AAAAAA==' })).toEqual({
      algorithm: 'CRC32',
      value: 'AAAAAA==',
    });
    expect(declaredChecksum({ 'x-amz-trailer': 'x-amz-checksum-sha1' })?.algorithm).toBe('SHA1');
    expect(declaredChecksum({})).toBeUndefined();
  });

  test.each<[string, Record<string, string>]>([
    ['two at once', { 'x-amz-checksum-crc32': 'AAAAAA==', 'x-amz-checksum-crc32c': 'AAAAAA==' }],
    [
      'a header and a trailer',
      { 'x-amz-checksum-crc32': 'AAAAAA==', 'x-amz-trailer': 'x-amz-checksum-crc32' },
    ],
    ['a value of another length', { 'x-amz-checksum-crc32': 'AAAAAAAA' }],
    ['a value that is not base64', { 'x-amz-checksum-crc32': '????????' }],
    ['a trailer that is no checksum', { 'x-amz-trailer': 'x-amz-meta-a' }],
    ['a name without a value', { 'x-amz-sdk-checksum-algorithm': 'CRC32' }],
    [
      'another name',
      { 'x-amz-sdk-checksum-algorithm': 'SHA1', 'x-amz-checksum-crc32': 'AAAAAA==' },
    ],
  ])('refuses %s', (_, headers) => {
    expect(() => declaredChecksum(headers)).toThrow(
      expect.objectContaining({ code: 'InvalidRequest' }),
    );
  });
});
