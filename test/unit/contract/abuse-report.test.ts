import { expect, test } from '@jest/globals';
import { AbuseReportInput } from '../../../contract/abuse-report.ts';

const said = { reason: 'phishing', message: 'It asks for my card.' };

test.each([
  ['no reason', { message: 'x' }, 'reason'],
  ['a reason of its own', { ...said, reason: 'boring' }, 'reason'],
  ['no message', { reason: 'other' }, 'message'],
  ['an empty message', { ...said, message: '  ' }, 'message'],
  ['a message that is too long', { ...said, message: 'x'.repeat(2001) }, 'message'],
  ['no e-mail address', { ...said, email: 'nobody' }, 'email'],
  ['an address of a page that is too long', { ...said, url: 'x'.repeat(2001) }, 'url'],
])('a report with %s is refused', (_, body, field) => {
  const { error } = AbuseReportInput.safeParse(body);
  expect(error?.issues.map(({ path }) => path)).toEqual([[field]]);
});

test('a report may leave out address and page, also as empty texts', () => {
  expect(AbuseReportInput.safeParse({ ...said, email: ' ', url: '' }).data).toEqual(said);
});
