import { expect, test } from '@jest/globals';
import {
  addsToLimit,
  isOutdated,
  quotaEvents,
  quotaNotices,
} from '../../../../core/projects/quota-notice.ts';
import { ownerId } from '../../../fixtures/projects/a-project.ts';

const charge = (bytes: number, changes = {}) => ({
  accountId: ownerId,
  projects: 0,
  archived: 0,
  bytes,
  earlierBytes: 0,
  maxProjects: 10,
  maxStorageBytes: 1000,
  ...changes,
});
const usage = (storageBytes: number, storageTold?: number) => ({
  projectCount: 3,
  storageBytes,
  storageTold,
});
const at = '2026-03-01T12:00:00.000Z';

/** The level that is told when an account with this use, and this level told before, stores more. */
test.each<[string, number, number | undefined, number, number | undefined, number]>([
  ['less than 80 %', 700, undefined, 99, undefined, 0],
  ['exactly 80 %', 700, undefined, 100, 80, 80],
  ['exactly 100 %', 850, 80, 150, 100, 100],
  ['both at once: the higher one', 0, undefined, 1000, 100, 100],
  ['more, where 80 % was told', 810, 80, 50, undefined, 80],
  ['around 80 %, a little below it before', 790, 80, 20, undefined, 80],
  ['around 100 %, a little below it before', 950, 100, 50, undefined, 100],
  ['80 % again after the use fell below 70 %', 699, 80, 110, 80, 80],
  ['100 % again after the use fell below 90 %', 890, 100, 110, 100, 100],
  ['nothing of 80 % while the use fell only below 90 %', 850, 100, 10, undefined, 80],
  ['nothing, but forgets, after the use fell below 70 %', 600, 100, 10, undefined, 0],
])('tells %s', (_, before, known, bytes, percent, next) => {
  const notices = quotaNotices(charge(bytes), usage(before, known));
  expect(notices).toMatchObject([{ what: 'storage', known, next }]);
  const events = quotaEvents(charge(bytes), notices, at);
  const data = { what: 'storage', percent, used: before + bytes, limit: 1000 };
  expect(events).toEqual(
    percent === undefined
      ? []
      : [{ type: 'quota.near', at, accountId: ownerId, projectId: null, data }],
  );
});

test('tells of projects and of storage, each by its own limit', () => {
  const both = charge(100, { projects: 1 });
  const used = { projectCount: 7, storageBytes: 950, storageTold: 80 };
  expect(quotaNotices(both, used).map(({ data }) => data)).toEqual([
    { what: 'projects', percent: 80, used: 8, limit: 10 },
    { what: 'storage', percent: 100, used: 1050, limit: 1000 },
  ]);
});

test.each([
  ['what frees something', charge(-10, { projects: -1 })],
  ['a plan without limits', charge(10, { projects: 1, maxProjects: -1, maxStorageBytes: -1 })],
  ['no charge', undefined],
])('%s adds to no limit', (_, one) => {
  expect(addsToLimit(one)).toBe(false);
});

test('is right exactly for the totals for which it would say the same', () => {
  const totals = Array.from({ length: 45 }, (_, index) => index * 23);
  for (const known of [undefined, 80, 100]) {
    const told = (total: number) => {
      const [notice] = quotaNotices(charge(30), usage(total, known));
      if (notice === undefined) throw new Error('no notice');
      return { notice, says: `${notice.next} ${notice.data?.percent}` };
    };
    const wrong = totals.flatMap((seen) => {
      const { notice, says } = told(seen);
      const others = totals.filter(
        (total) => !isOutdated(notice, usage(total, known)) && told(total).says !== says,
      );
      return isOutdated(notice, usage(seen, known)) ? [seen] : others;
    });
    expect(wrong).toEqual([]);
    const other = usage(100, known === 80 ? undefined : 80);
    expect(isOutdated(told(100).notice, other)).toBe(true);
  }
});
