import { HeadObjectCommand } from '@aws-sdk/client-s3';
import { describe, expect, test } from '@jest/globals';
import { client, Bucket, key, put, get, refusal } from './suite.ts';

describe('conditional requests', () => {
  test('replaces only the version that If-Match names', async () => {
    const { ETag } = await put('versioned', { Body: 'one' });
    await put('versioned', { Body: 'two', IfMatch: ETag });
    expect(await refusal(put('versioned', { Body: 'three', IfMatch: ETag }))).toBe(
      '412 PreconditionFailed',
    );
    expect(await refusal(put('never-there', { IfMatch: ETag }))).toBe('404 NoSuchKey');
    expect((await get('versioned')).bytes.toString()).toBe('two');
  });

  test.each([
    ['If-None-Match of the present version', (tag: string) => ({ IfNoneMatch: tag }), '304'],
    ['If-None-Match of another version', () => ({ IfNoneMatch: '"other"' }), 'accepted'],
    ['If-Match of the present version', (tag: string) => ({ IfMatch: tag }), 'accepted'],
    ['If-Match of another version', () => ({ IfMatch: '"other"' }), '412'],
    ['If-Modified-Since in the past', () => ({ IfModifiedSince: new Date(0) }), 'accepted'],
    ['If-Unmodified-Since in the past', () => ({ IfUnmodifiedSince: new Date(0) }), '412'],
    [
      'If-None-Match of another version before If-Modified-Since',
      () => ({ IfNoneMatch: '"other"', IfModifiedSince: new Date() }),
      'accepted',
    ],
    [
      'If-Match of the present version before If-Unmodified-Since',
      (tag: string) => ({ IfMatch: tag, IfUnmodifiedSince: new Date(0) }),
      'accepted',
    ],
  ])('reads with %s', async (_, condition, expected) => {
    const { ETag = '' } = await put('conditional');
    expect(await refusal(get('conditional', condition(ETag)))).toContain(expected);
  });
});

describe('ranges', () => {
  test.each([
    ['bytes=0-4', '01234', 'bytes 0-4/10'],
    ['bytes=7-', '789', 'bytes 7-9/10'],
    ['bytes=-3', '789', 'bytes 7-9/10'],
    ['bytes=-99', '0123456789', 'bytes 0-9/10'],
    ['bytes=8-99', '89', 'bytes 8-9/10'],
  ])('answers %s with a part', async (Range, expected, ContentRange) => {
    await put('ranged', { Body: '0123456789' });
    const read = await get('ranged', { Range });
    expect(read.$metadata.httpStatusCode).toBe(206);
    expect(read.bytes.toString()).toBe(expected);
    expect(read).toMatchObject({ ContentRange, ContentLength: expected.length });
  });

  test.each(['bytes=5-2', 'lines=1-2'])('ignores the malformed range %s', async (Range) => {
    await put('ranged', { Body: '0123456789' });
    const read = await get('ranged', { Range });
    expect(read.$metadata.httpStatusCode).toBe(200);
    expect(read.bytes.toString()).toBe('0123456789');
  });

  test.each([
    ['ranged', 'bytes=10-'],
    ['ranged', 'bytes=-0'],
    ['ranged-empty', 'bytes=0-'],
  ])('refuses on %s the range %s', async (name, Range) => {
    await put('ranged', { Body: '0123456789' });
    await put('ranged-empty', { Body: '' });
    expect(await refusal(get(name, { Range }))).toBe('416 InvalidRange');
  });

  test('heads a range with its length', async () => {
    await put('ranged', { Body: '0123456789' });
    const head = await client.send(
      new HeadObjectCommand({ Bucket, Key: key('ranged'), Range: 'bytes=2-3' }),
    );
    expect(head.ContentLength).toBe(2);
  });
});
