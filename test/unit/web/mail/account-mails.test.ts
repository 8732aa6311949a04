import { expect, test } from '@jest/globals';
import {
  accountClosedMail,
  addressChangedMail,
  addressInUseMail,
  currentAddressMail,
  newAddressMail,
} from '../../../../web/mail/account-mails.ts';

const sender = { brand: 'Slipway', baseUrl: 'https://app.example' };
const code = { ...sender, digits: '012345', minutes: 30 };
const newEmail = 'new@example.org';

test('a code is in the subject and in both forms; only the current mailbox learns the other address', () => {
  const [current, other] = [currentAddressMail({ ...code, newEmail }), newAddressMail(code)];
  for (const { subject, text, html } of [current, other]) {
    expect(subject).toMatch(/^012345 /);
    for (const form of [text, html]) {
      expect(form).toContain('012345');
      expect(form).toContain('30 minutes');
    }
  }
  expect(current.text).toContain(newEmail);
  expect(current.text).toContain('https://app.example/dashboard/account');
});

test('the others say what happened and what to do', () => {
  expect(addressInUseMail(sender).text).toMatch(/has an account already/);
  expect(addressInUseMail(sender).text).not.toMatch(/\d{6}/);
  expect(addressChangedMail({ ...sender, newEmail }).text).toContain(`is ${newEmail} now`);
  const restorableUntil = '2026-03-31T12:00:00.000Z';
  expect(accountClosedMail({ ...sender, restorableUntil }).text).toMatch(/31 March 2026/);
});

test('no address is markup, and none starts a header', () => {
  const hostile = `"<img src=x>\r\nBcc: all@example.com\u202E`;
  for (const mail of [
    currentAddressMail({ ...code, brand: hostile, newEmail: hostile }),
    addressChangedMail({ ...sender, brand: hostile, newEmail: hostile }),
  ]) {
    expect(mail.subject).not.toMatch(/[\r\n\u202E]/);
    expect(mail.text).not.toMatch(/^Bcc/m);
    expect(mail.html).not.toContain('<img');
  }
});
