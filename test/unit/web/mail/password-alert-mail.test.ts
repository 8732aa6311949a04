import { expect, test } from '@jest/globals';
import { passwordAlertMail } from '../../../../web/mail/password-alert-mail.ts';

const news = {
  brand: 'Slipway',
  baseUrl: 'https://app.example',
  title: 'Harbour plans',
  url: 'https://harbour-plans.sites.example',
  since: '2026-03-01T12:00:00.000Z',
};

test('names the page, the time, the effect and the next step', () => {
  const { subject, text, html } = passwordAlertMail(news);
  expect(subject).toBe('Many wrong passwords for “Harbour plans”');
  for (const form of [text, html]) {
    expect(form).toContain('https://harbour-plans.sites.example');
    expect(form).toContain('More than 100 wrong passwords');
    expect(form).toMatch(/1 March 2026/);
    expect(form).toContain('50 wrong attempts a day');
    expect(form).toContain('at least eight characters');
    expect(form).toContain('at most once a day');
  }
});

test('a title is escaped, and cannot start a header', () => {
  const title = `"'><img src=x>\r\nBcc: all@example.com\u202E`;
  const { subject, text, html } = passwordAlertMail({ ...news, title });
  expect(subject).not.toMatch(/[\r\n\u202E]/);
  expect(text).not.toMatch(/^Bcc/m);
  expect(html).not.toContain('<img');
});
