import { describe, expect, test } from '@jest/globals';
import { keyedValues } from '../../edge/cache/cache-key.ts';
import { cachePolicy, managedCachePolicies } from '../../edge/cache/cache-policy.ts';
import { originRequest } from '../../edge/origin/origin-request.ts';
import { originRequestPolicy } from '../../edge/origin/origin-request-policy.ts';
import { aCachePolicy, aRequest, aResource } from './edge-fixture.ts';

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
