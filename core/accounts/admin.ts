import { Tier } from '../../contract/fields.ts';
import type { Account } from './account.ts';
import type { AccountAdmin } from './admin-ports.ts';
import { normaliseEmail } from './email.ts';
import type { AccountStore } from './ports.ts';

/** What an operator's commands need. */
export interface AdminDeps {
  accounts: Pick<AccountStore, 'findByEmail'>;
  admin: AccountAdmin;
}

/** The account of an address, however it is written; undefined when it has none. */
export async function findAccount(
  { accounts }: Pick<AdminDeps, 'accounts'>,
  email: string,
): Promise<Account | undefined> {
  return accounts.findByEmail(normaliseEmail(email));
}

/** Whether a plan stands above another. */
export function isLarger(tier: Tier, other: Tier): boolean {
  return Tier.options.indexOf(tier) > Tier.options.indexOf(other);
}

/** Puts an account on a plan from now on; gives the account as it is then. The trial's end stays. */
export async function setPlan(
  deps: AdminDeps,
  email: string,
  tier: Tier,
): Promise<Account | undefined> {
  const account = await findAccount(deps, email);
  if (account === undefined) return undefined;
  await deps.admin.setTier(account.id, tier);
  return { ...account, tier };
}
