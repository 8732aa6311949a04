import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { placesOf, type TrySchedule } from '../../../../core/limits/try-budget.ts';
import { memoryBudgets } from '../../../fixtures/visits/memory-tries.ts';

const schedule: TrySchedule = { windowSeconds: 1000, free: 3, waitSeconds: [10, 50, 400, 400] };
const at = (seconds: number) => new Date(seconds * 1000);

test('the first places are taken at once, each further one waits longer than the one before it', async () => {
  const budgets = memoryBudgets();
  const reservedAt: number[] = [];
  for (let second = 0; second < 1000; second += 1) {
    const outcome = await budgets.reserve('key', schedule, at(second));
    if (outcome.kind === 'reserved') reservedAt.push(second);
  }
  expect(reservedAt).toEqual([0, 1, 2, 3, 53, 453, 853]);
  expect((await budgets.reserve('key', schedule, at(1000))).kind).toBe('reserved');
});

test('no window holds more tries than there are places, whatever is given back, and coming when told helps', async () => {
  const step = fc.record({
    gap: fc.integer({ min: 0, max: 200 }),
    givesBack: fc.boolean(),
    wait: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 80 }), async (steps) => {
      const budgets = memoryBudgets();
      const failed: number[] = [];
      let now = 0;
      for (const { gap, givesBack, wait } of steps) {
        now += gap * 1000;
        let outcome = await budgets.reserve('key', schedule, new Date(now));
        if (outcome.kind === 'refused') {
          expect(outcome.freeAt.getTime()).toBeGreaterThan(now);
          if (!wait) continue;
          now = outcome.freeAt.getTime();
          outcome = await budgets.reserve('key', schedule, new Date(now));
        }
        if (outcome.kind === 'refused') throw new Error('waiting as told did not help');
        if (givesBack) await budgets.release(outcome.reservation);
        else failed.push(now);
      }
      for (const end of failed) {
        const inside = failed.filter((time) => time <= end && time > end - 1_000_000);
        expect(inside.length).toBeLessThanOrEqual(placesOf(schedule));
      }
    }),
  );
});

test('what is given back was never taken: waits begin anew from the try before it', async () => {
  const budgets = memoryBudgets();
  for (let place = 0; place < 4; place += 1) await budgets.reserve('key', schedule, at(0));
  const waited = await budgets.reserve('key', schedule, at(50));
  if (waited.kind === 'refused') throw new Error('refused');
  expect((await budgets.reserve('key', schedule, at(51))).kind).toBe('refused');
  await budgets.release(waited.reservation);
  expect((await budgets.reserve('key', schedule, at(52))).kind).toBe('reserved');
  // A second time it gives nothing back.
  await budgets.release(waited.reservation);
  expect((await budgets.reserve('key', schedule, at(53))).kind).toBe('refused');
});
