import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { nextTrialCheck } from '../../../../../core/projects/history/history-limit.ts';
import { aCaller } from '../../../../fixtures/projects/a-project.ts';
import { MemoryHistory } from '../../../../fixtures/projects/memory-history.ts';
import { proofSize } from '../../../../fixtures/proof-size.ts';

const ids = ['0b7e4c1a-5f60-4c39-9d0e-000000000001', '0b7e4c1a-5f60-4c39-9d0e-000000000002'];
const day = 86_400;

function world(delays?: readonly number[]) {
  const all = new MemoryHistory(delays);
  Object.assign(all.plans.pro, { maxStorageBytes: 100, versionsKept: 6 });
  Object.assign(all.plans.starter, { maxStorageBytes: 50, versionsKept: 3 });
  const [a, b] = [all.add(ids[0] ?? ''), all.add(ids[1] ?? '')];
  return { all, a, b };
}

test('a push prunes the oldest earlier versions of all projects and is never refused', async () => {
  const { all, a, b } = world();
  for (const [project, bytes] of [
    [a, 40],
    [b, 40],
    [a, 40],
    [b, 40],
  ] as const) {
    all.advance(60);
    await all.push(project, bytes);
  }
  // 1 + 40 of each are earlier ones by now.
  expect([all.kept(a), all.kept(b), all.earlierBytes]).toEqual(['1 2 [3]', '1 2 [3]', 82]);
  all.advance(60);
  await all.push(b, 1);
  expect([all.kept(a), all.kept(b), all.earlierBytes]).toEqual(['[3]', '2 3 [4]', 80]);
  expect(all.left.map(({ version }) => version.bytes)).toEqual([1, 1, 40]);
  expect(all.failures).toEqual([]);
});

test('a version that is live again is not pruned at any age', async () => {
  const { all, a, b } = world();
  await all.push(a, 30);
  await all.push(a, 30);
  await all.rollBack(a, 1);
  expect([all.kept(a), all.earlierBytes]).toEqual(['[1] 2 3', 60]);
  all.advance(60);
  await all.push(b, 90);
  await all.push(b, 1);
  expect([all.kept(a), all.kept(b), all.earlierBytes]).toEqual(['[1]', '1 2 [3]', 91]);
});

test('the sweep continues what one request has no time for', async () => {
  const { all, a, b } = world();
  all.plans.pro.versionsKept = -1;
  for (let count = 0; count < 130; count += 1) await all.push(a, 0);
  await all.push(b, 101);
  for (let count = 0; count < 3; count += 1) {
    await all.push(a, 1);
    await all.push(b, 101);
    all.advance(60);
  }
  expect(all.earlierBytes).toBeLessThanOrEqual(101 * 4);
  await all.maintain();
  await all.maintain();
  expect([all.earlierBytes <= 100, all.trimAt]).toEqual([true, undefined]);
});

/** Six versions of a project under pro, of which starter keeps three. */
async function aboveStarter() {
  const made = world();
  for (let count = 0; count < 5; count += 1) await made.all.push(made.a, 15);
  expect(made.all.kept(made.a)).toBe('1 2 3 4 5 [6]');
  made.all.tier = 'starter';
  const dueAt = made.all.now.toISOString();
  const accountId = made.all.caller.account.id;
  await made.all.history.scheduleCheck({ accountId, dueAt, pruneAt: null }, 'replacing');
  return made;
}

test('versions above a smaller plan are pruned a week after one mail', async () => {
  const { all, a } = await aboveStarter();
  await all.maintain();
  const pruneAt = '2026-03-08T12:00:00.000Z';
  expect(all.mails).toEqual([pruneAt]);
  all.advance(7 * day - 1);
  await all.maintain();
  expect([all.kept(a), all.mails]).toEqual(['1 2 3 4 5 [6]', [pruneAt]]);
  all.advance(1);
  await all.maintain();
  expect([all.kept(a), all.mails, all.check]).toEqual(['4 5 [6]', [pruneAt], undefined]);
  expect(all.earlierBytes).toBe(30);
});

test('nothing is pruned if the plan has grown meanwhile', async () => {
  const { all, a } = await aboveStarter();
  await all.maintain();
  all.tier = 'pro';
  all.advance(7 * day);
  await all.maintain();
  expect([all.kept(a), all.check]).toEqual(['1 2 3 4 5 [6]', undefined]);
});

test('a push during the notice period prunes only for its own space', async () => {
  const { all, a } = await aboveStarter();
  await all.maintain();
  all.advance(day);
  await all.push(a, 15);
  // One version for the one that comes, and one for its bytes: no more is kept than before.
  expect([all.kept(a), all.earlierBytes]).toEqual(['3 4 5 6 [7]', 60]);
  all.advance(6 * day);
  await all.maintain();
  expect([all.kept(a), all.mails.length, all.check]).toEqual(['5 6 [7]', 1, undefined]);
});

test('a mail that cannot be sent is retried, and the week starts when it is sent', async () => {
  const { all, a } = await aboveStarter();
  const down = all.mails.push;
  all.mails.push = () => {
    throw new Error('mail is down');
  };
  await expect(all.maintain()).rejects.toThrow('mail is down');
  all.mails.push = down;
  all.advance(8 * day);
  await all.maintain();
  expect([all.kept(a), ...all.mails]).toEqual(['1 2 3 4 5 [6]', '2026-03-16T12:00:00.000Z']);
});

