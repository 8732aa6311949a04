import { ListObjectsV2Command, PutObjectCommand } from '@aws-sdk/client-s3';
import { describe, expect, test } from '@jest/globals';
import { s3, Bucket, key, put, exists, refusal, outcome, tampering } from './suite.ts';

describe('signatures', () => {
  test('refuses a wrong secret and an unknown key', async () => {
    const command = () => new ListObjectsV2Command({ Bucket });
    const wrongSecret = s3.newClient({
      credentials: { ...s3.credentials, secretAccessKey: 'wrong' },
    });
    const unknownKey = s3.newClient({
      credentials: { ...s3.credentials, accessKeyId: 'AKIAAAAAAAAAAAAAAAAA' },
    });
    expect(await refusal(wrongSecret.send(command()))).toBe('403 SignatureDoesNotMatch');
    expect(await refusal(unknownKey.send(command()))).toBe('403 InvalidAccessKeyId');
  });

  test('refuses requests without a signature', async () => {
    await put('private');
    expect(await outcome(await fetch(s3.url(key('private'))))).toBe('403 AccessDenied');
    expect(await outcome(await fetch(s3.url(key('private')), { method: 'PUT', body: 'x' }))).toBe(
      '403 AccessDenied',
    );
  });

  test.each([
    [
      'a changed signed header',
      (h: Record<string, string>) => (h['x-amz-meta-a'] = 'changed'),
      '403 SignatureDoesNotMatch',
    ],
    [
      'an added x-amz header',
      (h: Record<string, string>) => (h['x-amz-meta-b'] = 'added'),
      '403 AccessDenied',
    ],
    [
      'a removed signed header',
      (h: Record<string, string>) => delete h['x-amz-meta-a'],
      '403 SignatureDoesNotMatch',
    ],
  ])('refuses %s', async (_, change, expected) => {
    const forged = tampering(({ headers }) => void change(headers));
    const input = { Bucket, Key: key('tampered'), Body: 'x', Metadata: { a: 'signed' } };
    expect(await refusal(forged.send(new PutObjectCommand(input)))).toBe(expected);
    expect(await exists('tampered')).toBe(false);
  });

  test('refuses a body that does not match its hash', async () => {
    const forged = tampering(
      (request) => {
        request.body = 'other';
      },
      { requestChecksumCalculation: 'WHEN_REQUIRED' },
    );
    const call = forged.send(
      new PutObjectCommand({ Bucket, Key: key('other-body'), Body: 'hello' }),
    );
    expect(await refusal(call)).toBe('400 XAmzContentSHA256Mismatch');
    expect(await exists('other-body')).toBe(false);
  });
});
