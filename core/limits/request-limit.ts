import type { Account, Plans } from '../accounts/account.ts';
import { effectiveTier } from '../accounts/account.ts';
import type { Caller } from '../caller.ts';
import { type Counters, countAttempt } from './counters.ts';

/** What counting an account's requests needs. */
export interface RequestLimitDeps {
  counters: Pick<Counters, 'count'>;
  plans: Plans;
  now(): Date;
}

/**
 * Counts one request of an account, whichever of its keys was sent, in the clock's minute.
 * @throws CodedError RATE_LIMITED over the plan's `requestsPerMinute`
 */
export async function countRequest(
  deps: RequestLimitDeps,
  caller: Caller & { account: Account },
): Promise<void> {
  const now = deps.now();
  const { id } = caller.account;
  const limit = deps.plans[effectiveTier(caller.account, now)].requestsPerMinute;
  if (limit === -1) return;
  const rule = { limit, windowSeconds: 60 };
  const counted = { key: `requests#${id}`, rule, what: 'requests of one account' };
  await countAttempt(deps.counters, caller, counted, now);
}
