import { describe, expect, test } from '@jest/globals';
import { authenticate } from '../../../s3/protocol/authenticate.ts';
import type { S3Request } from '../../../s3/protocol/s3-request.ts';
import {
  canonicalRequest,
  parseCredential,
  signingKey,
  signText,
  stringToSign,
} from '../../../signatures/sigv4.ts';
import { CREDENTIAL, EMPTY, context, aRequest, signed } from './published-examples.ts';

const published: [string, Partial<S3Request>, Record<string, string>, string][] = [
  [
    'a GET with a range',
    {},
    { range: 'bytes=0-9', 'x-amz-content-sha256': EMPTY },
    'f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
  ],
  [
    'a PUT of an odd key',
    { method: 'PUT', path: '/test$file.text' },
    {
      date: 'Fri, 24 May 2013 00:00:00 GMT',
      'x-amz-content-sha256': '44ce7dd67c959e0d3524ffac1771dfbba87d2b6b4b4e99e42034a8b803f8b072',
      'x-amz-storage-class': 'REDUCED_REDUNDANCY',
    },
    '98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd',
  ],
  [
    'a parameter without a value',
    { path: '/', query: [['lifecycle', '']] },
    { 'x-amz-content-sha256': EMPTY },
    'fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543',
  ],
  [
    'a listing',
    {
      path: '/',
      query: [
        ['prefix', 'J'],
        ['max-keys', '2'],
      ],
    },
    { 'x-amz-content-sha256': EMPTY },
    '34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7',
  ],
];

describe('header signatures', () => {
  test.each(published)('accepts the published signature of %s', (_, change, headers, signature) => {
    const request = aRequest({ ...change, headers: signed(headers, signature) });
    expect(authenticate(request, context).accessKeyId).toBe('AKIAIOSFODNN7EXAMPLE');
  });

  const [, change, headers, signature] = published[0] ?? ['', {}, {}, ''];
  const good = signed(headers, signature);
  test.each<[string, Partial<S3Request>, object, string]>([
    ['another method', { method: 'HEAD' }, {}, 'SignatureDoesNotMatch'],
    ['another path', { path: '/test.txt2' }, {}, 'SignatureDoesNotMatch'],
    ['an added parameter', { query: [['a', '']] }, {}, 'SignatureDoesNotMatch'],
    ['another range', { headers: { ...good, range: 'bytes=0-8' } }, {}, 'SignatureDoesNotMatch'],
    ['another host', { headers: { ...good, host: 'evil' } }, {}, 'SignatureDoesNotMatch'],
    ['an unsigned x-amz header', { headers: { ...good, 'x-amz-meta-a': '1' } }, {}, 'AccessDenied'],
    [
      'no body hash',
      { headers: { ...good, 'x-amz-content-sha256': 'no' } },
      {},
      'SignatureDoesNotMatch',
    ],
    ['an unknown key', {}, { secretFor: () => undefined }, 'InvalidAccessKeyId'],
    [
      'another region',
      {
        headers: {
          ...good,
          authorization: good.authorization?.replace('us-east-1', 'eu-west-1') ?? '',
        },
      },
      {},
      'AuthorizationHeaderMalformed',
    ],
    ['a late arrival', {}, { now: new Date('2013-05-24T00:15:01Z') }, 'RequestTimeTooSkewed'],
    ['an early arrival', {}, { now: new Date('2013-05-23T23:44:59Z') }, 'RequestTimeTooSkewed'],
    [
      'another day',
      { headers: { ...good, 'x-amz-date': '20130525T000000Z' } },
      {},
      'AuthorizationHeaderMalformed',
    ],
    ['another scheme', { headers: { ...good, authorization: 'Basic abc' } }, {}, 'InvalidRequest'],
    ['two signatures', { query: [['X-Amz-Algorithm', 'AWS4-HMAC-SHA256']] }, {}, 'InvalidArgument'],
    ['no signature', { headers: {} }, {}, 'AccessDenied'],
  ])('refuses %s', (_, other, otherContext, code) => {
    const request = aRequest({ ...change, headers: good, ...other });
    const check = () => authenticate(request, { ...context, ...otherContext });
    expect(check).toThrow(expect.objectContaining({ code }));
  });

  test('accepts fifteen minutes of difference', () => {
    const request = aRequest({ ...change, headers: good });
    const now = new Date('2013-05-24T00:15:00Z');
    expect(authenticate(request, { ...context, now }).sha256).toBe(EMPTY);
  });
});

describe('presigned URLs', () => {
  const parameters: Record<string, string> = {
    'X-Amz-Algorithm': 'AWS4-HMAC-SHA256',
    'X-Amz-Credential': CREDENTIAL,
    'X-Amz-Date': '20130524T000000Z',
    'X-Amz-Expires': '86400',
    'X-Amz-SignedHeaders': 'host',
    'X-Amz-Signature': 'aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404',
  };
  const presigned = (change: Record<string, string> = {}) =>
    aRequest({
      query: Object.entries({ ...parameters, ...change }),
      headers: { host: 'examplebucket.s3.amazonaws.com' },
    });

  test('accepts the published signature to its last second', () => {
    const now = new Date('2013-05-25T00:00:00Z');
    expect(authenticate(presigned(), { ...context, now }).sha256).toBeUndefined();
  });

  test.each<[string, Record<string, string>, object, string]>([
    ['a second later', {}, { now: new Date('2013-05-25T00:00:01Z') }, 'AccessDenied'],
    ['long before', {}, { now: new Date('2013-05-23T23:44:00Z') }, 'AccessDenied'],
    ['a longer life', { 'X-Amz-Expires': '86401' }, {}, 'SignatureDoesNotMatch'],
    [
      'another algorithm',
      { 'X-Amz-Algorithm': 'AWS4-HMAC-SHA1' },
      {},
      'AuthorizationQueryParametersError',
    ],
    ['a broken credential', { 'X-Amz-Credential': 'x' }, {}, 'AuthorizationQueryParametersError'],
    ['a wrong signature', { 'X-Amz-Signature': 'a'.repeat(64) }, {}, 'SignatureDoesNotMatch'],
  ])('refuses %s', (_, change, otherContext, code) => {
    const check = () => authenticate(presigned(change), { ...context, ...otherContext });
    expect(check).toThrow(expect.objectContaining({ code }));
  });
});

test('refuses a URL that was correctly signed for more than seven days', () => {
  const lifeOf = (seconds: number) => {
    const query: [string, string][] = [
      ['X-Amz-Algorithm', 'AWS4-HMAC-SHA256'],
      ['X-Amz-Credential', CREDENTIAL],
      ['X-Amz-Date', '20130524T000000Z'],
      ['X-Amz-Expires', String(seconds)],
      ['X-Amz-SignedHeaders', 'host'],
    ];
    const request = aRequest({ query, headers: { host: 'example' } });
    const credential = parseCredential(CREDENTIAL, 's3');
    if (credential === undefined) throw new Error('no credential');
    const canonical = canonicalRequest(request, ['host'], 'UNSIGNED-PAYLOAD');
    const key = signingKey(context.secretFor('AKIAIOSFODNN7EXAMPLE') ?? '', credential);
    const signature = signText(key, stringToSign('20130524T000000Z', credential, canonical));
    return () =>
      authenticate({ ...request, query: [...query, ['X-Amz-Signature', signature]] }, context);
  };
  expect(lifeOf(604_800)().sha256).toBeUndefined();
  for (const seconds of [604_801, 0]) {
    expect(lifeOf(seconds)).toThrow(
      expect.objectContaining({ code: 'AuthorizationQueryParametersError' }),
    );
  }
});
