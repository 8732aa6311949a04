import { beforeAll, describe, expect, test } from '@jest/globals';
import { key, md5, put, list, refusal } from './suite.ts';

describe('listing', () => {
  const names = ['L/a/1', 'L/a/2', 'L/b', 'L/c/1', 'L/d', 'L/\ufffd', 'L/😀', 'L/é'];
  const sorted = ['L/a/1', 'L/a/2', 'L/b', 'L/c/1', 'L/d', 'L/é', 'L/\ufffd', 'L/😀'];
  beforeAll(async () => {
    await Promise.all(names.map((name) => put(name)));
  });

  test('sorts by UTF-8 bytes', async () => {
    const { Contents } = await list({ Prefix: key('L/') });
    expect(Contents?.map(({ Key }) => Key)).toEqual(sorted.map(key));
    expect(Contents?.[0]).toMatchObject({
      ETag: `"${md5('hello')}"`,
      Size: 5,
      StorageClass: 'STANDARD',
    });
  });

  test.each([1, 2, 3, 100])('pages through everything once, %d at a time', async (MaxKeys) => {
    const seen: unknown[] = [];
    let ContinuationToken: string | undefined;
    do {
      const page = await list({ Prefix: key('L/'), MaxKeys, ContinuationToken });
      expect(page.KeyCount).toBeLessThanOrEqual(MaxKeys);
      seen.push(...(page.Contents ?? []).map(({ Key }) => Key));
      ContinuationToken = page.NextContinuationToken;
      expect(page.IsTruncated).toBe(ContinuationToken !== undefined);
    } while (ContinuationToken !== undefined);
    expect(seen).toEqual(sorted.map(key));
  });

  test('answers an empty page for no keys at all', async () => {
    const page = await list({ Prefix: key('L/'), MaxKeys: 0 });
    expect(page).toMatchObject({ KeyCount: 0, IsTruncated: false });
  });

  test('refuses a token that it did not issue', async () => {
    expect(await refusal(list({ ContinuationToken: 'made-up' }))).toBe('400 InvalidArgument');
  });
});
