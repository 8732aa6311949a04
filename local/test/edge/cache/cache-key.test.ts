import { describe, expect, test } from '@jest/globals';
import { cacheKey, keyedHeaders } from '../../../edge/cache/cache-key.ts';
import { cachePolicy } from '../../../edge/cache/cache-policy.ts';
import { aCachePolicy, aRequest } from '../edge-fixture.ts';

const keyConfig = (overrides: Record<string, unknown>) => ({
  ParametersInCacheKeyAndForwardedToOrigin: {
    EnableAcceptEncodingGzip: false,
    CookiesConfig: { CookieBehavior: 'none' },
    QueryStringsConfig: { QueryStringBehavior: 'none' },
    HeadersConfig: { HeaderBehavior: 'none' },
    ...overrides,
  },
});

describe('cache key', () => {
  const request = aRequest({
    query: 'a=1&b=2&A=3',
    headers: { cookie: 'x=1; y=2', 'accept-encoding': 'deflate, GZIP;q=0.5, br', 'x-a': '1' },
  });
  test.each<[Record<string, unknown>, unknown]>([
    [{}, {}],
    [{ HeadersConfig: { HeaderBehavior: 'whitelist', Headers: ['X-A', 'X-B'] } }, { 'x-a': '1' }],
    [{ EnableAcceptEncodingGzip: true }, { 'accept-encoding': 'gzip' }],
    [
      { EnableAcceptEncodingGzip: true, EnableAcceptEncodingBrotli: true },
      { 'accept-encoding': 'br,gzip' },
    ],
  ])('takes with %p: %p', (config, expected) => {
    expect(keyedHeaders(cachePolicy(aCachePolicy('P', keyConfig(config))), request)).toEqual(
      expected,
    );
  });

  test('separates values that could be confused when joined', () => {
    const names = [
      cacheKey('T', 0, '/a', {}),
      cacheKey('T', 1, '/a', {}),
      cacheKey('U', 0, '/a', {}),
      cacheKey('T', 0, '/a', { x: '' }),
    ];
    expect(new Set(names).size).toBe(names.length);
  });
});
