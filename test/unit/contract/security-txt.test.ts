import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { securityTxt } from '../../../contract/security-txt.ts';

const baseUrl = 'https://app.example.com';
const now = new Date('2026-03-01T12:34:56.789Z');

test('names an e-mail address as RFC 9116 writes it', () => {
  const contact = 'security@example.org';
  expect(securityTxt({ baseUrl, contact, policy: undefined }, now)).toBe(
    [
      'Contact: mailto:security@example.org',
      'Expires: 2026-05-30T00:00:00Z',
      'Preferred-Languages: en',
      'Canonical: https://app.example.com/.well-known/security.txt',
      '',
    ].join('\r\n'),
  );
});

test('names pages as they are', () => {
  const text = securityTxt(
    { baseUrl, contact: 'https://example.org/report', policy: 'https://example.org/policy' },
    now,
  );
  expect(text).toContain('Contact: https://example.org/report\r\n');
  expect(text).toContain('Policy: https://example.org/policy\r\n');
});

test('is never over, and over within a year, whenever it is asked for (RFC 9116 §2.5.5)', () => {
  const day = 86_400_000;
  const property = fc.property(
    fc.date({ noInvalidDate: true, min: new Date('2026-01-01'), max: new Date('2100-01-01') }),
    (at) => {
      const text = securityTxt({ baseUrl, contact: 'a@example.org', policy: undefined }, at);
      const expires = Date.parse(/^Expires: (.+)\r$/m.exec(text)?.[1] ?? '');
      return expires > at.getTime() + 80 * day && expires < at.getTime() + 365 * day;
    },
  );
  fc.assert(property);
});
