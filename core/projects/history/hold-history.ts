import type { AccountId } from '../../../contract/fields.ts';
import { type Account, effectiveTier, type Plans } from '../../accounts/account.ts';
import { instant } from '../../instants.ts';
import { type AccountHistory, isNoticePending } from './account-history.ts';
import type { Project } from '../project.ts';
import { isAbovePlan } from './project-history.ts';
import {
  type PruneDeps,
  stepsOfMaintenance,
  stepsOfRequest,
  trimHistory,
} from './prune-history.ts';
import { limitsOf } from '../quota.ts';

/** What holding an account's earlier versions to its plan needs. */
export interface HoldHistoryDeps extends PruneDeps {
  history: AccountHistory;
  plans: Plans;
  /** Told of what maintenance, or the next change, has to finish. */
  onFailure(item: unknown, error: unknown): void;
}

/** When the plan of an account becomes smaller by itself; `undefined` where that is not ahead. */
export function trialEnd(account: Account, now: Date) {
  const { tier, trialEndsAt } = account;
  const isAhead = tier === 'free' && effectiveTier(account, now) !== 'free';
  return isAhead && trialEndsAt !== null ? trialEndsAt : undefined;
}

/**
 * After a change by which a project keeps more: the oldest earlier versions of all the account's
 * projects leave until the rest fits the plan. No change is refused or undone for it.
 */
export async function holdHistory(
  deps: HoldHistoryDeps,
  accountId: AccountId,
  change: { before: Project; after: Project },
): Promise<void> {
  try {
    await hold(deps, accountId, change);
  } catch (error) {
    deps.onFailure({ kind: 'history', accountId }, error);
  }
}

async function hold(
  deps: HoldHistoryDeps,
  accountId: AccountId,
  { before, after }: { before: Project; after: Project },
): Promise<void> {
  const now = deps.now();
  const found = await deps.history.find(accountId);
  if (found === undefined) return;
  const limits = limitsOf(deps.plans, found.account, now);
  // Kept from a larger plan, of whose end nobody was told yet.
  if (isAbovePlan(after.history, limits)) {
    const check = { accountId, dueAt: instant(now), pruneAt: null };
    await deps.history.scheduleCheck(check, 'keeping');
  }
  const { maxStorageBytes } = limits;
  if (maxStorageBytes === -1 || found.earlierBytes <= maxStorageBytes) return;
  const added = after.history.bytes - before.history.bytes;
  const isPending = isNoticePending(await deps.history.findCheck(accountId), now);
  // What was there stays until the end of the notice; what is new makes room for itself.
  const maxBytes = isPending
    ? Math.max(maxStorageBytes, found.earlierBytes - added)
    : maxStorageBytes;
  const at = instant(now);
  await deps.history.scheduleTrim(accountId, at);
  const trimmed = await trimHistory(deps, accountId, { maxBytes, steps: stepsOfRequest });
  // The sum may be ahead of the index of projects for a moment: maintenance looks again.
  if (trimmed === 'fits') await deps.history.endTrim(accountId, at);
}

/** Goes on with what a change left of an account's earlier versions. */
export async function resumeTrim(
  deps: HoldHistoryDeps,
  accountId: AccountId,
  now: Date,
): Promise<void> {
  const found = await deps.history.find(accountId);
  const check = await deps.history.findCheck(accountId);
  const limits = found === undefined ? undefined : limitsOf(deps.plans, found.account, now);
  const maxBytes = limits?.maxStorageBytes ?? -1;
  // What is above a smaller plan goes by its own time.
  if (maxBytes !== -1 && !isNoticePending(check, now)) {
    const trimmed = await trimHistory(deps, accountId, { maxBytes, steps: stepsOfMaintenance });
    if (trimmed === 'more-to-do') return;
  }
  await deps.history.endTrim(accountId, instant(now));
}
