import { expect, test } from '@jest/globals';
import {
  accountClosedMail,
  addressChangedMail,
  addressInUseMail,
  currentAddressMail,
  newAddressMail,
} from '../../../../web/mail/account-mails.ts';
import { domainNoticeMail } from '../../../../web/mail/domain-notice-mail.ts';
import type { Mail, Sender } from '../../../../web/mail/mail-frame.ts';
import { suspendedMail, takenDownMail } from '../../../../web/mail/moderation-mails.ts';
import { expiryMail, trialMail } from '../../../../web/mail/trial-mail.ts';
import { monthlyLimitMail } from '../../../../web/mail/monthly-limit-mail.ts';
import { passwordAlertMail } from '../../../../web/mail/password-alert-mail.ts';
import { planNoticeMail } from '../../../../web/mail/plan-notice-mail.ts';
import { noSignUpMail, signInMail } from '../../../../web/mail/sign-in-mail.ts';
import { signInNoticeMail } from '../../../../web/mail/sign-in-notice-mail.ts';

const at = '2026-03-01T12:00:00.000Z';
const code = { digits: '012345', minutes: 30 };
const newEmail = 'new@example.org';

const mails: Record<string, (sender: Sender) => Mail> = {
  accountClosed: (mail) => accountClosedMail({ ...mail, restorableUntil: at }),
  addressChanged: (mail) => addressChangedMail({ ...mail, newEmail }),
  addressTaken: addressInUseMail,
  currentAddress: (mail) => currentAddressMail({ ...mail, ...code, newEmail }),
  newAddress: (mail) => newAddressMail({ ...mail, ...code }),
  domainNotice: (mail) =>
    domainNoticeMail({ ...mail, domain: 'example.org', kind: 'lost-to-other', detail: '' }),
  passwordAlert: (mail) =>
    passwordAlertMail({ ...mail, title: 'Tides', url: 'https://tides.example', since: at }),
  planNotice: (mail) =>
    planNoticeMail({ ...mail, versionsKept: 1, maxStorageBytes: 1, projects: 1, pruneAt: at }),
  takenDown: (mail) => takenDownMail({ ...mail, title: 'Tides', projectId: 'p', reason: 'x' }),
  suspended: (mail) => suspendedMail({ ...mail, reason: 'x', contact: '' }),
  trial: (mail) =>
    trialMail({ ...mail, endsAt: at, maxProjects: 5, maxStorageBytes: 1, stopToken: 't' }),
  expiry: (mail) =>
    expiryMail({ ...mail, title: 'Tides', projectId: 'p', expiresAt: at, stopToken: 't' }),
  noSignUp: noSignUpMail,
  signIn: (mail) => signInMail({ ...mail, ...code, longCode: 'bcdf', longCodeMinutes: 60 }),
  signInNotice: (mail) =>
    signInNoticeMail({
      ...mail,
      granted: 'key',
      at,
      browser: null,
      os: null,
      country: null,
    }),
  monthlyLimit: (mail) =>
    monthlyLimitMail({ ...mail, what: 'visits', percent: 80, used: 8, limit: 10 }),
};

test.each(Object.entries(mails))('the mail %s carries the link', (_, write) => {
  const sender = { brand: 'Slipway', baseUrl: 'https://app.example' };
  const url = 'https://app.example/account/keep/x.y';
  const stopsDeletion = { url, until: '2026-03-31T12:00:00.000Z' };
  const { text, html } = write({ ...sender, stopsDeletion });
  expect(html).toContain(`href="${url}"`);
  for (const form of [text, html]) {
    expect(form).toContain(url);
    expect(form).toMatch(/31 March 2026/);
  }
  for (const form of Object.values(write(sender))) expect(form).not.toContain('/account/keep/');
});
