import { expect, test } from '@jest/globals';
import { Slug } from '../../../../../contract/fields.ts';
import { isReserved } from '../../../../../core/projects/addresses/check-slug.ts';

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
  ['dash'],
  ['blog'],
  ['test'],
  ['example'],
  ['constructor'],
  ['hasownproperty'],
  ['xn--bcher-kva'],
  ['ab--cd'],
  ['a--b'],
  ['harbour--v3'],
  // Records of custom domains lead to it.
  ['cname'],
])('nobody can choose %s', (slug) => {
  expect(isReserved(Slug.parse(slug), brand)).toBe(true);
});

test.each([
  ['harbour'],
  ['clash'],
  ['blogs'],
  ['my-test'],
  ['my-admin-talk'],
  ['slipway-harbour'],
  ['slipways'],
  ['acme-harbour'],
  ['pages'],
  ['admin-x7k2'],
  ['apple'],
  ['moon'],
])('anybody can choose %s', (slug) => {
  expect(isReserved(Slug.parse(slug), brand)).toBe(false);
});

test('a brand without characters that a slug may contain reserves no further slug', () => {
  expect(isReserved(Slug.parse('harbour'), '港')).toBe(false);
});
