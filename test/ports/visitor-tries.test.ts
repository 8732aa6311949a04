import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { tryBudgetTable } from '../../adapters/dynamodb/visitor-tries/try-budget-table.ts';
import { wrongTryTable } from '../../adapters/dynamodb/visitor-tries/wrong-try-table.ts';
import { ProjectId } from '../../contract/fields.ts';
import { plusSeconds } from '../../core/instants.ts';
import type { TryBudgets, TryOutcome, TrySchedule } from '../../core/limits/try-budget.ts';
import type { WrongTries } from '../../core/visit/access/wrong-tries.ts';
import { localStores, tables } from '../fixtures/clouds/local-stores.ts';
import { memoryBudgets, memoryWrongTries } from '../fixtures/visits/memory-tries.ts';

let stores: Awaited<ReturnType<typeof localStores>>;
beforeAll(async () => {
  stores = await localStores();
});
afterAll(() => stores.close());

const now = new Date('2026-03-01T12:00:00.000Z');
const after = (seconds: number) => plusSeconds(now, seconds);

describe.each<[string, () => TryBudgets]>([
  ['DynamoDB', () => tryBudgetTable(stores.client, tables.counters)],
  ['memory', () => memoryBudgets()],
])('budgets of tries in %s', (_, implementation) => {
  let budgets: TryBudgets;
  let key: string;
  beforeEach(() => {
    budgets = implementation();
    key = randomUUID();
  });

  async function reserved(schedule: TrySchedule, at: Date) {
    const outcome = await budgets.reserve(key, schedule, at);
    if (outcome.kind === 'reserved') return outcome.reservation;
    throw new Error('refused');
  }
  const kindsOf = (outcomes: TryOutcome[]) => outcomes.map(({ kind }) => kind).toSorted();

  test('have exactly their places, also for simultaneous tries, and all again after the window', async () => {
    const schedule = { windowSeconds: 60, free: 3, waitSeconds: [] };
    const tries = (at: Date) =>
      Promise.all(Array.from({ length: 6 }, () => budgets.reserve(key, schedule, at)));
    const expected = [...Array(3).fill('refused'), ...Array(3).fill('reserved')];
    expect(kindsOf(await tries(now))).toEqual(expected);
    const refused = await budgets.reserve(key, schedule, after(59));
    expect(refused).toEqual({ kind: 'refused', freeAt: after(60), newestAt: now });
    expect(kindsOf(await tries(after(60)))).toEqual(expected);
    expect((await budgets.reserve(randomUUID(), schedule, now)).kind).toBe('reserved');
  });

  test('get a place back from the try that holds it, once', async () => {
    const schedule = { windowSeconds: 60, free: 1, waitSeconds: [] };
    const first = await reserved(schedule, now);
    await budgets.release(first);
    await reserved(schedule, after(1));
    await budgets.release(first);
    expect((await budgets.reserve(key, schedule, after(2))).kind).toBe('refused');
  });

  test('tell the newest running try, and none once all have failed', async () => {
    const schedule = { windowSeconds: 60, free: 2, waitSeconds: [] };
    const first = await reserved(schedule, now);
    const second = await reserved(schedule, after(1));
    const refusal = () => budgets.reserve(key, schedule, after(2));
    await budgets.keep(first);
    expect(await refusal()).toEqual({ kind: 'refused', freeAt: after(60), newestAt: after(1) });
    await budgets.keep(second);
    expect(await refusal()).toEqual({ kind: 'refused', freeAt: after(60), newestAt: undefined });
  });

  test('give further places after their waits, and a released one without', async () => {
    const schedule = { windowSeconds: 3600, free: 1, waitSeconds: [10, 30] };
    await reserved(schedule, now);
    const waited = await reserved(schedule, after(20));
    expect(waited).toMatchObject({ reservedAt: after(20), waits: true });
    expect((await budgets.reserve(key, schedule, after(21))).kind).toBe('refused');
    await budgets.release(waited);
    const again = await reserved(schedule, after(22));
    expect(again).toMatchObject({ waits: true, waitedBefore: waited.waitedBefore });
  });
});

describe.each<[string, () => WrongTries]>([
  ['DynamoDB', () => wrongTryTable(stores.client, tables.counters)],
  ['memory', () => memoryWrongTries().wrongTries],
])('wrong tries in %s', (_, implementation) => {
  test('are counted exactly since the first, for each project', async () => {
    const tries = implementation();
    const projectId = ProjectId.parse(randomUUID());
    await tries.count(projectId, now);
    const counted = await Promise.all(
      Array.from({ length: 5 }, () => tries.count(projectId, after(1))),
    );
    const numbers = counted.map(({ tries: number }) => number).toSorted((a, b) => a - b);
    expect(numbers).toEqual([2, 3, 4, 5, 6]);
    expect(counted[0]).toMatchObject({ since: now, alertedAt: undefined });
    const other = await tries.count(ProjectId.parse(randomUUID()), after(1));
    expect(other).toEqual({ tries: 1, since: after(1), alertedAt: undefined });
  });

  test('begin again for one of those who saw the same count', async () => {
    const tries = implementation();
    const projectId = ProjectId.parse(randomUUID());
    const seen = await tries.count(projectId, now);
    const next = { tries: 0, since: after(9), alertedAt: after(9) };
    const restarts = [1, 2, 3].map(() => tries.restart(projectId, seen, next));
    expect((await Promise.all(restarts)).filter(Boolean)).toHaveLength(1);
    expect(await tries.count(projectId, after(10))).toEqual({ ...next, tries: 1 });
    const unalerted = { ...next, alertedAt: undefined };
    expect(await tries.restart(projectId, unalerted, seen)).toBe(false);
    expect(await tries.restart(projectId, next, unalerted)).toBe(true);
    expect(await tries.count(projectId, after(11))).toEqual({ ...unalerted, tries: 1 });
  });
});
