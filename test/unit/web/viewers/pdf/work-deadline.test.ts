import { expect, test } from '@jest/globals';
import { WorkDeadline } from '../../../../../web/viewers/pdf/work-deadline.ts';

/** A deadline, and time that passes when it is told to. */
function aDeadline(seconds: number) {
  let now = 0;
  let expired = 0;
  const pending = new Map<() => void, number>();
  const deadline = new WorkDeadline(seconds, () => (expired += 1), {
    now: () => now,
    after(delayMs, call) {
      pending.set(call, now + delayMs);
      return () => pending.delete(call);
    },
  });
  const pass = (milliseconds: number) => {
    now += milliseconds;
    for (const [call, at] of pending) {
      if (at > now) continue;
      pending.delete(call);
      call();
    }
  };
  return { deadline, pass, expired: () => expired };
}

test('it expires once, after so many seconds of work from its start', () => {
  const { deadline, pass, expired } = aDeadline(10);
  pass(60_000);
  expect(expired()).toBe(0);
  deadline.proceed();
  pass(9_999);
  expect(expired()).toBe(0);
  pass(1);
  deadline.wait();
  deadline.proceed();
  pass(60_000);
  expect(expired()).toBe(1);
});

test('the time in which it waits for one thing or several is not counted', () => {
  const { deadline, pass, expired } = aDeadline(10);
  deadline.proceed();
  pass(6_000);
  deadline.wait();
  deadline.wait();
  pass(60_000);
  deadline.proceed();
  pass(60_000);
  deadline.proceed();
  pass(3_999);
  expect(expired()).toBe(0);
  pass(1);
  expect(expired()).toBe(1);
});

test('what has ended does not expire, whatever is waited for afterwards', () => {
  const { deadline, pass, expired } = aDeadline(10);
  deadline.proceed();
  deadline.wait();
  deadline.end();
  deadline.proceed();
  pass(60_000);
  expect(expired()).toBe(0);
});
