import { describe, expect, test } from '@jest/globals';
import { cacheKey, keyedValues } from '../../../edge/cache/cache-key.ts';
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
    [{}, { headers: {}, cookies: '', query: '' }],
    [
      { QueryStringsConfig: { QueryStringBehavior: 'whitelist', QueryStrings: ['b', 'a'] } },
      { headers: {}, cookies: '', query: 'a=1&b=2' },
    ],
    [
      { QueryStringsConfig: { QueryStringBehavior: 'allExcept', QueryStrings: ['a'] } },
      { headers: {}, cookies: '', query: 'b=2&A=3' },
    ],
    [{ CookiesConfig: { CookieBehavior: 'all' } }, { headers: {}, cookies: 'x=1; y=2', query: '' }],
    [
      { CookiesConfig: { CookieBehavior: 'whitelist', Cookies: ['y'] } },
      { headers: {}, cookies: 'y=2', query: '' },
    ],
    [
      { HeadersConfig: { HeaderBehavior: 'whitelist', Headers: ['X-A', 'X-B'] } },
      { headers: { 'x-a': '1' }, cookies: '', query: '' },
    ],
    [
      { EnableAcceptEncodingGzip: true },
      { headers: { 'accept-encoding': 'gzip' }, cookies: '', query: '' },
    ],
    [
      { EnableAcceptEncodingGzip: true, EnableAcceptEncodingBrotli: true },
      { headers: { 'accept-encoding': 'br,gzip' }, cookies: '', query: '' },
    ],
  ])('takes with %p: %p', (config, expected) => {
    expect(keyedValues(cachePolicy(aCachePolicy('P', keyConfig(config))), request)).toEqual(
      expected,
    );
  });

  test('separates values that could be confused when joined', () => {
    const none = { headers: {}, cookies: '', query: '' };
    const names = [
      cacheKey('T', 0, '/a', none),
      cacheKey('T', 1, '/a', none),
      cacheKey('U', 0, '/a', none),
      cacheKey('T', 0, '/a', { ...none, query: 'x' }),
      cacheKey('T', 0, '/a', { ...none, cookies: 'x' }),
      cacheKey('T', 0, '/a', { ...none, headers: { x: '' } }),
    ];
    expect(new Set(names).size).toBe(names.length);
  });
});
