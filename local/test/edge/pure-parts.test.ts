import { describe, expect, test } from '@jest/globals';
import { cacheKey, keyedValues } from '../../edge/cache/cache-key.ts';
import { cachePolicy, managedCachePolicies } from '../../edge/cache/cache-policy.ts';
import { cacheTags } from '../../edge/cache/cache-store.ts';
import { isNotModified, rangeOf } from '../../edge/cache/stored-answer.ts';
import { originRequest } from '../../edge/origin/origin-request.ts';
import { originRequestPolicy } from '../../edge/origin/origin-request-policy.ts';
import { matchesPath, normalizedPath } from '../../edge/path-pattern.ts';
import { responseHeadersPolicy } from '../../edge/response-headers.ts';
import { aCachePolicy, aRequest, aResource } from './edge-fixture.ts';

describe('path pattern', () => {
  test.each([
    ['*', '/', true],
    ['/v1/*', '/v1/a/b', true],
    ['/v1/*', '/v1', false],
    ['v1/*', '/v1/', true],
    ['/V1/*', '/v1/a', false],
    ['*.jpg', '/a/b.jpg', true],
    ['*.jpg', '/a/b.jpg2', false],
    ['/a??.css', '/ab1.css', true],
    ['/a?.css', '/a.css', false],
    ['/a*b*c', '/axxbyybzc', true],
    ['/a.c', '/abc', false],
    [`/${'*a'.repeat(30)}`, `/${'a'.repeat(29)}b`, false],
  ])('%p and %p: %p', (pattern, path, expected) => {
    expect(matchesPath(pattern, path)).toBe(expected);
  });
});

test.each([
  ['/', '/'],
  ['/a/', '/a/'],
  ['/%5Fslipway/%6d', '/_slipway/m'],
  ['/a/../_slipway//x', '/_slipway/x'],
  ['/a/%2e%2E/./b', '/b'],
  ['/..', '/'],
  ['/a%2Fb%20c+', '/a%2Fb%20c+'],
])('the behaviour of %s is that of %s', (path, expected) => {
  expect(normalizedPath(path)).toBe(expected);
});

describe('range', () => {
  const stored = { etag: '"1"', 'last-modified': 'Thu, 01 Jan 2026 00:00:00 GMT' };
  const part = (start: number, end: number) => ({ kind: 'part', start, end });
  const full = { kind: 'full' };
  const none = { kind: 'unsatisfiable' };
  test.each<[Record<string, string>, unknown]>([
    [{}, full],
    [{ range: 'bytes=0-0' }, part(0, 0)],
    [{ range: 'bytes=2-' }, part(2, 9)],
    [{ range: 'bytes=2-99' }, part(2, 9)],
    [{ range: 'bytes=-3' }, part(7, 9)],
    [{ range: 'bytes=-99' }, part(0, 9)],
    [{ range: 'bytes=-0' }, none],
    [{ range: 'bytes=10-' }, none],
    [{ range: 'bytes=5-2' }, full],
    [{ range: 'bytes=0-1,3-4' }, full],
    [{ range: 'bytes=-' }, full],
    [{ range: 'lines=0-1' }, full],
    [{ range: 'bytes=0-1', 'if-range': '"1"' }, part(0, 1)],
    [{ range: 'bytes=0-1', 'if-range': '"2"' }, full],
    [{ range: 'bytes=0-1', 'if-range': 'W/"1"' }, full],
    [{ range: 'bytes=0-1', 'if-range': 'Thu, 01 Jan 2026 00:00:00 GMT' }, part(0, 1)],
  ])('%p of ten bytes is %p', (headers, expected) => {
    expect(rangeOf(headers, stored, 10)).toEqual(expected);
  });

  test('is not satisfiable for an empty body', () => {
    expect(rangeOf({ range: 'bytes=-5' }, stored, 0)).toEqual(none);
  });
});

