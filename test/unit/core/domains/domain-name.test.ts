import { describe, expect, test } from '@jest/globals';
import { shownName } from '../../../../core/domains/domain-name.ts';
import { parseDomainName } from '../../../../core/domains/parse-domain-name.ts';

const own = {
  hosts: ['app.slipway.example.org', 'sites.example.net', 'd111.cloudfront.net'],
  testableSuffix: '',
};

describe('a name that a customer adds', () => {
  test.each([
    ['customer.com', 'customer.com', 'customer.com'],
    [' Customer.COM. ', 'customer.com', 'customer.com'],
    ['shop.customer.co.uk', 'shop.customer.co.uk', 'customer.co.uk'],
    ['bücher.de', 'xn--bcher-kva.de', 'xn--bcher-kva.de'],
    ['someone.github.io', 'someone.github.io', 'someone.github.io'],
    ['a.b.c.d.e.f.g.h.customer.com', 'a.b.c.d.e.f.g.h.customer.com', 'customer.com'],
  ])('%s is accepted', (text, name, zone) => {
    expect(parseDomainName(text, own)).toEqual({ name, zone });
  });

  test.each([
    ['https://customer.com/'],
    ['customer.com:8080'],
    ['*.customer.com'],
    ['customer com'],
    ['user@customer.com'],
    ['192.0.2.1'],
    ['0x7f.1'],
    ['[2001:db8::1]'],
    ['com'],
    ['co.uk'],
    ['github.io'],
    ['localhost'],
    ['customer.localhost'],
    ['customer.internal'],
    ['-bad.com'],
    [`${'a'.repeat(64)}.com`],
    [`${'a.'.repeat(100)}com`],
    ['a.b.c.d.e.f.g.h.i.customer.com'],
    ['sites.example.net'],
    ['x.sites.example.net'],
    ['example.net'],
    ['example.org'],
    ['d111.cloudfront.net'],
    ['www.customer.com'],
    ['_dmarc.customer.com'],
    [''],
    ['.'],
  ])('%s is refused', (text) => {
    expect(parseDomainName(text, own)).toEqual({ refused: expect.any(String) });
  });

  test('a local cloud allows names beneath its suffix, but not the suffix', () => {
    const local = { ...own, testableSuffix: 'localhost' };
    const zone = 'customer.localhost';
    expect(parseDomainName('customer.localhost', local)).toEqual({ name: zone, zone });
    expect(parseDomainName('a.customer.localhost', local)).toMatchObject({ zone });
    expect(parseDomainName('localhost', local)).toEqual({ refused: expect.any(String) });
  });

  test('is shown as browsers show it', () => {
    expect(shownName('xn--bcher-kva.de')).toBe('bücher.de');
    expect(shownName('customer.com')).toBe('customer.com');
  });
});
