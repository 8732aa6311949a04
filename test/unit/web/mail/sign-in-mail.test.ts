import { describe, expect, test } from '@jest/globals';
import { noSignUpMail, signInMail } from '../../../../web/mail/sign-in-mail.ts';

const sender = { brand: 'Slipway', baseUrl: 'https://app.example' };
const longCode = 'bcdf-ghjk-mnpq-rstv-wxyz-bcdf';
const codes = { digits: '012345', minutes: 10, longCode, longCodeMinutes: 60 };
const mail = signInMail({ ...sender, ...codes });
const refusal = noSignUpMail(sender);
const hostile = `"'><img src=x onerror=alert(1)></title></style>\r\nBcc: all@example.com\u202E\u2028`;

/** What a person reads in the HTML form. */
function readable(html: string): string {
  return html
    .replace(
      /<style>[\s\S]*?<\/style>|<title>[\s\S]*?<\/title>|<div style="display:none[\s\S]*?<\/div>/g,
      '',
    )
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ');
}

/** Tags that are open at the end, or closed without having been opened. */
function unbalanced(html: string): string[] {
  const open: string[] = [];
  const markup = html.replace(/<style>[\s\S]*?<\/style>/g, '');
  for (const [, slash, name = ''] of markup.matchAll(
    /<(\/?)([a-z][a-z0-9]*)(?:"[^"]*"|[^">])*>/g,
  )) {
    if (['meta', 'br'].includes(name)) continue;
    if (slash !== '/') open.push(name);
    else if (open.pop() !== name) return [`</${name}>`];
  }
  return open;
}

describe.each([
  ['the code', mail],
  ['the refusal', refusal],
])('the mail with %s', (_, { subject, text, html }) => {
  test('loads nothing and links to the service alone', () => {
    expect(html).not.toMatch(
      /<(?:img|link|script|iframe|form|video|svg)\b|url\(|@import|background=/,
    );
    expect([...html.matchAll(/(?:href|src)="([^"]*)"/g)].map(([, to]) => to)).toEqual([
      sender.baseUrl,
    ]);
    expect(text.match(/https?:\S+/g)).toEqual([sender.baseUrl]);
  });

  test('is one small well-formed document with a light and a dark style', () => {
    expect(html.startsWith('<!doctype html>\n<html lang="en">')).toBe(true);
    expect(html.match(/<h1[ >]/g)).toHaveLength(1);
    expect(unbalanced(html)).toEqual([]);
    expect(html).toContain('<meta name="color-scheme" content="light dark">');
    expect(html).toContain('@media (prefers-color-scheme:dark)');
    expect(html).toContain('max-width:480px');
    expect(html).toContain(`<title>${subject}</title>`);
    expect(Buffer.byteLength(html)).toBeLessThan(6000);
  });

  test('says the same in plain text as in HTML', () => {
    const words = readable(html).split(/[^\p{L}\d]+/u);
    for (const word of words) expect(text.toLowerCase()).toContain(word.toLowerCase());
    expect(text).toMatch(/\n$/);
    expect(text).not.toMatch(/[ \t]\n|\n\n\n|<[a-z]|&[a-z]+;/);
  });

  test('asks everybody who did not request it to ignore it', () => {
    expect(text).toContain('ignore this e-mail');
    expect(html).toContain('ignore this e-mail');
  });
});

describe('signInMail', () => {
  test('has the code in its subject, leading zeros too', () => {
    expect(mail.subject).toBe('012345 is your Slipway code');
  });

  test('shows the digits as one word that can be copied', () => {
    expect(mail.html).toMatch(
      /<p class="digits" style="[^"]*letter-spacing:10px[^"]*">012345<\/p>/,
    );
    expect(mail.html).toMatch(/user-select:all/);
    expect(mail.text).toMatch(/^ {4}012345$/m);
  });

  test('has a long code of letters for a person whom others locked out', () => {
    expect(mail.text).toMatch(/^ {4}bcdf-ghjk-mnpq-rstv-wxyz-bcdf$/m);
    expect(mail.html).toContain(`>${longCode}</code>`);
    expect(mail.text.match(/\b\d{6}\b/g)).toEqual(['012345']);
    for (const form of [mail.text, readable(mail.html)]) expect(form).toContain('for 60 minutes');
  });

  test('says for how long it works and that nobody asks for it', () => {
    for (const form of [mail.text, readable(mail.html)]) {
      expect(form).toContain('for 10 minutes');
      expect(form).toContain('works once');
      expect(form).toContain('Nobody from Slipway will ever ask you for this code');
    }
    expect(signInMail({ ...sender, ...codes, minutes: 1 }).text).toContain('for 1 minute.');
  });

  test('starts with the next step in a list of mails', () => {
    expect(mail.html).toMatch(
      /<div style="display:none[^"]*">Enter it on the page where you asked for it\./,
    );
  });
});

test('the refusal has no code and names no plan', () => {
  expect(refusal.subject).toBe('Signing in to Slipway');
  expect(refusal.text).not.toMatch(/\d/);
});

describe('a hostile brand', () => {
  const mails = [
    signInMail({ ...sender, ...codes, brand: hostile }),
    noSignUpMail({ ...sender, brand: hostile }),
  ];

  test.each(mails)('is escaped in %#', ({ html }) => {
    expect(html).not.toContain('<img');
    expect(html.match(/<\/style>/g)).toHaveLength(1);
    expect(html).toContain('&lt;img src=x');
    expect(unbalanced(html)).toEqual([]);
  });

  test.each(mails)('begins no header in the subject of %#', ({ subject, text }) => {
    expect(subject).not.toMatch(/[\r\n\u2028\u202E]/);
    expect(text).not.toMatch(/[\r\u2028\u202E]|^Bcc/m);
  });
});
