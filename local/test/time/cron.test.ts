import { expect, test } from '@jest/globals';
import { parseSchedule } from '../../time/schedule.ts';

const friday = '2026-11-20T09:30:15.000Z';

test.each([
  ['rate(1 minute)', friday, '2026-11-20T09:31:00.000Z'],
  ['rate(5 minutes)', friday, '2026-11-20T09:35:00.000Z'],
  ['rate(1 hour)', friday, '2026-11-20T10:00:00.000Z'],
  ['cron(0 10 * * ? *)', friday, '2026-11-20T10:00:00.000Z'],
  ['cron(0 9 * * ? *)', friday, '2026-11-21T09:00:00.000Z'],
  ['cron(0/15 * * * ? *)', friday, '2026-11-20T09:45:00.000Z'],
  ['cron(0 8 ? * MON-FRI *)', friday, '2026-11-23T08:00:00.000Z'],
  ['cron(0 0 1 JAN ? *)', friday, '2027-01-01T00:00:00.000Z'],
  ['cron(30 9,18 * * ? *)', friday, '2026-11-20T18:30:00.000Z'],
  ['cron(0 0 29 2 ? *)', friday, '2028-02-29T00:00:00.000Z'],
])('%s is due after %s at %s', (expression, after, expected) => {
  expect(parseSchedule(expression)(new Date(after)).toISOString()).toBe(expected);
});

test.each([
  'rate(0 minutes)',
  'rate(1 week)',
  'cron(* * * *)',
  'cron(0 0 L * ? *)',
  'cron(60 * * * ? *)',
  'cron(0 0 ? * 2#1 *)',
  'every minute',
])('refuses %s', (expression) => {
  expect(() => parseSchedule(expression)).toThrow(/does not understand/);
});
