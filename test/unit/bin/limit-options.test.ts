import { expect, test } from '@jest/globals';
import { clockAheadOf } from '../../../bin/limit-options.ts';

test.each([
  ['0', 0],
  ['86400', 86_400],
  [String(10 * 366 * 86_400), 316_224_000],
])('--clock-ahead %s', (seconds, wanted) => {
  expect(clockAheadOf(seconds)).toBe(wanted);
});

test.each(['', '-1', '1.5', '1e3', 'a day', '316224001', '9'.repeat(30)])(
  '--clock-ahead %p is refused with an example',
  (seconds) => {
    expect(() => clockAheadOf(seconds)).toThrow(/is not a number of seconds.*--clock-ahead 86400/);
  },
);
