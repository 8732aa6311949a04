import type { Tier } from '../../contract/fields.ts';
import type { Account } from '../accounts/account.ts';
import { findAccount, isLarger, setPlan, type SetPlanDeps } from '../accounts/admin.ts';
import type { AccountAdmin } from '../accounts/ports.ts';
import { type RestDeps, setAccountRestingUntil } from '../analytics/rest-projects.ts';
import type { SessionCaller } from '../caller.ts';
import { act, describeAccount, type OperateDeps, requireAccount } from './operate.ts';
import { requireOperator } from './operator.ts';

/** The dependencies of {@link listAccounts}. */
export interface ListAccountsDeps extends Pick<OperateDeps, 'operators' | 'accounts'> {
  admin: Pick<AccountAdmin, 'list'>;
}

/**
 * All accounts, newest first, or the one with this id or e-mail address.
 * @throws CodedError NOT_FOUND
 */
export async function listAccounts(
  deps: ListAccountsDeps,
  caller: SessionCaller,
  {
    account,
    limit,
    cursor,
  }: { account?: string | undefined; limit: number; cursor?: string | undefined },
) {
  requireOperator(deps.operators, caller);
  if (account !== undefined) {
    const found = await findAccount(deps, account);
    return { accounts: found === undefined ? [] : [describeAccount(found)], nextCursor: null };
  }
  const { accountIds, next } = await deps.admin.list({ limit, after: cursor });
  const accounts = await Promise.all(accountIds.map((id) => deps.accounts.get(id)));
  // One that is being removed may be listed still.
  const listed = accounts.flatMap((one) => (one === undefined ? [] : [describeAccount(one)]));
  return { accounts: listed, nextCursor: next ?? null };
}

/** The dependencies of {@link changePlan}. */
export interface ChangePlanDeps extends SetPlanDeps, Omit<RestDeps, 'projects'> {
  projects: RestDeps['projects'];
}

/**
 * Changes the plan of an account. After a change to a larger plan, projects that rest because of too many visits are
 * served again; the next visit over the new limit makes them rest again.
 * @returns the account as it is then; undefined if there is none
 */
export async function changePlan(
  deps: ChangePlanDeps,
  { account, plan }: { account: string; plan: Tier },
): Promise<Account | undefined> {
  const before = await findAccount(deps, account);
  const after = before && (await setPlan(deps, before.id, plan));
  if (after && isLarger(plan, before.tier)) await setAccountRestingUntil(deps, after.id, null);
  return after;
}

/** @throws CodedError NOT_FOUND */
export async function setAccountPlan(
  deps: OperateDeps & ChangePlanDeps,
  caller: SessionCaller,
  { accountId, plan }: { accountId: string; plan: Tier },
) {
  const account = await act(
    deps,
    caller,
    { action: `set-plan ${plan}`, target: accountId },
    async () => {
      const { id } = await requireAccount(deps, accountId);
      await changePlan(deps, { account: id, plan });
      return requireAccount(deps, id);
    },
  );
  return describeAccount(account);
}
