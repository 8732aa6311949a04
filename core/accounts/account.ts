import * as z from 'zod';
import { AccountId, Instant, Tier } from '../../contract/fields.ts';
import type { PlanLimits } from '../../contract/plans.ts';

/** One account: who, what is paid for, and the exact sums of what it holds. */
export const Account = z.object({
  id: AccountId,
  email: z.string(),
  /** What is paid for; during the trial it counts as `pro`. */
  tier: Tier,
  trialEndsAt: Instant.nullable(),
  /** Active projects and their bytes, changed in one transaction with each project. */
  projectCount: z.number().int(),
  storageBytes: z.number().int(),
  createdAt: Instant,
  /** Since when an operator keeps it from everything; until the suspension is lifted. */
  suspendedAt: Instant.optional(),
  /** Set while the suspension is being lifted; the account counts as suspended until that is done. */
  liftingAt: Instant.optional(),
});
export type Account = z.infer<typeof Account>;

/** Numbers of every plan. */
export type Plans = Readonly<Record<Tier, PlanLimits>>;

/** The plan that counts now: a trial makes a free account `pro` until its exact end. */
export function effectiveTier(account: Pick<Account, 'tier' | 'trialEndsAt'>, now: Date): Tier {
  const inTrial = account.trialEndsAt !== null && Date.parse(account.trialEndsAt) > now.getTime();
  return account.tier === 'free' && inTrial ? 'pro' : account.tier;
}

/** What is used and allowed; -1 means unlimited. */
export function quotaOf(
  account: Pick<Account, 'projectCount' | 'storageBytes'>,
  limits: PlanLimits,
) {
  return {
    projects: {
      used: account.projectCount,
      limit: limits.maxProjects,
      unlimited: limits.maxProjects === -1,
    },
    storage: {
      usedBytes: account.storageBytes,
      limitBytes: limits.maxStorageBytes,
      unlimited: limits.maxStorageBytes === -1,
    },
  };
}
