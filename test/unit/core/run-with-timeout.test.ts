import { expect, test } from '@jest/globals';
import { runWithTimeout, sharedTime } from '../../../core/run-with-timeout.ts';

const forever = () => {
  for (;;);
};

test('work that takes too long, or fails, has no result', () => {
  expect(runWithTimeout(10_000, () => 1)).toBe(1);
  expect(runWithTimeout(20, forever)).toBeUndefined();
  expect(runWithTimeout(20, () => JSON.parse('{'))).toBeUndefined();
});

test('a limit within a limit ends the inner work only, and the outer limit holds for both', () => {
  expect(runWithTimeout(10_000, () => [runWithTimeout(20, forever), 1])).toEqual([undefined, 1]);
  let isAfter = false;
  const outer = runWithTimeout(50, () => {
    runWithTimeout(10_000, forever);
    isAfter = true;
  });
  expect([outer, isAfter]).toEqual([undefined, false]);
});

test('pieces of work spend one time together', () => {
  const time = sharedTime(100);
  expect(time.run(() => 1)).toBe(1);
  expect(time.run(forever)).toBeUndefined();
  expect(time.run(() => 1)).toBeUndefined();
});
