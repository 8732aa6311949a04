import { describe, expect, test } from '@jest/globals';
import { edgeCredentials, isSignedByEdge, signAsEdge } from '../../signatures/url-signature.ts';
import type { HttpRequest } from '../../http/http.ts';

const credentials = edgeCredentials();
const by = { sourceArn: 'arn:aws:cloudfront::1:distribution/D', now: new Date('2026-11-22') };

function aRequest(changes: Partial<HttpRequest> = {}): HttpRequest {
  return {
    method: 'GET',
    path: '/',
    query: '',
    headers: { host: 'fn.lambda-url.us-east-1.on.aws' },
    body: Buffer.alloc(0),
    viewer: { address: '127.0.0.1', port: 1 },
    ...changes,
  };
}

const isAccepted = (changes: Partial<HttpRequest>) =>
  isSignedByEdge(signAsEdge(aRequest(changes), credentials, by), credentials, by.now);

describe('the signature of origin access control', () => {
  test.each(['/', '/a/b.html', '/a/', '/~user/a-b_c'])('matches for %s', (path) => {
    expect(isAccepted({ path })).toBe(true);
  });

  test.each(['/a%20b', '/a+b', '/a%2Fb', '/a(1)', '/caf%C3%A9', '/a//b', '/a/./b', '/@a'])(
    'does not match for %s: the function URL encodes it once more',
    (path) => {
      expect(isAccepted({ path })).toBe(false);
    },
  );

  test.each([
    ['a=1&b=2', true],
    ['b=2&a=1', true],
    ['a=%20', true],
    ['a=1+2', false],
    ["a='", false],
    ['a', false],
  ])('for the query %s: %s', (query, expected) => {
    expect(isAccepted({ query })).toBe(expected);
  });

  test('does not match for a body whose hash the viewer did not send', () => {
    const body = Buffer.from('a=1');
    expect(isAccepted({ method: 'POST', body })).toBe(false);
  });

  test('does not match if a visitor sends the hash of another body', () => {
    expect(isAccepted({ headers: { host: 'h', 'x-amz-content-sha256': 'A'.repeat(64) } })).toBe(
      false,
    );
  });

  test.each(['authorization', 'x-amz-security-token', 'x-amz-source-arn'])(
    'does not match without its own %s',
    (name) => {
      const signed = signAsEdge(aRequest(), credentials, by);
      const { [name]: _removed, ...headers } = signed.headers;
      expect(isSignedByEdge({ ...signed, headers }, credentials, by.now)).toBe(false);
    },
  );

  test('is replaced, not taken, from a visitor', () => {
    const headers = { host: 'h', authorization: 'Bearer x', 'x-amz-security-token': 'mine' };
    expect(isAccepted({ headers })).toBe(true);
    expect(isSignedByEdge(aRequest({ headers }), credentials, by.now)).toBe(false);
  });
});
