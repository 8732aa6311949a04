import { expect, test } from '@jest/globals';
import { describeOpens } from '../../../../core/analytics/project-opens.ts';
import type { ProjectCounts } from '../../../../core/analytics/ports.ts';
import { startOfNextMonth } from '../../../../core/analytics/monthly-limits.ts';
import { aRecord } from '../../../fixtures/visits/hits.ts';

const now = new Date('2026-03-08T12:00:30.000Z');
const nothing: ProjectCounts = {
  totals: { visits: 0, opens: 0, ownerOpens: 0 },
  lastOpenedAt: null,
  countries: {},
  minutes: [],
};

test('there are no opens', () => {
  expect(describeOpens(nothing, [], now)).toEqual({
    opens: { total: 0, last24h: 0, last7d: 0 },
    lastOpenedAt: null,
    recentOpens: [],
    topCountries: [],
    visits: { total: 0, last24h: 0, last7d: 0 },
    ownerOpens: { total: 0 },
  });
});

test.each([
  ['2026-03-08T12:00:00.000Z', 1, 1],
  ['2026-03-07T12:00:00.000Z', 1, 1],
  ['2026-03-07T11:59:00.000Z', 0, 1],
  ['2026-03-01T12:00:00.000Z', 0, 1],
  ['2026-03-01T11:59:00.000Z', 0, 0],
])('the minute %s is in %d of the last day and %d of the last week', (at, last24h, last7d) => {
  const minutes = [{ at: new Date(at), visits: 1, opens: 1 }];
  const body = describeOpens({ ...nothing, minutes }, [], now);
  expect(body.visits).toEqual({ total: 0, last24h, last7d });
  expect(body.opens).toEqual({ total: 0, last24h, last7d });
});

test('the five countries with the most opens come first', () => {
  const countries = { NO: 3, DE: 9, FR: 3, US: 1, GB: 5, SE: 0.5, IT: 7 };
  expect(describeOpens({ ...nothing, countries }, [], now).topCountries).toEqual([
    { country: 'DE', opens: 9 },
    { country: 'IT', opens: 7 },
    { country: 'GB', opens: 5 },
    { country: 'FR', opens: 3 },
    { country: 'NO', opens: 3 },
  ]);
});

test('the latest open is the later one of the counter and the rows', () => {
  const at = '2026-03-08T11:00:00.000Z';
  const later = '2026-03-08T11:30:00.000Z';
  const latest = [aRecord({ kind: 'open', reason: null, at })];
  expect(describeOpens(nothing, latest, now).lastOpenedAt).toBe(at);
  expect(describeOpens({ ...nothing, lastOpenedAt: later }, latest, now).lastOpenedAt).toBe(later);
  expect(describeOpens({ ...nothing, lastOpenedAt: later }, [], now).lastOpenedAt).toBe(later);
  expect(describeOpens(nothing, latest, now).recentOpens).toEqual([
    {
      at,
      country: null,
      device: 'desktop',
      browser: 'Firefox',
      os: 'Linux',
      referrer: null,
      link: null,
    },
  ]);
});

test.each([
  ['2026-03', '2026-04-01T00:00:00.000Z'],
  ['2026-12', '2027-01-01T00:00:00.000Z'],
])('after %s comes %s', (month, first) => {
  expect(startOfNextMonth(month)).toBe(first);
});