describe('conditional request', () => {
  const stored = { etag: 'W/"1"', 'last-modified': 'Thu, 01 Jan 2026 00:00:00 GMT' };
  test.each<[Record<string, string>, boolean]>([
    [{}, false],
    [{ 'if-none-match': '"1"' }, true],
    [{ 'if-none-match': '"0", W/"1"' }, true],
    [{ 'if-none-match': '*' }, true],
    [{ 'if-none-match': '"2"', 'if-modified-since': 'Fri, 02 Jan 2026 00:00:00 GMT' }, false],
    [{ 'if-modified-since': 'Thu, 01 Jan 2026 00:00:00 GMT' }, true],
    [{ 'if-modified-since': 'Wed, 31 Dec 2025 00:00:00 GMT' }, false],
    [{ 'if-modified-since': 'nonsense' }, false],
  ])('%p matches the cached page: %p', (headers, expected) => {
    expect(isNotModified(headers, stored)).toBe(expected);
  });
});

describe('cache tags', () => {
  test('are lowercase, trimmed and of visible ASCII', () => {
    expect([...cacheTags(' P-1 ,p-1, b b,ä, c')]).toEqual(['p-1', 'c']);
  });

  test('beyond the fiftieth are ignored', () => {
    const tags = cacheTags(Array.from({ length: 60 }, (_, i) => `t${i}`).join(','));
    expect([tags.size, tags.has('t49'), tags.has('t50')]).toEqual([50, true, false]);
  });
});

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

describe('origin request', () => {
  const request = aRequest({
    method: 'GET',
    query: 'a=1&b=2',
    headers: {
      accept: 'text/html',
      'accept-encoding': 'gzip, br',
      authorization: 'Bearer x',
      cookie: 'x=1; y=2',
      'if-none-match': '"1"',
      range: 'bytes=0-1',
      'user-agent': 'Browser',
      'x-edge-a': '1',
      'x-amz-cf-id': 'forged',
      'x-forwarded-proto': 'https',
      te: 'trailers',
    },
  });
  const fixed = {
    host: 'origin.test',
    'user-agent': 'Amazon CloudFront',
    'if-none-match': '"1"',
    range: 'bytes=0-1',
    'x-forwarded-for': '192.0.2.7',
    via: '1.1 local.cloudfront.net (CloudFront)',
    'x-amz-cf-id': 'id',
  };
  const viewer = { accept: 'text/html', 'accept-encoding': 'gzip, br', 'user-agent': 'Browser' };
  const cases: [string, Record<string, unknown>, boolean, Record<string, unknown>][] = [
    ['no headers', { HeaderBehavior: 'none' }, false, fixed],
    [
      'listed headers',
      { HeaderBehavior: 'whitelist', Headers: ['Accept'] },
      false,
      { ...fixed, accept: 'text/html' },
    ],
    [
      'all headers',
      { HeaderBehavior: 'allViewer' },
      false,
      { ...fixed, ...viewer, authorization: 'Bearer x', host: 'a.sites.localhost:8787' },
    ],
    [
      'all headers but the host, to a signed origin',
      { HeaderBehavior: 'allExcept', Headers: ['Host'] },
      true,
      { ...fixed, ...viewer },
    ],
  ];
  test.each(cases)('contains %s', (_what, HeadersConfig, signsRequests, expected) => {
    const sent = originRequest(request, {
      origin: {
        kind: 'function-url',
        domainName: 'origin.test',
        originPath: '',
        signsRequests,
        id: 'o',
      },
      customHeaders: {},
      cachePolicy: cachePolicy(aCachePolicy('P')),
      originRequestPolicy: originRequestPolicy(
        aResource('OriginRequestPolicy', 'O', {
          OriginRequestPolicyConfig: {
            Name: 'o',
            HeadersConfig,
            CookiesConfig: { CookieBehavior: 'whitelist', Cookies: ['y'] },
            QueryStringsConfig: { QueryStringBehavior: 'allExcept', QueryStrings: ['a'] },
          },
        }),
      ),
      keyed: { headers: {}, cookies: '', query: '' },
      requestId: 'id',
    });
    expect(sent.headers).toEqual({ ...expected, cookie: 'y=2' });
    expect(sent.query).toBe('b=2');
  });

  test('contains the normalized Accept-Encoding if the cache policy compresses', () => {
    const policy = managedCachePolicies['658327ea-f89d-4fab-a63d-7e88639e58f6'];
    if (policy === undefined) throw new Error('the managed policy is gone');
    const sent = originRequest(request, {
      origin: {
        kind: 's3',
        domainName: 'origin.test',
        originPath: '/x',
        signsRequests: true,
        id: 'o',
      },
      customHeaders: { 'x-custom': '1' },
      cachePolicy: policy,
      originRequestPolicy: originRequestPolicy(
        aResource('OriginRequestPolicy', 'O', {
          OriginRequestPolicyConfig: {
            HeadersConfig: { HeaderBehavior: 'allViewer' },
            CookiesConfig: { CookieBehavior: 'none' },
            QueryStringsConfig: { QueryStringBehavior: 'none' },
          },
        }),
      ),
      keyed: keyedValues(policy, request),
      requestId: 'id',
    });
    expect(sent.headers).toMatchObject({ 'accept-encoding': 'br,gzip', 'x-custom': '1' });
    expect(sent.headers).not.toHaveProperty('cookie');
  });
});

