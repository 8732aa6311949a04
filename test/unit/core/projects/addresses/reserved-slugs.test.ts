import { expect, test } from '@jest/globals';
import { Slug } from '../../../../../contract/fields.ts';
import { isReserved } from '../../../../../core/projects/addresses/reserved-slugs.ts';

const brand = 'Acme Pages';

test.each([
  ['www'],
  ['admin'],
  ['adm1n'],
  ['admln'],
  ['adrnin'],
  ['ad-min'],
  ['vvww'],
  ['1ogin'],
  ['s1gn-in'],
  ['5upport'],
  ['mta-sts'],
  ['slipway'],
  ['s1ipway'],
  ['sllpway'],
  ['slip-way'],
  ['slipway-login'],
  ['login-slipway'],
  ['slipwaylogin'],
  ['acmepages'],
  ['acme-pages'],
  ['acrne-page5'],
  ['acme-pages-support'],
  ['xn--bcher-kva'],
  ['ab--cd'],
])('nobody is given %s', (slug) => {
  expect(isReserved(Slug.parse(slug), brand)).toBe(true);
});

test.each([
  ['harbour'],
  ['my-admin-talk'],
  ['slipway-harbour'],
  ['slipways'],
  ['acme-harbour'],
  ['pages'],
  ['admin-x7k2'],
  ['a--b'],
  ['abc--d'],
  ['apple'],
  ['moon'],
])('anybody may have %s', (slug) => {
  expect(isReserved(Slug.parse(slug), brand)).toBe(false);
});

test('a brand without a letter of an address reserves nothing more', () => {
  expect(isReserved(Slug.parse('harbour'), '港')).toBe(false);
});