test('nothing of a suspended account is pruned, and its week starts again afterwards', async () => {
  const { all, a } = await aboveStarter();
  await all.maintain();
  all.suspendedAt = all.now.toISOString();
  for (let count = 0; count < 10; count += 1) {
    all.advance(day);
    await all.maintain();
  }
  expect([all.kept(a), all.mails.length]).toEqual(['1 2 3 4 5 [6]', 1]);
  all.suspendedAt = undefined;
  all.advance(day);
  await all.maintain();
  expect([all.kept(a), all.mails.length]).toEqual(['1 2 3 4 5 [6]', 2]);
  all.advance(7 * day);
  await all.maintain();
  expect(all.kept(a)).toBe('4 5 [6]');
});

const step = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({ kind: fc.constant('push' as const), of: fc.nat(1), bytes: fc.nat(60) }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('rollback' as const),
      of: fc.nat(1),
      back: fc.nat(4),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('maintain' as const) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('plan' as const),
      tier: fc.constantFrom('pro' as const, 'starter' as const),
    }),
  },
);
const batches = fc.array(
  fc.record({
    steps: fc.array(step, { minLength: 1, maxLength: 4 }),
    thenSeconds: fc.constantFrom(1, 60, 3 * day, 8 * day),
  }),
  { minLength: 5, maxLength: 12 },
);

test('for all concurrent operations, totals equal a recount, live versions stay and the history fits', async () => {
  let leaving = 0;
  await fc.assert(
    fc.asyncProperty(
      batches,
      fc.array(fc.nat(4), { minLength: 7, maxLength: 7 }),
      async (all, delays) => {
        const { all: account, a, b } = world(delays);
        const run = async (one: (typeof all)[number]['steps'][number]) => {
          if (one.kind === 'maintain') return account.maintain();
          if (one.kind === 'plan') {
            const isSmaller = account.tier === 'pro' && one.tier === 'starter';
            account.tier = one.tier;
            if (!isSmaller) return;
            const dueAt = account.now.toISOString();
            const accountId = account.caller.account.id;
            return account.history.scheduleCheck({ accountId, dueAt, pruneAt: null }, 'replacing');
          }
          const id = one.of === 0 ? a : b;
          if (one.kind === 'push') return account.push(id, one.bytes);
          const version = Math.max(1, (account.projects.get(id)?.version ?? 1) - one.back);
          return account.rollBack(id, version).catch((error: { code?: string }) => {
            // It left in the meantime.
            if (error.code !== 'NOT_FOUND') throw error;
          });
        };
        for (const { steps, thenSeconds } of all) {
          await Promise.all(steps.map(run));
          expect(account.earlierBytes).toBe(account.recount());
          const isPending = account.check !== undefined;
          if (!isPending) {
            expect(account.earlierBytes).toBeLessThanOrEqual(
              account.plans[account.tier].maxStorageBytes,
            );
          }
          for (const id of [a, b]) expect(account.kept(id)).toContain('[');
          account.advance(thenSeconds);
        }
        // A week after the last notice all of it is within the plan.
        for (let round = 0; round < 4; round += 1) {
          await account.maintain();
          account.advance(8 * day);
        }
        const { maxStorageBytes, versionsKept } = account.plans[account.tier];
        expect(account.earlierBytes).toBeLessThanOrEqual(maxStorageBytes);
        for (const versions of account.versions.values()) {
          expect(versions.length).toBeLessThanOrEqual(versionsKept);
        }
        expect([account.check, account.trimAt, account.failures]).toEqual([
          undefined,
          undefined,
          [],
        ]);
        expect(account.left.filter(({ wasLive }) => wasLive)).toEqual([]);
        leaving += account.left.length;
      },
    ),
    { numRuns: proofSize({ short: 20, whole: 60 }) },
  );
  expect(leaving).toBeGreaterThan(proofSize({ short: 10, whole: 50 }));
});

test('an account in its trial gets one mail three days before the end, unless it wants none', async () => {
  for (const mailsOff of [[], ['trial' as const]]) {
    const { all } = world();
    const begin = all.now;
    const at = (days: number) => new Date(begin.getTime() + days * day * 1000).toISOString();
    Object.assign(all, { tier: 'free', trialEndsAt: at(7), mailsOff: new Set(mailsOff) });
    all.check = { accountId: all.caller.account.id, dueAt: at(4), pruneAt: null };
    all.advance(4 * day - 1);
    await all.maintain();
    expect(all.mails).toEqual([]);
    all.advance(1);
    await all.maintain();
    expect(all.mails).toEqual(mailsOff.length === 0 ? [`trial until ${at(7)}`] : []);
    expect(all.check).toMatchObject({ dueAt: at(7), pruneAt: null });
    all.advance(3 * day);
    await all.maintain();
    expect(all.mails).toHaveLength(1 - mailsOff.length);
    expect(all.check).toBeUndefined();
  }
});

test.each([
  [7, 0, 4],
  [7, 4, 7],
  [7, 6, 7],
  [2, 0, 2],
  [7, 7, undefined],
])('of a trial of %p days on day %p the next check is on day %p', (days, today, next) => {
  const on = (index: number) => new Date(Date.UTC(2026, 2, 1 + index));
  const account = aCaller({ tier: 'free', trialEndsAt: on(days).toISOString() }).account;
  expect(nextTrialCheck(account, on(today))).toBe(next && on(next).toISOString());
});
