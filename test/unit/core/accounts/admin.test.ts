import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { AccountId, Tier } from '../../../../contract/fields.ts';
import { type Account, effectiveTier } from '../../../../core/accounts/account.ts';
import type { PlanCheck } from '../../../../core/projects/history/account-history.ts';
import { findAccount, setPlan } from '../../../../core/accounts/admin.ts';

const account: Account = {
  id: AccountId.parse(randomUUID()),
  email: 'ann@example.org',
  tier: 'free',
  trialEndsAt: '2030-01-02T03:04:05.000Z',
  projectCount: 2,
  storageBytes: 3,
  createdAt: '2029-12-26T03:04:05.000Z',
};

function deps() {
  const tiers: [AccountId, Tier, boolean][] = [];
  const scheduled: string[] = [];
  return {
    tiers,
    scheduled,
    now: () => new Date('2030-01-01T00:00:00.000Z'),
    checks: {
      scheduleCheck: async ({ dueAt, pruneAt }: PlanCheck, mode: string) => {
        scheduled.push([mode, dueAt, pruneAt].join(' '));
      },
    },
    accounts: {
      findByEmail: async (email: string) => (email === account.email ? account : undefined),
      get: async (id: AccountId) => (id === account.id ? account : undefined),
    },
    admin: {
      setTier: async (id: AccountId, tier: Tier, endsTrial: boolean) => {
        tiers.push([id, tier, endsTrial]);
      },
    },
  };
}

describe('findAccount', () => {
  test.each(['ann@example.org', ' ANN@Example.ORG '])('finds the account of %j', async (email) => {
    expect(await findAccount(deps(), email)).toEqual(account);
  });

  test('finds the account of an id, and none of another', async () => {
    expect(await findAccount(deps(), account.id)).toEqual(account);
    expect(await findAccount(deps(), randomUUID())).toBeUndefined();
  });
});

describe('setPlan', () => {
  test.each<Tier>(['free', 'starter', 'pro', 'scale'])(
    'during a trial, %s is the plan at once and for good',
    async (tier) => {
      const { tiers, ...rest } = deps();
      const changed = await setPlan(rest, 'Ann@example.org', tier);
      expect(changed).toEqual({ ...account, tier, trialEndsAt: null });
      expect(tiers).toEqual([[account.id, tier, true]]);
      expect(changed && effectiveTier(changed, rest.now())).toBe(tier);
    },
  );

  test('changes nothing else after a trial', async () => {
    const { tiers, ...rest } = deps();
    const later = { ...rest, now: () => new Date(account.trialEndsAt ?? '') };
    expect(await setPlan(later, account.email, 'agency')).toEqual({ ...account, tier: 'agency' });
    expect(tiers).toEqual([[account.id, 'agency', false]]);
  });

  test('whatever came before, the plan is the last one that was set', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom(...Tier.options), { minLength: 1 }),
        async (tiers) => {
          let stored: Account = account;
          for (const tier of tiers) {
            const accounts = { findByEmail: async () => stored, get: async () => stored };
            stored = (await setPlan({ ...deps(), accounts }, account.email, tier)) ?? stored;
            expect(effectiveTier(stored, deps().now())).toBe(tier);
          }
          expect(effectiveTier(stored, new Date('2031-01-01'))).toBe(tiers.at(-1));
        },
      ),
    );
  });

  test.each<[string, Tier, Tier, string[]]>([
    [
      'a trial that becomes a smaller plan',
      'free',
      'starter',
      ['replacing 2030-01-01T00:00:00.000Z '],
    ],
    ['a smaller paid plan', 'agency', 'pro', ['replacing 2030-01-01T00:00:00.000Z ']],
    ['the same plan again', 'starter', 'starter', ['keeping 2030-01-01T00:00:00.000Z ']],
    ['a paid plan that ends', 'pro', 'free', ['replacing 2030-01-01T00:00:00.000Z ']],
    ['a trial that ends', 'free', 'free', ['replacing 2030-01-01T00:00:00.000Z ']],
    ['a larger plan', 'pro', 'agency', []],
  ])('%s is compared with what is kept', async (_, from, to, expected) => {
    const own = deps();
    const accounts = { ...own.accounts, findByEmail: async () => ({ ...account, tier: from }) };
    await setPlan({ ...own, accounts }, account.email, to);
    expect(own.scheduled).toEqual(expected);
  });

  test('makes no account for an address without one', async () => {
    const { tiers, ...rest } = deps();
    expect(await setPlan(rest, 'bob@example.org', 'scale')).toBeUndefined();
    expect(tiers).toEqual([]);
  });
});
