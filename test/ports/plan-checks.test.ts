import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { accountRepository } from '../../adapters/dynamodb/accounts/account-repository.ts';
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

describe('an account in DynamoDB', () => {
  const accounts = () => accountRepository(stores.client, tables.accounts);
  const created = async (trialEndsAt: Instant | null) => {
    const id = AccountId.parse(randomUUID());
    const email = `${id}@example.org`;
    const createdAt = '2026-03-01T12:00:00.000Z';
    const facts = {
      tier: 'free',
      trialEndsAt,
      projectCount: 0,
      storageBytes: 0,
      createdAt,
    } as const;
    await accounts().create({ id, email, ...facts });
    return id;
  };

  test('is checked three days before the end of its trial from its creation on; without one it is not', async () => {
    const checks = planCheckTable(stores.client, tables.accounts);
    const dueAt = '2026-03-05T12:00:00.000Z';
    const accountId = await created(late ?? null);
    expect(await checks.findCheck(accountId)).toEqual({ accountId, dueAt, pruneAt: null });
    const due: unknown[] = [];
    for await (const times of checks.dueChecks(new Date(dueAt))) due.push(times);
    expect(due).toContainEqual({ accountId, dueAt });
    expect(await checks.findCheck(await created(null))).toBeUndefined();
  });

  test('loses no switch of mails when several change at once, and none is made for an account that is gone', async () => {
    const id = await created(null);
    await accounts().switchMails(id, 'off', ['opens']);
    await Promise.all([
      ...(['uploads', 'expiry', 'trial', 'takedowns'] as const).map((kind) =>
        accounts().switchMails(id, 'off', [kind]),
      ),
      accounts().switchMails(id, 'on', ['opens']),
    ]);
    const { mailsOff } = (await accounts().get(id)) ?? {};
    expect([...(mailsOff ?? [])].toSorted()).toEqual(['expiry', 'takedowns', 'trial', 'uploads']);
    await accounts().switchMails(id, 'on', [...(mailsOff ?? [])]);
    expect((await accounts().get(id))?.mailsOff).toBeUndefined();
    const gone = AccountId.parse(randomUUID());
    await accounts().switchMails(gone, 'off', ['opens']);
    expect(await accounts().get(gone)).toBeUndefined();
  });
});
