import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { planCheckTable } from '../../adapters/dynamodb/accounts/plan-check-table.ts';
import { AccountId, type Instant } from '../../contract/fields.ts';
import type { PlanChecks } from '../../core/projects/history/account-history.ts';
import { localStores, tables } from '../fixtures/clouds/local-stores.ts';
import { MemoryHistory } from '../fixtures/projects/memory-history.ts';

let stores: Awaited<ReturnType<typeof localStores>>;
beforeAll(async () => {
  stores = await localStores();
});
afterAll(() => stores.close());

const [early, late]: Instant[] = ['2026-03-01T12:00:00.000Z', '2026-03-08T12:00:00.000Z'];

describe.each<[string, () => PlanChecks]>([
  ['DynamoDB', () => planCheckTable(stores.client, tables.accounts)],
  ['memory', () => new MemoryHistory().history],
])('plan checks in %s', (_, implementation) => {
  let checks: PlanChecks;
  let accountId: AccountId;
  beforeEach(() => {
    checks = implementation();
    accountId = AccountId.parse(randomUUID());
  });
  const aCheck = (dueAt = early ?? '', pruneAt: Instant | null = null) => ({
    accountId,
    dueAt,
    pruneAt,
  });

  test('are scheduled beside the one that is there, or in its place', async () => {
    expect(await checks.findCheck(accountId)).toBeUndefined();
    await checks.scheduleCheck(aCheck(), 'keeping');
    await checks.scheduleCheck(aCheck(late), 'keeping');
    expect(await checks.findCheck(accountId)).toEqual(aCheck());
    await checks.scheduleCheck(aCheck(late), 'replacing');
    expect(await checks.findCheck(accountId)).toEqual(aCheck(late));
  });

  test('move and end only as they were seen, for one of those who saw them', async () => {
    await checks.scheduleCheck(aCheck(), 'replacing');
    const notified = aCheck(late, late);
    expect(await checks.moveCheck(aCheck(late), notified)).toBe(false);
    const moves = [1, 2, 3].map(() => checks.moveCheck(aCheck(), notified));
    expect((await Promise.all(moves)).filter(Boolean)).toHaveLength(1);
    expect(await checks.findCheck(accountId)).toEqual(notified);
    expect([await checks.endCheck(aCheck()), await checks.endCheck(notified)]).toEqual([
      false,
      true,
    ]);
    expect(await checks.findCheck(accountId)).toBeUndefined();
    expect(await checks.moveCheck(notified, aCheck())).toBe(false);
  });
});
