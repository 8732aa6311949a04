import { expect, test } from '@jest/globals';
import { throttleFor, tokenBucket } from '../../../gateway/definition/throttle.ts';

const setting = (path: string, httpMethod: string, ratePerSecond?: number, burst?: number) => ({
  path,
  httpMethod,
  ratePerSecond,
  burst,
});
const settings = [
  setting('*', '*', 100, 50),
  setting('/v1', '*', 20),
  setting('/v1', 'POST', 5, 2),
];

test.each([
  ['/v1', 'POST', { ratePerSecond: 5, burst: 2 }],
  ['/v1', 'GET', { ratePerSecond: 20, burst: 50 }],
  ['/', 'GET', { ratePerSecond: 100, burst: 50 }],
])('limits %s %s', (path, method, expected) => {
  expect(throttleFor(settings, path, method)).toEqual(expected);
});

test('the account’s quota applies if the stage has no limit', () => {
  expect(throttleFor([], '/', 'GET')).toEqual({ ratePerSecond: 10_000, burst: 5_000 });
});

test('a bucket allows its burst immediately and then the rate, never more than the burst', () => {
  let now = 0;
  const take = tokenBucket({ ratePerSecond: 2, burst: 3 }, () => now);
  expect([take(), take(), take(), take()]).toEqual([true, true, true, false]);
  now = 499;
  expect(take()).toBe(false);
  now = 500;
  expect([take(), take()]).toEqual([true, false]);
  now = 60_000;
  expect([take(), take(), take(), take()]).toEqual([true, true, true, false]);
});
