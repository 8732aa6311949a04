import { AccountId, Tier } from '../../contract/fields.ts';
import type { Account } from './account.ts';
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
