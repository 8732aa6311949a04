import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { type ChecksumAlgorithm, PutObjectCommand } from '@aws-sdk/client-s3';
import { describe, expect, test } from '@jest/globals';
import { Bucket, key, put, get, exists, refusal, tampering } from './suite.ts';

describe('checksums', () => {
  const algorithms: ChecksumAlgorithm[] = ['CRC32', 'CRC32C', 'CRC64NVME', 'SHA1', 'SHA256'];

  test.each(algorithms)(
    'verifies, stores and returns %s given as a header',
    async (ChecksumAlgorithm) => {
      const field = `Checksum${ChecksumAlgorithm}` as 'ChecksumCRC32';
      const written = await put(`sum-${ChecksumAlgorithm}`, {
        Body: '123456789',
        ChecksumAlgorithm,
      });
      expect(written[field]).toBeTruthy();
      const read = await get(`sum-${ChecksumAlgorithm}`, { ChecksumMode: 'ENABLED' });
      expect(read[field]).toBe(written[field]);
      expect(read.ChecksumType).toBe('FULL_OBJECT');
      expect(read.bytes.toString()).toBe('123456789');
    },
  );

  test.each(algorithms)(
    'verifies %s given as a trailer of a streamed body',
    async (ChecksumAlgorithm) => {
      const bytes = randomBytes(200_000);
      const Body = Readable.from([bytes.subarray(0, 90_000), bytes.subarray(90_000)]);
      await put(`trailer-${ChecksumAlgorithm}`, {
        Body,
        ContentLength: bytes.length,
        ChecksumAlgorithm,
      });
      const read = await get(`trailer-${ChecksumAlgorithm}`);
      expect(read.bytes.equals(bytes)).toBe(true);
      expect(read[`Checksum${ChecksumAlgorithm}` as 'ChecksumCRC32']).toBeTruthy();
    },
  );

  test.each([
    ['ChecksumCRC32', 'AAAAAA=='],
    ['ChecksumCRC32C', 'AAAAAA=='],
    ['ChecksumCRC64NVME', 'AAAAAAAAAAA='],
    ['ChecksumSHA1', Buffer.alloc(20).toString('base64')],
    ['ChecksumSHA256', Buffer.alloc(32).toString('base64')],
    ['ContentMD5', Buffer.alloc(16).toString('base64')],
  ])('refuses a body whose %s is another, and stores nothing', async (field, value) => {
    expect(await refusal(put(`bad-${field}`, { [field]: value }))).toBe('400 BadDigest');
    expect(await exists(`bad-${field}`)).toBe(false);
  });

  test.each([
    ['ContentMD5', 'short', '400 InvalidDigest'],
    ['ChecksumCRC32', 'short', '400 InvalidRequest'],
  ])('refuses an invalid %s', async (field, value, expected) => {
    expect(await refusal(put('malformed-sum', { [field]: value }))).toBe(expected);
  });

  const chunked = (body: string, trailer: string) =>
    `${body.length.toString(16)}\r\n${body}\r\n0\r\n${trailer}\r\n\r\n`;
  test.each([
    ['whose trailer is wrong', chunked('hello', 'x-amz-checksum-crc32:AAAAAA=='), '400 BadDigest'],
    ['without the promised trailer', '5\r\nhello\r\n0\r\n\r\n', '400 MalformedTrailerError'],
    [
      'with fewer bytes than declared',
      chunked('hell', 'x-amz-checksum-crc32:AAAAAA=='),
      '400 IncompleteBody',
    ],
    ['whose chunk ends early', '5\r\nhel', '400 IncompleteBody'],
  ])('refuses a streamed body %s, and stores nothing', async (title, wire, expected) => {
    const forged = tampering((request) => {
      request.body = Readable.from([Buffer.from(wire)]);
    });
    const Body = Readable.from([Buffer.from('hello')]);
    const call = forged.send(
      new PutObjectCommand({ Bucket, Key: key(title), Body, ContentLength: 5 }),
    );
    expect(await refusal(call)).toBe(expected);
    expect(await exists(title)).toBe(false);
  });

  test('refuses small chunks before the last one', async () => {
    const Body = Readable.from([Buffer.from('tiny'), Buffer.from('pieces')], {
      objectMode: false,
      highWaterMark: 4,
    });
    expect(await refusal(put('tiny-chunks', { Body, ContentLength: 10 }))).toBe(
      '403 InvalidChunkSizeError',
    );
  });
});
