import { afterEach, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { startAsyncInvocations } from '../../lambda/async-invocations.ts';
import type { InvokeResult } from '../../lambda/invoke-result.ts';
import { movableClock } from '../../time/clock.ts';

const ok: InvokeResult = { ok: true, payload: null, requestId: 'r' };
const failed: InvokeResult = { ok: false, errorType: 'Error', errorMessage: 'no' };
const throttled: InvokeResult = {
  ok: false,
  errorType: 'TooManyRequestsException',
  errorMessage: 'Rate Exceeded.',
};

const open: ReturnType<typeof startAsyncInvocations>[] = [];
afterEach(async () => {
  for (const invocations of open.splice(0)) await invocations.close();
});

const arn = 'arn:aws:lambda:us-east-1:000000000000:function:fn';
const startedAt = Date.parse('2026-01-01T00:00:00Z');

/** A queue with a clock that moves only on request; `results` are the results of the attempts. */
function start(results: InvokeResult[], config?: Record<string, unknown>) {
  const moved = movableClock();
  const clock = {
    now: () => new Date(startedAt + moved.offsetMs),
    get offsetMs() {
      return moved.offsetMs;
    },
  };
  const attempts: { event: unknown; seconds: number }[] = [];
  const resource = {
    stack: 'Stack',
    logicalId: 'Config',
    type: 'AWS::Lambda::EventInvokeConfig',
    properties: { FunctionName: 'fn', Qualifier: '$LATEST', ...config },
  };
  const invocations = startAsyncInvocations({
    resources: config === undefined ? [] : [resource],
    clock,
    invoke: async (_, event) => {
      attempts.push({ event, seconds: moved.offsetMs / 1000 });
      return results[attempts.length - 1] ?? failed;
    },
    log: () => undefined,
  });
  open.push(invocations);
  const advance = async (seconds: number) => {
    moved.advance(seconds * 1000);
    await invocations.runDue();
  };
  return { invocations, attempts, advance, seconds: () => attempts.map(({ seconds }) => seconds) };
}

test('runs an event that succeeds once', async () => {
  const { invocations, advance, attempts } = start([ok]);
  await invocations.invoke(arn, { a: 1 });
  await advance(7200);
  expect(attempts).toEqual([{ event: { a: 1 }, seconds: 0 }]);
});

test('retries a failed event after one minute and after two more, then gives it up', async () => {
  const { invocations, advance, seconds } = start([]);
  await invocations.invoke(arn, {});
  for (let minute = 0; minute < 10; minute += 1) await advance(60);
  expect(seconds()).toEqual([0, 60, 180]);
});

test.each<[number, number[]]>([
  [0, [0]],
  [1, [0, 60]],
])('retries as often as the template says: %i', async (MaximumRetryAttempts, expected) => {
  const { invocations, advance, seconds } = start([], { MaximumRetryAttempts });
  await invocations.invoke(arn, {});
  for (let minute = 0; minute < 10; minute += 1) await advance(60);
  expect(seconds()).toEqual(expected);
});

test('tries a throttled event again and again, until it is too old', async () => {
  const results = Array.from({ length: 20 }, () => throttled);
  const { invocations, advance, seconds } = start(results, {
    MaximumRetryAttempts: 0,
    MaximumEventAgeInSeconds: 60,
  });
  await invocations.invoke(arn, {});
  for (let second = 0; second < 120; second += 1) await advance(1);
  expect(seconds()).toEqual([0, 1, 3, 7, 15, 31]);
});

test('overlaps: an event does not wait for another one', async () => {
  const ends: ((result: InvokeResult) => void)[] = [];
  const invocations = startAsyncInvocations({
    resources: [],
    clock: movableClock(),
    invoke: () => new Promise((resolve) => ends.push(resolve)),
    log: () => undefined,
  });
  open.push(invocations);
  const both = [invocations.invoke(arn, 1), invocations.invoke(arn, 2)];
  expect(ends).toHaveLength(2);
  for (const end of ends) end(ok);
  await Promise.all(both);
});

test('however time passes and attempts end, an event ends with its first success, keeps to its retries and waits between them', async () => {
  const step = fc.record({ seconds: fc.integer({ min: 0, max: 200 }), sends: fc.boolean() });
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { maxLength: 25 }),
      fc.array(fc.constantFrom(ok, failed, throttled), { maxLength: 60 }),
      fc.integer({ min: 0, max: 2 }),
      async (steps, results, MaximumRetryAttempts) => {
        const config = { MaximumRetryAttempts, MaximumEventAgeInSeconds: 300 };
        const { invocations, advance, attempts } = start(results, config);
        const sentAt: number[] = [];
        let now = 0;
        for (const { seconds, sends } of steps) {
          now += seconds;
          await advance(seconds);
          if (!sends) continue;
          sentAt.push(now);
          await invocations.invoke(arn, sentAt.length - 1);
        }
        const indexed = attempts.map((attempt, index) => ({
          ...attempt,
          result: results[index] ?? failed,
        }));
        for (const event of sentAt.keys()) {
          const own = indexed.filter((attempt) => attempt.event === event);
          const failures = own.filter(({ result }) => result === failed).length;
          expect(failures).toBeLessThanOrEqual(MaximumRetryAttempts + 1);
          const firstSuccess = own.findIndex(({ result }) => result === ok);
          expect([-1, own.length - 1]).toContain(firstSuccess);
          for (const [index, { seconds }] of own.entries()) {
            const before = own[index - 1];
            if (before === undefined) continue;
            const least = before.result === failed ? 60 : 1;
            expect(seconds - before.seconds).toBeGreaterThanOrEqual(least);
          }
        }
      },
    ),
  );
});
