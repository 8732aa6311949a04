import { describe, expect, test } from '@jest/globals';
import { keyedHeaders } from '../../edge/cache/cache-key.ts';
import { cachePolicy } from '../../edge/cache/cache-policy.ts';
import { originRequest } from '../../edge/origin/origin-request.ts';
import {
  noOriginRequestPolicy,
  originRequestPolicy,
  type OriginRequestPolicy,
} from '../../edge/origin/origin-request-policy.ts';
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
  const to = (
    originRequestPolicy: OriginRequestPolicy,
    signsRequests = false,
    isPacked = false,
  ) => {
    const policy = cachePolicy(aCachePolicy('P', {}, [], isPacked));
    return originRequest(request, {
      origin: {
        kind: 'function-url',
        domainName: 'origin.test',
        originPath: '',
        isS3: false,
        originAccessControlId: undefined,
        customHeaders: { 'x-custom': '1' },
        signsRequests,
        id: 'o',
      },
      cachePolicy: policy,
      originRequestPolicy,
      keyed: keyedHeaders(policy, request),
      requestId: 'id',
    });
  };
  const listed = originRequestPolicy(
    aResource('OriginRequestPolicy', 'O', {
      OriginRequestPolicyConfig: {
        Name: 'o',
        HeadersConfig: { HeaderBehavior: 'whitelist', Headers: ['Accept'] },
        CookiesConfig: { CookieBehavior: 'none' },
        QueryStringsConfig: { QueryStringBehavior: 'none' },
      },
    }),
  );
  const all = { ...fixed, ...viewer, cookie: 'x=1; y=2' };
  const cases: [string, OriginRequestPolicy, boolean, object, string][] = [
    ['no headers', noOriginRequestPolicy, false, fixed, ''],
    ['listed headers', listed, false, { ...fixed, accept: 'text/html' }, ''],
    ['all but the host', 'all-but-host', false, { ...all, authorization: 'Bearer x' }, 'a=1&b=2'],
    ['all but the host, to a signed origin', 'all-but-host', true, all, 'a=1&b=2'],
  ];
  test.each(cases)('contains %s', (_what, policy, signsRequests, headers, query) => {
    const sent = to(policy, signsRequests);
    expect(sent.headers).toEqual({ ...headers, 'x-custom': '1' });
    expect(sent.query).toBe(query);
  });

  test('contains the normalized Accept-Encoding if the cache policy compresses', () => {
    const sent = to('all-but-host', false, true);
    expect(sent.headers).toMatchObject({ 'accept-encoding': 'br,gzip' });
  });
});
