import { expect, test } from '@jest/globals';
import { mayMail, mayMailArrival } from '../../../core/mail-notices.ts';
import { arrivalMail } from '../../../web/mail/arrival-mail.ts';
import { ownerId } from '../../fixtures/projects/a-project.ts';
import { now } from '../../fixtures/visits/a-site.ts';

test('senders of files cause half of the mails of a day, and leave the others', async () => {
  const counts = new Map<string, number>();
  const counters = {
    async count(key: string) {
      counts.set(key, (counts.get(key) ?? 0) + 1);
      return counts.get(key) ?? 0;
    },
  };
  const mailsOf = async (may: typeof mayMail) => {
    let mails = 0;
    for (let count = 0; count < 100; count += 1)
      mails += (await may({ counters }, ownerId, now)) ? 1 : 0;
    return mails;
  };
  expect(await mailsOf(mayMailArrival)).toBe(25);
  expect(await mailsOf(mayMail)).toBe(25);
  expect(await mailsOf(mayMailArrival)).toBe(0);
});

test('the subject of a mail about files has no text of their sender', () => {
  const title = 'Fair – https://evil.example/verify';
  const mail = { brand: 'Slipway', baseUrl: 'https://app.example', title, projectId: 'p' };
  const { subject, text } = arrivalMail({
    ...mail,
    url: 'https://x.example',
    fileCount: 1,
    bytes: 1,
  });
  expect(subject).toBe('Files arrived by your upload link');
  expect(text).toContain(`“${title}” now has 1 file`);
});
