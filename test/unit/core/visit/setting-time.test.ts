import { expect, test } from '@jest/globals';
import { settingTime } from '../../../../core/visit/setting-time.ts';

/** The share of a process whose clock only its work moves. */
function aShare() {
  const clock = { ms: 0 };
  const time = settingTime(() => clock.ms);
  const spend = (ms: number) => void time.count(() => (clock.ms += ms));
  return { clock, time, spend };
}

test('texts that take long get a tenth of the time, after what was saved', () => {
  const { clock, time, spend } = aShare();
  let spentMs = 0;
  while (clock.ms < 600_000) {
    if (time.isLeft()) {
      spend(2000);
      spentMs += 2000;
    } else clock.ms += 100;
  }
  expect(spentMs).toBeGreaterThan(60_000);
  expect(spentMs).toBeLessThan(70_000);
});

test('quick ones are not counted, and failed ones are', () => {
  const { clock, time, spend } = aShare();
  for (let count = 0; count < 1000; count += 1) spend(100);
  expect(time.isLeft()).toBe(true);
  const fail = () => {
    clock.ms += 9000;
    throw new Error('too long');
  };
  expect(() => time.count(fail)).toThrow('too long');
  expect(time.isLeft()).toBe(false);
});

test('no more than a second is saved', () => {
  const { clock, time, spend } = aShare();
  clock.ms += 3_600_000;
  spend(1200);
  expect(time.isLeft()).toBe(false);
});
