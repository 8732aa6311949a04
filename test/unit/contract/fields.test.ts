import { expect, test } from '@jest/globals';
import { FormBoolean } from '../../../contract/fields.ts';
import { describeIssue } from '../../../core/describe-issue.ts';

test.each([
  [true, true],
  ['true', true],
  ['1', true],
  ['on', true],
  [false, false],
  ['false', false],
  ['0', false],
  ['', false],
])('%p in a form is %p', (sent, value) => {
  expect(FormBoolean.parse(sent)).toBe(value);
});

test.each(['maybe', 'TRUE', 2, null])(
  '%p in a form is refused, and told what it must be',
  (sent) => {
    const { error } = FormBoolean.safeParse(sent, { error: describeIssue });
    expect(error?.issues.map(({ message }) => message)).toEqual(['must be true or false']);
  },
);
