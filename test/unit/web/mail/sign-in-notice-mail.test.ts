import { describe, expect, test } from '@jest/globals';
import { signInNoticeMail } from '../../../../web/mail/sign-in-notice-mail.ts';

const news = {
  brand: 'Slipway',
  baseUrl: 'https://app.example',
  granted: 'session',
  at: '2026-11-21T09:00:00.000Z',
  browser: 'Firefox',
  os: null,
  country: 'DE',
} as const;
const hostile = `"'><img src=x onerror=alert(1)></title></style>\r\nBcc: all@example.com\u202E\u2028`;

describe('the mail of a new sign-in', () => {
  test('says when, from where and what to do, in both forms', () => {
    const { subject, text, html } = signInNoticeMail(news);
    expect(subject).toBe('A new browser signed in to Slipway');
    for (const form of [text, html]) {
      expect(form).toContain('21 November 2026 at 09:00 UTC');
      for (const fact of ['Browser: Firefox', 'System: unknown', 'Country: Germany']) {
        expect(form).toContain(fact);
      }
      expect(form).toContain('https://app.example/dashboard/account');
    }
  });

  test('of a key leads to the list of keys', () => {
    const { subject, text } = signInNoticeMail({ ...news, granted: 'key' });
    expect(subject).toBe('A new key for your Slipway account');
    expect(text).toContain('delete the key on this page:\n\nhttps://app.example/dashboard/keys');
  });

  test('escapes everything that a browser sends', () => {
    const says = { browser: hostile, os: hostile, country: hostile };
    const { subject, text, html } = signInNoticeMail({ ...news, ...says, brand: hostile });
    expect(subject).not.toMatch(/[\r\n\u2028]/);
    expect(text).not.toMatch(/^Bcc:/m);
    expect(html).not.toContain('<img');
  });
});
