import { describe, expect, test } from '@jest/globals';
import {
  cacheControl,
  cacheControlAfter,
  siteCacheControl,
} from '../../../../../core/visit/protocol/cache-policy.ts';
import { aSite, now } from '../../../../fixtures/visits/a-site.ts';

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

  test.each([
    ['never without a place', undefined, 0],
    ['not before its time', '2026-03-01T12:00:00.001Z', 0],
    ['from its time on', '2026-03-01T12:00:00.000Z', 300],
  ])('%s', (_, edgeFrom, seconds) => {
    const policy = cacheControl(aSite({ edgeFrom }), 'logo.png', now);
    expect(policy).toContain(`s-maxage=${seconds},`);
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

describe('what a site says of its files is for browsers', () => {
  const asset = 'public, max-age=0, s-maxage=300, must-revalidate, stale-if-error=0';
  const page = 'public, max-age=0, must-revalidate, stale-if-error=0';
  const kept = (seconds: number, then: string) =>
    `public, max-age=${seconds}, s-maxage=300, ${then}, stale-if-error=0`;

  test.each([
    ['a time', asset, 'public, max-age=60', kept(60, 'must-revalidate')],
    ['for good', asset, 'max-age=31536000, immutable', kept(31_536_000, 'immutable')],
    ['longer than a year', asset, 'max-age=9999999999', kept(31_536_000, 'must-revalidate')],
    ['immutable and no time', asset, 'immutable', kept(0, 'must-revalidate')],
    ['to be asked for', asset, 'no-cache, max-age=60', kept(0, 'must-revalidate')],
    ['for browsers alone', asset, 'private, max-age=60', 'private, max-age=60, must-revalidate'],
    ['not at all', asset, 'no-store', 'private, no-store'],
    ['a page is asked for all the same', page, 'max-age=60, immutable', page],
    ['a page, not at all', page, 'no-store', 'private, no-store'],
    ['what is for one visitor stays so', 'private, no-store', 'max-age=60', 'private, no-store'],
  ])('%s', (_, ours, wanted, expected) => {
    expect(siteCacheControl(ours, wanted, 400 * 24 * 3600)).toBe(expected);
  });

  test('never past the end of the project', () => {
    expect(siteCacheControl(asset, 'max-age=3600, immutable', 58)).toBe(kept(58, 'immutable'));
  });
});
