import { AccountId, Tier } from '../../contract/fields.ts';
import { instant } from '../instants.ts';
import type { PlanChecks } from '../projects/history/account-history.ts';
import { type Account, effectiveTier } from './account.ts';
import type { AccountAdmin } from './admin-ports.ts';
import { normaliseEmail } from './email.ts';
import type { AccountStore } from './ports.ts';

/** What an operator's commands need. */
export interface AdminDeps {
  accounts: Pick<AccountStore, 'findByEmail' | 'get'>;
  admin: Pick<AccountAdmin, 'setTier'>;
}

/** The account of this id, or of an address, however it is written; undefined when there is none. */
export async function findAccount(
  { accounts }: Pick<AdminDeps, 'accounts'>,
  idOrEmail: string,
): Promise<Account | undefined> {
  const id = AccountId.safeParse(idOrEmail).data;
  return id === undefined ? accounts.findByEmail(normaliseEmail(idOrEmail)) : accounts.get(id);
}

/** Whether a plan stands above another. */
export function isLarger(tier: Tier, other: Tier): boolean {
  return Tier.options.indexOf(tier) > Tier.options.indexOf(other);
}

/** What putting an account on a plan needs. */
export interface SetPlanDeps extends AdminDeps {
  checks: Pick<PlanChecks, 'scheduleCheck'>;
  now(): Date;
}

/**
 * Puts an account on a plan from now on; gives the account as it is then. The trial's end stays.
 * Where the plan that counts becomes smaller, now or at the trial's end, the account is compared
 * with it: its owner is told, and what is above it leaves a week later. The same plan again makes
 * sure of that after a command that was cut off.
 */
export async function setPlan(
  deps: SetPlanDeps,
  email: string,
  tier: Tier,
): Promise<Account | undefined> {
  const now = deps.now();
  const before = await findAccount(deps, email);
  if (before === undefined) return undefined;
  const account = { ...before, tier };
  const is = effectiveTier(account, now);
  const was = effectiveTier(before, now);
  await deps.admin.setTier(account.id, tier);
  const mode = isLarger(was, is) ? 'replacing' : 'keeping';
  const check = { accountId: account.id, dueAt: instant(now), pruneAt: null };
  if (!isLarger(is, was)) await deps.checks.scheduleCheck(check, mode);
  return account;
}
