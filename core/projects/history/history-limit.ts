import type { AccountId, Instant } from '../../../contract/fields.ts';
import { daySeconds } from '../../../contract/limits.ts';
import { type Account, effectiveTier, type Plans } from '../../accounts/account.ts';
import { instant, plusSeconds } from '../../instants.ts';
import { type AccountHistory, isNoticePending } from './account-history.ts';
import type { Project } from '../project.ts';
import { isAbovePlan } from './project-history.ts';
import {
  type PruneDeps,
  stepsPerMaintenanceRun,
  stepsPerRequest,
  trimHistory,
} from './prune-history.ts';
import { effectiveLimits } from '../quota.ts';

/** Dependencies of {@link enforceHistoryLimit}. */
export interface HistoryLimitDeps extends PruneDeps {
  history: AccountHistory;
  plans: Plans;
  /** Called with work that maintenance, or the next change, has to complete. */
  onFailure(item: unknown, error: unknown): void;
}

/** When the trial of an account ends; `undefined` without a running trial. */
function upcomingTrialEnd(account: Account, now: Date) {
  const { tier, trialEndsAt } = account;
  const isAhead = tier === 'free' && effectiveTier(account, now) !== 'free';
  return isAhead && trialEndsAt !== null ? trialEndsAt : undefined;
}

/** The mail about the end of a trial is due so long before. */
const trialNoticeSeconds = 3 * daySeconds;

/** When an account in its trial is checked next: for the mail about the end, then at the end. Pure. */
export function nextTrialCheck(account: Account, now: Date): Instant | undefined {
  const end = upcomingTrialEnd(account, now);
  const noticeAt = end && instant(plusSeconds(new Date(end), -trialNoticeSeconds));
  return noticeAt !== undefined && noticeAt > instant(now) ? noticeAt : end;
}

/**
 * After a change that adds to a project's history: removes the oldest earlier versions of all the
 * account's projects until the rest fits the plan. A failure does not fail the change.
 */
export async function enforceHistoryLimit(
  deps: HistoryLimitDeps,
  accountId: AccountId,
  change: { before: Project; after: Project },
): Promise<void> {
  try {
    await trimToLimit(deps, accountId, change);
  } catch (error) {
    deps.onFailure({ kind: 'history', accountId }, error);
  }
}

async function trimToLimit(
  deps: HistoryLimitDeps,
  accountId: AccountId,
  { before, after }: { before: Project; after: Project },
): Promise<void> {
  const now = deps.now();
  const found = await deps.history.find(accountId);
  if (found === undefined) return;
  const limits = effectiveLimits(deps.plans, found.account, now);
  // Left from a larger plan, and the owner was not notified yet.
  if (isAbovePlan(after.history, limits)) {
    const check = { accountId, dueAt: instant(now), pruneAt: null };
    await deps.history.scheduleCheck(check, 'keeping');
  }
  const { maxStorageBytes } = limits;
  if (maxStorageBytes === -1 || found.earlierBytes <= maxStorageBytes) return;
  const added = after.history.bytes - before.history.bytes;
  const isPending = isNoticePending(await deps.history.findCheck(accountId), now);
  // During a notice, earlier versions stay. Only as much as was added is removed.
  const maxBytes = isPending
    ? Math.max(maxStorageBytes, found.earlierBytes - added)
    : maxStorageBytes;
  const at = instant(now);
  await deps.history.scheduleTrim(accountId, at);
  const trimmed = await trimHistory(deps, accountId, { maxBytes, steps: stepsPerRequest });
  // The total may be ahead of the index of projects for a moment. Maintenance checks again.
  if (trimmed === 'fits') await deps.history.endTrim(accountId, at);
}

/** Continues a trim that a change did not complete. */
export async function resumeTrim(
  deps: HistoryLimitDeps,
  accountId: AccountId,
  now: Date,
): Promise<void> {
  const found = await deps.history.find(accountId);
  const check = await deps.history.findCheck(accountId);
  const limits = found === undefined ? undefined : effectiveLimits(deps.plans, found.account, now);
  const maxBytes = limits?.maxStorageBytes ?? -1;
  // During a notice, `checkPlan` decides when versions are removed.
  if (maxBytes !== -1 && !isNoticePending(check, now)) {
    const trimmed = await trimHistory(deps, accountId, { maxBytes, steps: stepsPerMaintenanceRun });
    if (trimmed === 'more-to-do') return;
  }
  await deps.history.endTrim(accountId, instant(now));
}
