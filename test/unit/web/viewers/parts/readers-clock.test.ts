import { expect, test } from '@jest/globals';
import { readersClock } from '../../../../../web/viewers/parts/readers-clock.ts';

test.each([
  ['UTC', '2026-03-01T09:00', 'Europe/Berlin', 'Sunday, 1 March 2026, 10:00'],
  ['Europe/Berlin', '2026-03-01T00:30', 'UTC', 'Saturday, 28 February 2026, 23:30'],
  ['America/New_York', '2026-03-08T03:00', 'UTC', 'Sunday, 8 March 2026, 07:00'],
  ['America/New_York', '2026-03-08T01:59', 'UTC', 'Sunday, 8 March 2026, 06:59'],
  ['Asia/Kolkata', '2026-11-01T09:00', 'America/New_York', 'Saturday, 31 October 2026, 23:30'],
])('a clock of %s at %s is read on that of %s', (zone, clock, own, shown) => {
  expect(readersClock(clock, zone, own)).toBe(shown);
});

test.each([
  ['the same clock', 'Europe/Berlin', 'Europe/Berlin'],
  ['another clock that shows the same', 'Europe/Berlin', 'Europe/Rome'],
  ['a zone that nobody knows', 'Hamburg Time', 'UTC'],
])('%s adds nothing', (_, zone, own) => {
  expect(readersClock('2026-03-01T09:00', zone, own)).toBeUndefined();
});
