import { describe, expect, test } from '@jest/globals';
import { declaredCrc32 } from '../../../s3/bodies/checksums.ts';

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
