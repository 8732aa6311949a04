import { expect, test } from '@jest/globals';
import { closedAccountDays } from '../../../../contract/limits.ts';
import type { Account } from '../../../../core/accounts/account.ts';
import {
  findDeletion,
  stopDeletion,
  stopLinkOf,
} from '../../../../core/accounts/closing/stop-deletion.ts';
import { aCaller } from '../../../fixtures/projects/a-project.ts';

const closedAt = '2026-03-01T12:00:00.000Z';
const stopToken = 't'.repeat(43);
const dayMs = 86_400_000;
const after = (days: number) => new Date(Date.parse(closedAt) + days * dayMs);
const open = aCaller({ email: 'ann@example.org' }).account;
const closed: Account = { ...open, suspendedAt: closedAt, closedAt, stopToken };

test.each<[what: string, account: Account, now: Date, has: boolean]>([
  ['is being deleted', closed, after(0), true],
  ['is on its last day', closed, after(closedAccountDays - 1), true],
  ['is over', closed, after(closedAccountDays), false],
  ['is being removed', { ...closed, removingAt: closedAt }, after(1), false],
  ['is open', open, after(0), false],
  ['was suspended by an operator', { ...open, suspendedAt: closedAt, stopToken }, after(0), false],
])('an account that %s', (_, account, now, has) => {
  const link = stopLinkOf(account, now);
  expect(link?.link).toBe(has ? `${account.id}.${stopToken}` : undefined);
  if (has) expect(link?.until).toBe(after(closedAccountDays).toISOString());
});

/** One account, which `reopen` opens unless it was changed since. */
function aWorld(account: Account) {
  const stored = { account };
  let requests = 0;
  const deps = {
    accounts: {
      get: async (id: string) => (id === stored.account.id ? stored.account : undefined),
      findByEmail: async () => stored.account,
      reopen: async (_: string, reopening: { closedAt: string }) => {
        if (stored.account.closedAt !== reopening.closedAt) return false;
        stored.account = { ...open, reopenedAt: closedAt };
        return true;
      },
    },
    counters: { count: async () => (requests += 1) },
    now: () => after(1),
  };
  return { deps, stored };
}

const caller = { address: '2001:db8::1', requestId: 'request' };
const link = `${open.id}.${stopToken}`;

test('a link is looked at without an effect, and stops one deletion', async () => {
  const { deps, stored } = aWorld(closed);
  for (let look = 1; look <= 2; look += 1) {
    expect(await findDeletion(deps, caller, link)).toMatchObject({ account: closed });
    expect(stored.account).toBe(closed);
  }
  expect(await stopDeletion(deps, caller, link)).toBe(true);
  expect(stored.account.closedAt).toBeUndefined();
  expect(await stopDeletion(deps, caller, link)).toBe(false);
  stored.account = { ...closed, closedAt: after(1).toISOString(), stopToken: 'u'.repeat(43) };
  expect(await stopDeletion(deps, caller, link)).toBe(false);
  expect(stored.account).toHaveProperty('closedAt');
});

test('a removal that begins at the same moment wins, which is no error', async () => {
  const { deps } = aWorld(closed);
  const late = { ...deps, accounts: { ...deps.accounts, reopen: async () => false } };
  expect(await stopDeletion(late, caller, link)).toBe(false);
});

test.each(['', '.', open.id, `${open.id}.`, `${link}x`, `${'0'.repeat(36)}.${stopToken}`, '%00'])(
  'a link that is %j stops nothing',
  async (wrong) => {
    const { deps, stored } = aWorld(closed);
    expect(await stopDeletion(deps, caller, wrong)).toBe(false);
    expect(stored.account).toBe(closed);
  },
);

test('an address has thirty requests a minute', async () => {
  const { deps } = aWorld(open);
  const counters = { count: async () => 31 };
  await expect(findDeletion({ ...deps, counters }, caller, link)).rejects.toMatchObject({
    code: 'RATE_LIMITED',
  });
});
