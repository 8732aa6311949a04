import type { AccountId, Instant } from '../../../contract/fields.ts';
import type { PlanLimits } from '../../../contract/plans.ts';
import type { Account } from '../../accounts/account.ts';
import { stateOf } from '../../accounts/suspension.ts';
import { instant, plusSeconds } from '../../instants.ts';
import {
  noticeSeconds,
  type PlanCheck,
  type PlanCheckTime,
  type ProjectWithHistory,
} from './account-history.ts';
import { type HoldHistoryDeps, trialEnd } from './hold-history.ts';
import { isAbovePlan } from './project-history.ts';
import { pruneProject, stepsOfMaintenance, trimHistory } from './prune-history.ts';
import { limitsOf } from '../quota.ts';

/** Tells an owner what leaves, and when. */
export interface PlanMailer {
  sendPlanNotice(email: string, notice: PlanNotice): Promise<void>;
}

/** What a plan keeps of earlier versions, and when what is above that leaves; -1 means unlimited. */
export interface PlanNotice extends Pick<PlanLimits, 'versionsKept' | 'maxStorageBytes'> {
  /** Projects that keep more versions than the plan. */
  projects: number;
  pruneAt: Instant;
}

/** What comparing an account with its plan needs. */
export interface CheckPlanDeps extends HoldHistoryDeps {
  planMailer: PlanMailer;
}

/** A mail that could not be handed over is tried again after this. */
const retrySeconds = 600;

/** An account that is suspended is looked at again after this. */
const suspendedSeconds = 86_400;

interface Standing {
  check: PlanCheck;
  account: Account;
  limits: PlanLimits;
  /** Projects that keep more versions than the plan does. */
  above: readonly ProjectWithHistory[];
  /** Whether all earlier versions together hold more than the plan. */
  isTooLarge: boolean;
}

/** Does what is due of an account at a time, and forgets that time unless some of it is left. */
export async function settlePlanTime(
  deps: CheckPlanDeps,
  time: PlanCheckTime,
  now: Date,
): Promise<boolean> {
  const isDone = await checkPlan(deps, time.accountId, now);
  const check = await deps.history.findCheck(time.accountId);
  if (check?.dueAt !== time.dueAt) await deps.history.forgetTime(time);
  return isDone;
}

/**
 * Compares an account with its plan. What is above it leaves a week after its owner was told by
 * mail, never before that mail was handed over; nothing leaves where the plan has grown by then,
 * and a live version never does. False when there was nothing to do.
 */
export async function checkPlan(
  deps: CheckPlanDeps,
  accountId: AccountId,
  now: Date,
): Promise<boolean> {
  const check = await deps.history.findCheck(accountId);
  if (check === undefined || Date.parse(check.dueAt) > now.getTime()) return false;
  const found = await deps.history.find(accountId);
  if (found === undefined) return deps.history.endCheck(check);
  const { account, earlierBytes } = found;
  // Nothing of a suspended account is lost; its owner could do nothing about a notice.
  if (stateOf(account) !== 'active') {
    const dueAt = instant(plusSeconds(now, suspendedSeconds));
    return deps.history.moveCheck(check, { accountId, dueAt, pruneAt: null });
  }
  const limits = limitsOf(deps.plans, account, now);
  const projects = await deps.history.projects(accountId);
  const above = projects.filter(({ history }) => isAbovePlan(history, limits));
  const isTooLarge = limits.maxStorageBytes !== -1 && earlierBytes > limits.maxStorageBytes;
  const standing = { check, account, limits, above, isTooLarge };
  if (above.length === 0 && !isTooLarge) return settle(deps, standing, now);
  return check.pruneAt === null ? tell(deps, standing, now) : prune(deps, standing, now);
}

/** Nothing is above the plan: it is looked at again when that becomes smaller by itself. */
async function settle(deps: CheckPlanDeps, { check, account }: Standing, now: Date) {
  const dueAt = trialEnd(account, now);
  if (dueAt === undefined) return deps.history.endCheck(check);
  return deps.history.moveCheck(check, { ...check, dueAt, pruneAt: null });
}

/** The week begins when the mail has been handed over; what fails before is done again. */
async function tell(
  deps: CheckPlanDeps,
  { check, account, limits, above }: Standing,
  now: Date,
): Promise<boolean> {
  const telling = { ...check, dueAt: instant(plusSeconds(now, retrySeconds)) };
  if (!(await deps.history.moveCheck(check, telling))) return false;
  const pruneAt = instant(plusSeconds(now, noticeSeconds));
  const { versionsKept, maxStorageBytes } = limits;
  const notice = { versionsKept, maxStorageBytes, projects: above.length, pruneAt };
  await deps.planMailer.sendPlanNotice(account.email, notice);
  return deps.history.moveCheck(telling, { ...check, dueAt: pruneAt, pruneAt });
}

async function prune(
  deps: CheckPlanDeps,
  { check, account, limits, above }: Standing,
  now: Date,
): Promise<boolean> {
  const { versionsKept, maxStorageBytes: maxBytes } = limits;
  let steps = stepsOfMaintenance;
  for (const { projectId } of above) {
    let isAbove = true;
    while (isAbove) {
      if (steps === 0) return true;
      steps -= 1;
      const pruned = await pruneProject(deps, projectId, (earlier) =>
        earlier.slice(0, Math.max(0, earlier.length + 1 - Math.max(1, versionsKept))),
      );
      isAbove = pruned !== undefined && isAbovePlan(pruned.history, limits);
    }
  }
  if (maxBytes !== -1) {
    const trimmed = await trimHistory(deps, account.id, { maxBytes, steps });
    if (trimmed === 'more-to-do') return true;
  }
  return settle(deps, { check, account, limits, above, isTooLarge: false }, now);
}