describe('response headers policy', () => {
  const policy = (config: Record<string, unknown>) =>
    responseHeadersPolicy(
      aResource('ResponseHeadersPolicy', 'R', {
        ResponseHeadersPolicyConfig: { Name: 'r', ...config },
      }),
    );
  const cors = (origins: string[], more: Record<string, unknown> = {}) =>
    policy({
      CorsConfig: {
        AccessControlAllowCredentials: false,
        AccessControlAllowHeaders: { Items: ['authorization'] },
        AccessControlAllowMethods: { Items: ['GET', 'POST'] },
        AccessControlAllowOrigins: { Items: origins },
        AccessControlExposeHeaders: { Items: ['x-e'] },
        AccessControlMaxAgeSec: 60,
        OriginOverride: true,
        ...more,
      },
    });

  test('sets security and custom headers, and keeps the origin’s value if override is off', () => {
    const apply = policy({
      SecurityHeadersConfig: {
        StrictTransportSecurity: {
          AccessControlMaxAgeSec: 60,
          IncludeSubdomains: true,
          Preload: true,
          Override: true,
        },
        FrameOptions: { FrameOption: 'DENY', Override: false },
        ReferrerPolicy: { ReferrerPolicy: 'no-referrer', Override: true },
        ContentSecurityPolicy: { ContentSecurityPolicy: "default-src 'self'", Override: false },
        XSSProtection: { Protection: true, ModeBlock: true, Override: true },
      },
      CustomHeadersConfig: {
        Items: [{ Header: 'X-Robots-Tag', Value: 'noindex', Override: true }],
      },
      RemoveHeadersConfig: { Items: [{ Header: 'Server' }] },
    });
    expect(
      apply(
        { server: 'x', 'x-frame-options': 'SAMEORIGIN', 'referrer-policy': 'origin' },
        aRequest(),
      ),
    ).toEqual({
      'strict-transport-security': 'max-age=60; includeSubDomains; preload',
      'x-frame-options': 'SAMEORIGIN',
      'referrer-policy': 'no-referrer',
      'content-security-policy': "default-src 'self'",
      'x-xss-protection': '1; mode=block',
      'x-robots-tag': 'noindex',
    });
  });

  test.each<[string[], Record<string, string>, string, Record<string, unknown>]>([
    [['*'], {}, 'GET', {}],
    [
      ['*'],
      { origin: 'https://a.test' },
      'GET',
      { 'access-control-allow-origin': '*', 'access-control-expose-headers': 'x-e' },
    ],
    [
      ['https://*.a.test'],
      { origin: 'https://x.a.test' },
      'GET',
      {
        'access-control-allow-origin': 'https://x.a.test',
        vary: 'Origin',
        'access-control-expose-headers': 'x-e',
      },
    ],
    [['a.test'], { origin: 'https://b.test' }, 'GET', {}],
    [
      ['*'],
      { origin: 'https://a.test', 'access-control-request-method': 'POST' },
      'OPTIONS',
      {
        'access-control-allow-origin': '*',
        'access-control-allow-methods': 'GET, POST',
        'access-control-allow-headers': 'authorization',
        'access-control-max-age': '60',
      },
    ],
  ])('for origins %p and %p of %p adds %p', (origins, headers, method, expected) => {
    expect(cors(origins)({}, aRequest({ method, headers }))).toEqual(expected);
  });

  test('refuses server timing, which the edge does not measure', () => {
    expect(() => policy({ ServerTimingHeadersConfig: { Enabled: true } })).toThrow(
      'ServerTimingHeadersConfig',
    );
  });
});
