import type { AccountCaller, KeyCaller } from '../caller.ts';
import { effectiveTier, type Plans, describeQuota } from './account.ts';

/** The dependencies of `describeSession` and `describeUser`. */
export interface DescribeDeps {
  plans: Plans;
  now(): Date;
}

/** The contract requires a time, even for a key that never expires. */
const never = '9999-12-31T23:59:59.000Z';

/** The account of a key, and when the key expires without further use. */
export function describeSession(deps: Pick<DescribeDeps, 'now'>, caller: KeyCaller) {
  const { account, key } = caller;
  return {
    email: account.email,
    plan: effectiveTier(account, deps.now()),
    apiKey: { expiresAt: key.expiresAt ?? never, renewsWhileInUse: key.expiresAt !== null },
  };
}

/** The plan of the account, its limits and the current usage. */
export function describeUser(deps: DescribeDeps, { account }: AccountCaller) {
  const tier = effectiveTier(account, deps.now());
  const limits = deps.plans[tier];
  return { email: account.email, plan: { tier, limits }, quota: describeQuota(account, limits) };
}
