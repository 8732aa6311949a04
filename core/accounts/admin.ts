import { AccountId, Tier } from '../../contract/fields.ts';
import { instant } from '../instants.ts';
import type { PlanChecks } from '../projects/history/account-history.ts';
import { type Account, effectiveTier, normaliseEmail } from './account.ts';
import type { AccountAdmin, AccountStore } from './ports.ts';

/** The dependencies of an operator's commands. */
export interface AdminDeps {
  accounts: Pick<AccountStore, 'findByEmail' | 'get'>;
  admin: Pick<AccountAdmin, 'setTier'>;
}

/** Finds an account by its id or e-mail address; undefined when there is none. */
export async function findAccount(
  { accounts }: Pick<AdminDeps, 'accounts'>,
  idOrEmail: string,
): Promise<Account | undefined> {
  const id = AccountId.safeParse(idOrEmail).data;
  return id === undefined ? accounts.findByEmail(normaliseEmail(idOrEmail)) : accounts.get(id);
}

/** Whether a plan is larger than another. */
export function isLarger(tier: Tier, other: Tier): boolean {
  return Tier.options.indexOf(tier) > Tier.options.indexOf(other);
}

/** The dependencies of `setPlan`. */
export interface SetPlanDeps extends AdminDeps {
  checks: Pick<PlanChecks, 'scheduleCheck'>;
  now(): Date;
}

/**
 * Changes the plan of an account from now on and returns the changed account. A running trial ends:
 * otherwise `free` would still be `pro`, and any plan would be followed by the rest of the trial. If
 * the effective plan becomes smaller, a check is scheduled: it tells the owner, and a week later
 * removes what exceeds the plan. Repeating the command after an interruption schedules it again.
 */
export async function setPlan(
  deps: SetPlanDeps,
  email: string,
  tier: Tier,
): Promise<Account | undefined> {
  const now = deps.now();
  const before = await findAccount(deps, email);
  if (before === undefined) return undefined;
  const endsTrial = before.trialEndsAt !== null && before.trialEndsAt > instant(now);
  const account = { ...before, tier, ...(endsTrial && { trialEndsAt: null }) };
  const tierAfter = effectiveTier(account, now);
  const tierBefore = effectiveTier(before, now);
  await deps.admin.setTier(account.id, tier, endsTrial);
  const mode = isLarger(tierBefore, tierAfter) ? 'replacing' : 'keeping';
  const check = { accountId: account.id, dueAt: instant(now), pruneAt: null };
  if (!isLarger(tierAfter, tierBefore)) await deps.checks.scheduleCheck(check, mode);
  return account;
}
