import { describe, expect, test } from '@jest/globals';
import { exists, get, put, refusal, s3, Bucket, key } from './suite.ts';
import { PutObjectCommand } from '@aws-sdk/client-s3';

describe('checksums', () => {
  test('verifies, stores and returns the CRC32 that the SDK sends', async () => {
    const { ChecksumCRC32 } = await put('sum', { Body: '123456789' });
    expect(ChecksumCRC32).toBe('y/Q5Jg==');
    const read = await get('sum', { ChecksumMode: 'ENABLED' });
    expect(read).toMatchObject({ ChecksumCRC32, ChecksumType: 'FULL_OBJECT' });
    expect(read.bytes.toString()).toBe('123456789');
  });

  test('reads what came without a checksum', async () => {
    const plain = s3.newClient({ requestChecksumCalculation: 'WHEN_REQUIRED' });
    await plain.send(new PutObjectCommand({ Bucket, Key: key('none'), Body: '123456789' }));
    expect((await get('none')).bytes.toString()).toBe('123456789');
  });

  test('refuses a body whose checksum is another, and stores nothing', async () => {
    expect(await refusal(put('bad-sum', { ChecksumCRC32: 'AAAAAA==' }))).toBe('400 BadDigest');
    expect(await exists('bad-sum')).toBe(false);
  });

  test('refuses an invalid checksum', async () => {
    expect(await refusal(put('malformed-sum', { ChecksumCRC32: 'short' }))).toBe(
      '400 InvalidRequest',
    );
  });
});
