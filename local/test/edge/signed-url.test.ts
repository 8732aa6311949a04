import { createPublicKey, createSign, generateKeyPairSync } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { checkSignature, withoutSignature } from '../../edge/signed-url.ts';
import { aCachePolicy, anAnswer, anEdge, aRequest, aTemplate, keys, text } from './edge-fixture.ts';

const now = new Date('2026-01-01T00:00:00Z');
const seconds = now.getTime() / 1000;
const known = new Map([['MediaKey', createPublicKey(keys.publicKey)]]);
const stranger = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;

const urlSafe = (text: string) => text.replace(/\+/g, '-').replace(/=/g, '_').replace(/\//g, '~');
const sign = (
  policy: string,
  key: Parameters<ReturnType<typeof createSign>['sign']>[0] = keys.privateKey,
) => urlSafe(createSign('RSA-SHA1').update(policy).sign(key, 'base64'));
const base = 'http://a.sites.localhost:8787/media/p/v/abc';

function canned(expires: number, url = base): string {
  return `{"Statement":[{"Resource":"${url}","Condition":{"DateLessThan":{"AWS:EpochTime":${expires}}}}]}`;
}
const cannedQuery = (expires = seconds + 60, url = base) =>
  `Expires=${expires}&Signature=${sign(canned(expires, url))}&Key-Pair-Id=MediaKey`;
const customQuery = (statement: Record<string, unknown>) => {
  const policy = JSON.stringify({ Statement: [statement] });
  return `Policy=${urlSafe(Buffer.from(policy).toString('base64'))}&Signature=${sign(policy)}&Key-Pair-Id=MediaKey`;
};
const later = { DateLessThan: { 'AWS:EpochTime': seconds + 60 } };
const check = (query: string, path = '/media/p/v/abc') =>
  checkSignature(aRequest({ path, query }), known, now);

describe('signed URL', () => {
  test.each([
    ['a canned policy', cannedQuery()],
    [
      'a canned policy over a query of its own',
      `download=1&${cannedQuery(seconds + 60, `${base}?download=1`)}`,
    ],
    [
      'a custom policy with a wildcard',
      customQuery({ Resource: 'http://*.sites.localhost:8787/media/*', Condition: later }),
    ],
    [
      'a custom policy for the viewer network',
      customQuery({
        Resource: base,
        Condition: { ...later, IpAddress: { 'AWS:SourceIp': '192.0.2.0/24' } },
      }),
    ],
  ])('accepts %s', (_what, query) => {
    expect(check(query)).toBeUndefined();
  });

  test.each([
    ['without a key id', 'missing-key', 'Expires=1&Signature=x'],
    ['with an unknown key id', 'unknown-key', cannedQuery().replace('MediaKey', 'Other')],
    ['at the second of its end', 'denied', cannedQuery(seconds)],
    [
      'with a later end than was signed',
      'denied',
      cannedQuery().replace(String(seconds + 60), String(seconds + 61)),
    ],
    ['with a query that was not signed', 'denied', `download=1&${cannedQuery()}`],
    ['with two ends', 'denied', `Expires=${seconds + 99}&${cannedQuery()}`],
    [
      'with a broken signature',
      'denied',
      cannedQuery().replace(/Signature=.{8}/, 'Signature=AAAAAAAA'),
    ],
    ['without a signature', 'denied', cannedQuery().replace(/&Signature=[^&]*/, '')],
    ['without an end', 'denied', cannedQuery().replace(/Expires=\d+&/, '')],
    [
      'signed by another key',
      'denied',
      `Expires=${seconds + 60}&Signature=${sign(canned(seconds + 60), stranger)}&Key-Pair-Id=MediaKey`,
    ],
    [
      'with a custom policy for another path',
      'denied',
      customQuery({ Resource: 'http://*/other/*', Condition: later }),
    ],
    [
      'with a custom policy that has not begun',
      'denied',
      customQuery({
        Resource: base,
        Condition: { ...later, DateGreaterThan: { 'AWS:EpochTime': seconds + 1 } },
      }),
    ],
    [
      'with a custom policy for another network',
      'denied',
      customQuery({
        Resource: base,
        Condition: { ...later, IpAddress: { 'AWS:SourceIp': '10.0.0.0/8' } },
      }),
    ],
    [
      'with a custom policy without an end',
      'denied',
      customQuery({ Resource: base, Condition: {} }),
    ],
  ])('is refused %s: %s', (_what, refusal, query) => {
    expect(check(query)).toBe(refusal);
  });

  test('is refused for another path or host', () => {
    expect(check(cannedQuery(), '/media/p/v/abd')).toBe('denied');
    const elsewhere = aRequest({
      path: '/media/p/v/abc',
      query: cannedQuery(),
      headers: { host: 'b.sites.localhost:8787' },
    });
    expect(checkSignature(elsewhere, known, now)).toBe('denied');
  });

  test('loses only its own parameters', () => {
    expect(withoutSignature('a=1&Expires=1&b&Signature=x&Policy=y&Key-Pair-Id=z&expires=2')).toBe(
      'a=1&b&expires=2',
    );
  });

  test('is checked by the edge before the function rewrites, and never reaches the origin', async () => {
    const everything = aCachePolicy('Pages', {
      ParametersInCacheKeyAndForwardedToOrigin: {
        EnableAcceptEncodingGzip: false,
        CookiesConfig: { CookieBehavior: 'none' },
        QueryStringsConfig: { QueryStringBehavior: 'all' },
        HeadersConfig: { HeaderBehavior: 'none' },
      },
    });
    const resources = aTemplate([everything]);
    const { edge, originCalls } = anEdge(() => anAnswer({}, 'bytes'), { resources });
    const response = await edge.handle(aRequest({ path: '/media/p/v/abc', query: cannedQuery() }));
    expect([response.status, text(response)]).toEqual([200, 'bytes']);
    expect(originCalls[0]).toMatchObject({
      request: { path: '/content/p/v/abc', query: '' },
      origin: { kind: 's3', signsRequests: true, originPath: '/content' },
    });
  });

  test('gets a 403 in XML from the edge if it is invalid, even for a cached object', async () => {
    const { edge, originCalls, advance } = anEdge(() =>
      anAnswer({ 'cache-control': 'max-age=600' }),
    );
    await edge.handle(aRequest({ path: '/media/p/v/abc', query: cannedQuery() }));
    const missing = await edge.handle(aRequest({ path: '/media/p/v/abc' }));
    expect([missing.status, text(missing)]).toEqual([
      403,
      expect.stringContaining('<Code>MissingKey</Code>'),
    ]);
    advance(61);
    const expired = await edge.handle(aRequest({ path: '/media/p/v/abc', query: cannedQuery() }));
    expect([expired.status, text(expired)]).toEqual([
      403,
      expect.stringContaining('<Code>AccessDenied</Code>'),
    ]);
    expect(originCalls).toHaveLength(1);
  });
});

describe('an edge that checks after the function', () => {
  const statusFor = async (query: string) => {
    const { edge } = anEdge(() => anAnswer(), { differences: ['signature-after-function'] });
    return (await edge.handle(aRequest({ path: '/media/p/v/abc', query }))).status;
  };

  test('refuses a link for the address, and takes one for any prefix', async () => {
    expect(await statusFor(cannedQuery())).toBe(403);
    const Resource = 'http://a.sites.localhost:8787/*p/v/abc';
    expect(await statusFor(customQuery({ Resource, Condition: later }))).toBe(200);
    expect(await statusFor('')).toBe(403);
  });
});
