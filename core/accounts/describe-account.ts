import type { AccountCaller, KeyCaller } from '../caller.ts';
import { effectiveTier, type Plans, quotaOf } from './account.ts';

/** What telling an account about itself needs. */
export interface DescribeDeps {
  plans: Plans;
  now(): Date;
}

/** The interface promises a time, also for a key that never expires. */
const never = '9999-12-31T23:59:59.000Z';

/** Whose key this is, and when it would expire. */
export function describeSession(deps: Pick<DescribeDeps, 'now'>, caller: KeyCaller) {
  const { account, key } = caller;
  return {
    email: account.email,
    plan: effectiveTier(account, deps.now()),
    apiKey: { expiresAt: key.expiresAt ?? never, renewsWhileInUse: key.expiresAt !== null },
  };
}

/** Plan, limits and what is used of them. */
export function describeUser(deps: DescribeDeps, { account }: AccountCaller) {
  const tier = effectiveTier(account, deps.now());
  const limits = deps.plans[tier];
  return { email: account.email, plan: { tier, limits }, quota: quotaOf(account, limits) };
}
