import { expect, test } from '@jest/globals';
import { mayMail, mayMailArrival, mayMailOpen } from '../../../core/mail-notices.ts';
import { arrivalMail } from '../../../web/mail/arrival-mail.ts';
import { memoryCounters } from '../../fixtures/memory-counters.ts';
import { ownerId } from '../../fixtures/projects/a-project.ts';

test('senders of files cause half of the mails of any 24 hours, and leave the others', async () => {
  const counters = memoryCounters();
  let at = new Date('2026-03-01T23:00:00Z');
  const mailsOf = async (may: typeof mayMail) => {
    let mails = 0;
    for (let count = 0; count < 100; count += 1)
      mails += (await may({ counters }, ownerId, at)) ? 1 : 0;
    return mails;
  };
  expect(await mailsOf(mayMailArrival)).toBe(25);
  expect(await mailsOf(mayMail)).toBe(25);
  expect(await mailsOf(mayMailArrival)).toBe(0);
  at = new Date('2026-03-02T22:59:59Z');
  expect([await mailsOf(mayMailArrival), await mailsOf(mayMail)]).toEqual([0, 0]);
  at = new Date('2026-03-02T23:00:00Z');
  expect([await mailsOf(mayMailArrival), await mailsOf(mayMail)]).toEqual([25, 25]);
});

test('visitors and senders cause 45 of them together, and leave the others', async () => {
  const counters = memoryCounters();
  const now = new Date('2026-03-01T23:00:00Z');
  const mailsOf = async (may: typeof mayMail) => {
    let mails = 0;
    for (let count = 0; count < 100; count += 1)
      mails += (await may({ counters }, ownerId, now)) ? 1 : 0;
    return mails;
  };
  expect(await mailsOf(mayMailArrival)).toBe(25);
  expect(await mailsOf(mayMailOpen)).toBe(20);
  expect(await mailsOf(mayMail)).toBe(5);
});

test('the subject of a mail about files has no text of their sender', () => {
  // A joiner that the title has itself is left out.
  const title = 'Fair – https://evil.\u2060example/verify';
  const mail = { brand: 'Slipway', baseUrl: 'https://app.example', title, projectId: 'p' };
  const { subject, text, html } = arrivalMail({
    ...mail,
    stopToken: 'uploads.-.x',
    url: 'https://x.example',
    fileCount: 1,
    bytes: 1,
  });
  expect(subject).toBe('Files arrived by your upload link');
  expect(text).toContain(
    '“Fair – https:\u2060/\u2060/\u2060evil.\u2060example/\u2060verify” now has 1 file',
  );
  const joiner = '&#8288;';
  expect(html).toContain(
    `“Fair – https:${joiner}/${joiner}/${joiner}evil.${joiner}example/${joiner}verify” now has 1 file`,
  );
  expect(html).not.toContain('\uFFFD');
});
