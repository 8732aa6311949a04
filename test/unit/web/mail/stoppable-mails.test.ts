import { expect, test } from '@jest/globals';
import { arrivalMail, requestMail } from '../../../../web/mail/arrival-mail.ts';
import { openMail } from '../../../../web/mail/open-mail.ts';
import { expiryMail, trialMail } from '../../../../web/mail/trial-mail.ts';

const mail = {
  brand: 'Slipway',
  baseUrl: 'https://app.example',
  stopToken: 'stop.-.me',
  title: 'Harbour',
  projectId: 'p',
};
const at = '2030-01-02T03:04:05.000Z';
const files = { fileCount: 1, bytes: 1 };
const uploads = { uploads: 1, received: 1, maxUploads: 2, closesAt: at };

test.each([
  ['a trial that ends', trialMail({ ...mail, endsAt: at, maxProjects: 2, maxStorageBytes: 5 })],
  ['a project that expires', expiryMail({ ...mail, expiresAt: at })],
  ['files', arrivalMail({ ...mail, ...files, url: 'https://harbour.example' })],
  ['a file request', requestMail({ ...mail, ...files, ...uploads })],
  ['opens', openMail({ ...mail, kind: 'daily', linkName: null, opens: 2, latest: [] })],
])('a mail about %s has the link that stops such mails, also for mail programs', (_, written) => {
  const url = 'https://app.example/mails/stop/stop.-.me';
  expect(written.unsubscribeUrl).toBe(url);
  for (const form of [written.text, written.html]) expect(form).toContain(url);
});
