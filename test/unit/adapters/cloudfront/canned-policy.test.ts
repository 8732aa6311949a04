import { generateKeyPairSync } from 'node:crypto';
import { getSignedUrl } from '@aws-sdk/cloudfront-signer';
import { expect, test } from '@jest/globals';
import { signedUrl, signedUrlFor } from '../../../../adapters/cloudfront/canned-policy.ts';

const { privateKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
});

test.each([
  'https://calm.sites.example.net/_slipway/media/0b7e4c1a-5f60-4c39-9d0e-2f1a6f0c9a11/a1/0f',
  'http://calm.sites.localhost:8787/_slipway/media/a/b/c',
  'https://calm.sites.example.net/_slipway/media/a/b/c?download=1',
])('signs %s as the SDK does, byte for byte', (url) => {
  // Forty signatures hold every letter that a query would read otherwise.
  for (let second = 0; second < 40; second += 1) {
    const until = new Date(Date.parse('2026-03-01T12:00:00.000Z') + second * 1000);
    const dateLessThan = until.toISOString();
    expect(signedUrl(url, { id: 'K2JCJMDEHXQW5F', privateKey }, until)).toBe(
      getSignedUrl({ url, keyPairId: 'K2JCJMDEHXQW5F', privateKey, dateLessThan }),
    );
  }
});

test('signs for other addresses of the same file as the SDK does with a custom policy', () => {
  const url = 'https://calm.sites.example.net/_slipway/media/p/1/ab';
  const resource = 'https://calm.sites.example.net/*p/1/ab';
  const until = new Date('2026-03-01T12:00:00.000Z');
  const expires = until.getTime() / 1000;
  const policy = `{"Statement":[{"Resource":"${resource}","Condition":{"DateLessThan":{"AWS:EpochTime":${expires}}}}]}`;
  expect(signedUrlFor(resource, url, { id: 'K2JCJMDEHXQW5F', privateKey }, until)).toBe(
    getSignedUrl({ url, keyPairId: 'K2JCJMDEHXQW5F', privateKey, policy }),
  );
});
