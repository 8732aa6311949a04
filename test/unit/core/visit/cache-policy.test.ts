import { describe, expect, test } from '@jest/globals';
import { cacheControlAfter, cacheControl } from '../../../../core/visit/cache-policy.ts';
import { aSite, now } from '../../../fixtures/a-site.ts';

describe('how long an edge may keep a file', () => {
  test.each([
    [
      'a page is asked for at every view',
      null,
      'index.html',
      'public, max-age=0, must-revalidate, stale-if-error=0',
    ],
    [
      'an asset five minutes',
      null,
      'logo.png',
      'public, max-age=0, s-maxage=300, must-revalidate, stale-if-error=0',
    ],
    [
      'an asset never past the expiry',
      '2026-03-01T12:01:00.000Z',
      'logo.png',
      'public, max-age=0, s-maxage=58, must-revalidate, stale-if-error=0',
    ],
    [
      'nothing in the last seconds',
      '2026-03-01T12:00:01.500Z',
      'logo.png',
      'public, max-age=0, s-maxage=0, must-revalidate, stale-if-error=0',
    ],
    [
      'a hashed name a year in browsers',
      null,
      'assets/index-BX3f9a1C.js',
      'public, max-age=31536000, s-maxage=300, immutable, stale-if-error=0',
    ],
    [
      'a hashed name of a project with an end until then',
      '2026-03-01T12:15:00.000Z',
      'main.4f2a9c1b.css',
      'public, max-age=898, s-maxage=300, immutable, stale-if-error=0',
    ],
    [
      'a long plain word is no hash',
      null,
      'background-pattern.png',
      'public, max-age=0, s-maxage=300, must-revalidate, stale-if-error=0',
    ],
  ])('%s', (_, expiresAt, path, expected) => {
    expect(cacheControl(aSite({ expiresAt }), path, now)).toBe(expected);
  });
});

test('the edge keeps nothing of an answer that took long to make, browsers keep what they may', () => {
  const hashed = 'public, max-age=31536000, s-maxage=300, immutable, stale-if-error=0';
  expect(cacheControlAfter(hashed, 300)).toBe(hashed);
  expect(cacheControlAfter(hashed, 301)).toBe(
    'public, max-age=31536000, s-maxage=0, immutable, stale-if-error=0',
  );
  expect(cacheControlAfter('private, no-store', 5000)).toBe('private, no-store');
});
