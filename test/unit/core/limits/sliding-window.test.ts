import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  admitEvent,
  limitStates,
  nextPlaceAt,
  withPlace,
} from '../../../../core/limits/sliding-window.ts';

const rules = [
  { limit: 3, windowSeconds: 60 },
  { limit: 5, windowSeconds: 3600 },
];
const at = (seconds: number) => new Date(seconds * 1000);
const times = (...seconds: number[]) => seconds.map((second) => second * 1000);

describe('three a minute and five an hour', () => {
  test.each([
    ['the first', [], 0, true, undefined],
    ['a third in a minute', [0, 1], 2, true, undefined],
    ['a fourth in a minute', [0, 1, 2], 3, false, 57],
    ['a fourth just before the first is a minute old', [0, 1, 2], 59.999, false, 1],
    ['a fourth when the first is a minute old', [0, 1, 2], 60, true, undefined],
    ['a fifth in an hour', [0, 1, 2, 60], 120, true, undefined],
    ['a sixth in an hour', [0, 1, 2, 60, 120], 200, false, 3400],
    ['a sixth when the first is an hour old', [0, 1, 2, 60, 120], 3600, true, undefined],
  ])('%s', (_, earlier, now, admitted, retryAfterSeconds) => {
    const admission = admitEvent(times(...earlier), rules, at(now));
    expect(admission).toMatchObject({ admitted, ...(admitted ? {} : { retryAfterSeconds }) });
  });
});

test('no window of any rule ever holds more than its limit, and waiting as told always helps', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 2000 }), { maxLength: 60 }), (gaps) => {
      let now = 0;
      let log: number[] = [];
      const admitted: number[] = [];
      for (const gap of gaps) {
        now += gap * 1000;
        const admission = admitEvent(log, rules, new Date(now));
        if (admission.admitted) {
          log = admission.times;
          admitted.push(now);
        } else {
          const later = new Date(now + admission.retryAfterSeconds * 1000);
          expect(admitEvent(log, rules, later).admitted).toBe(true);
        }
      }
      for (const { limit, windowSeconds } of rules) {
        for (const end of admitted) {
          const inside = admitted.filter(
            (time) => time <= end && time > end - windowSeconds * 1000,
          );
          expect(inside.length).toBeLessThanOrEqual(limit);
        }
      }
      expect(log.length).toBeLessThanOrEqual(5);
    }),
  );
});

describe('three in an hour that the first one opens', () => {
  const window = [{ limit: 3, windowSeconds: 3600, from: 'first' as const }];
  test.each([
    ['the fourth waits for the end of the window', [0, 3000, 3500], 3599, false, 1],
    ['a new window opens an hour after the first', [0, 3000, 3500], 3600, true, undefined],
    ['and holds three of its own', [0, 3000, 3500, 3600, 3601, 3602], 3603, false, 3597],
    ['two leave room for a third', [0, 10], 20, true, undefined],
  ])('%s', (_, earlier, now, admitted, retryAfterSeconds) => {
    const admission = admitEvent(times(...earlier), window, at(now));
    expect(admission).toMatchObject({ admitted, ...(admitted ? {} : { retryAfterSeconds }) });
  });
});

describe('what is left of every rule', () => {
  test.each([
    ['of nothing used', [], 0, [3, 1, 5, 1]],
    ['of one', [10], 10, [2, 60, 4, 3600]],
    ['of one a while ago', [10], 40, [2, 30, 4, 3570]],
    ['of three', [10, 20, 30], 30, [0, 40, 2, 3580]],
    ['of those that left the minute', [10, 20, 30], 70, [1, 10, 2, 3540]],
  ])('%s', (_, earlier, now, [minute, minuteReset, hour, hourReset]) => {
    expect(limitStates(times(...earlier), rules, at(now))).toEqual([
      { limit: 3, remaining: minute, resetSeconds: minuteReset },
      { limit: 5, remaining: hour, resetSeconds: hourReset },
    ]);
  });

  test('in a window that its first event opens', () => {
    const fromFirst = [{ limit: 3, windowSeconds: 60, from: 'first' as const }];
    const left =
      (...earlier: number[]) =>
      (now: number) =>
        limitStates(times(...earlier), fromFirst, at(now))[0];
    expect(left(10, 30)(40)).toEqual({ limit: 3, remaining: 1, resetSeconds: 30 });
    expect(left(10, 30)(70)).toEqual({ limit: 3, remaining: 3, resetSeconds: 1 });
    expect(left(10, 30, 71)(80)).toEqual({ limit: 3, remaining: 2, resetSeconds: 51 });
  });
});

test('a planned event waits for the first time that fits every rule, also after others that wait', () => {
  const pair = [
    { limit: 2, windowSeconds: 10 },
    { limit: 3, windowSeconds: 100 },
  ];
  const begin = at(1000);
  let planned: number[] = [];
  const places = Array.from({ length: 7 }, () => {
    const place = nextPlaceAt(planned, pair, begin);
    planned = withPlace(planned, pair, place);
    return (place.getTime() - begin.getTime()) / 1000;
  });
  expect(places).toEqual([0, 0, 10, 100, 100, 110, 200]);
  expect(planned).toHaveLength(3);
});
