import type { AccountCaller, KeyCaller } from '../caller.ts';
import type { VisitMonths } from '../analytics/ports.ts';
import { instant } from '../instants.ts';
import type { PlanFacts } from '../../contract/plans.ts';
import { type Account, effectiveTier, type Plans, describeQuota } from './account.ts';

/** The dependencies of `getSession` and `getUser`. */
export interface DescribeDeps {
  plans: Plans;
  /** Where accounts change their plan: the address of a page, or `mailto:`; null if they cannot. */
  upgradeUrl: string | null;
  now(): Date;
}

/** The contract requires a time, even for a key that never expires. */
const never = '9999-12-31T23:59:59.000Z';

/** The account of a key, and when the key expires without further use. */
export function getSession(deps: Pick<DescribeDeps, 'now'>, caller: KeyCaller) {
  const { account, key } = caller;
  return {
    email: account.email,
    plan: effectiveTier(account, deps.now()),
    apiKey: { expiresAt: key.expiresAt ?? never, renewsWhileInUse: key.kind === 'sign-in' },
  };
}

/** The plan of the account, its limits, and what it uses now and in this month (UTC). */
export async function getUser(
  deps: DescribeDeps & { months: Pick<VisitMonths, 'get'> },
  { account }: AccountCaller,
) {
  const month = instant(deps.now()).slice(0, 7);
  const { visits, bytes } = await deps.months.get(account.id, month);
  const { email } = account;
  return { email, ...describePlan(deps, account), usage: { visits, bytes } };
}

/** The limits of an account, its usage, and where its plan can be changed. */
export function describePlan(deps: DescribeDeps, account: Account): PlanFacts {
  const { plans, upgradeUrl } = deps;
  const tier = effectiveTier(account, deps.now());
  const { maxProjects, maxStorageBytes, maxFilesPerProject, maxUploadBytes } = plans[tier];
  const { maxVisitorsPerMonth, maxBytesPerMonth } = plans[tier];
  return {
    plan: {
      tier,
      trialEndsAt: account.trialEndsAt,
      upgradeUrl,
      limits: {
        maxProjects,
        maxStorageBytes,
        maxFilesPerProject,
        maxVisitorsPerMonth,
        maxBytesPerMonth,
        maxUploadBytes,
      },
    },
    quota: describeQuota(account, plans[tier]),
  };
}
