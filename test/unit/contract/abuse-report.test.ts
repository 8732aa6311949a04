import { expect, test } from '@jest/globals';
import { AbuseReportInput } from '../../../contract/abuse-report.ts';

const report = { reason: 'phishing', message: 'It asks for my card.' };

test.each([
  ['no reason', { message: 'x' }, 'reason'],
  ['a reason of its own', { ...report, reason: 'boring' }, 'reason'],
  ['no message', { reason: 'other' }, 'message'],
  ['an empty message', { ...report, message: '  ' }, 'message'],
  ['a message that is too long', { ...report, message: 'x'.repeat(2001) }, 'message'],
  ['no e-mail address', { ...report, email: 'nobody' }, 'email'],
  ['an address of a page that is too long', { ...report, url: 'x'.repeat(2001) }, 'url'],
])('a report with %s is refused', (_, body, field) => {
  const { error } = AbuseReportInput.safeParse(body);
  expect(error?.issues.map(({ path }) => path)).toEqual([[field]]);
});

test('a report may leave out address and page, also as empty texts', () => {
  expect(AbuseReportInput.safeParse({ ...report, email: ' ', url: '' }).data).toEqual(report);
});
