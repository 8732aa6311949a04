import { daySeconds, planNoticeSeconds } from '../../../contract/limits.ts';
import type { AccountId, Instant } from '../../../contract/fields.ts';
import type { PlanLimits } from '../../../contract/plans.ts';
import type { Account } from '../../accounts/account.ts';
import { wantsMail } from '../../accounts/mail-choices.ts';
import { accountState } from '../../accounts/suspension.ts';
import { instant, plusSeconds } from '../../instants.ts';
import { type PlanCheck, type PlanCheckTime, type ProjectWithHistory } from './account-history.ts';
import { type HistoryLimitDeps, nextTrialCheck } from './history-limit.ts';
import { isAbovePlan } from './project-history.ts';
import { pruneProject, stepsPerMaintenanceRun, trimHistory } from './prune-history.ts';
import { mailStopToken } from '../../analytics/mail-stops.ts';
import type { RotatingSecret } from '../../secrets/rotating-secret.ts';
import { effectiveLimits } from '../quota.ts';

/** Mails an owner what will be removed, and when. */
export interface PlanMailer {
  sendPlanNotice(email: string, notice: PlanNotice): Promise<void>;
  sendTrialNotice(email: string, notice: TrialNotice): Promise<void>;
}

/**
 * The earlier versions that a plan keeps, and the time when the others are removed; -1 means
 * unlimited.
 */
export interface PlanNotice extends Pick<PlanLimits, 'versionsKept' | 'maxStorageBytes'> {
  /** Projects that keep more versions than the plan. */
  projects: number;
  pruneAt: Instant;
}

/** When a trial ends, the limits of the plan after it, and the link that stops such mails. */
export interface TrialNotice {
  endsAt: Instant;
  maxProjects: number;
  maxStorageBytes: number;
  stopToken: string;
}

/** Dependencies of {@link checkPlan}. */
export interface CheckPlanDeps extends HistoryLimitDeps {
  planMailer: PlanMailer;
  accessSecret(): Promise<RotatingSecret>;
}

/** A mail that could not be sent is retried after this. */
const retrySeconds = 600;

/** A suspended account is checked again after this. */
const suspendedSeconds = daySeconds;

interface PlanComparison {
  check: PlanCheck;
  account: Account;
  limits: PlanLimits;
  /** Projects that have more versions than the plan keeps. */
  above: readonly ProjectWithHistory[];
}

/** Runs the plan check that is due at `time`, and deletes that time unless work is left. */
export async function processPlanCheck(
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
 * Compares an account with its plan. Versions above the plan are removed a week after the owner was
 * notified by mail, and never before that mail was sent. Nothing is removed if the plan is larger
 * by then. Live versions are never removed. Returns false if there was nothing to do.
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
  // A suspended account loses nothing, and its owner could not act on a notice.
  if (accountState(account) !== 'active') {
    const dueAt = instant(plusSeconds(now, suspendedSeconds));
    return deps.history.moveCheck(check, { accountId, dueAt, pruneAt: null });
  }
  const limits = effectiveLimits(deps.plans, account, now);
  const projects = await deps.history.projects(accountId);
  const above = projects.filter(({ history }) => isAbovePlan(history, limits));
  const isTooLarge = limits.maxStorageBytes !== -1 && earlierBytes > limits.maxStorageBytes;
  const comparison = { check, account, limits, above };
  if (above.length === 0 && !isTooLarge) return scheduleNextCheck(deps, comparison, now);
  return check.pruneAt === null
    ? sendNotice(deps, comparison, now)
    : pruneToPlan(deps, comparison, now);
}

/**
 * Nothing is above the plan. The next check is three days before a trial ends, for a mail about that, and when it ends
 * and the plan becomes smaller.
 */
async function scheduleNextCheck(
  deps: CheckPlanDeps,
  { check, account }: PlanComparison,
  now: Date,
) {
  const dueAt = nextTrialCheck(account, now);
  if (dueAt === undefined) return deps.history.endCheck(check);
  if (dueAt !== account.trialEndsAt || !wantsMail(account, 'trial'))
    return deps.history.moveCheck(check, { ...check, dueAt, pruneAt: null });
  // A mail that fails is tried again.
  const retryCheck = { ...check, dueAt: instant(plusSeconds(now, retrySeconds)), pruneAt: null };
  if (!(await deps.history.moveCheck(check, retryCheck))) return false;
  const { maxProjects, maxStorageBytes } = deps.plans.free;
  const stop = { kind: 'trial', ownerId: account.id } as const;
  const stopToken = mailStopToken(await deps.accessSecret(), stop, account.email);
  const notice = { endsAt: dueAt, maxProjects, maxStorageBytes, stopToken };
  await deps.planMailer.sendTrialNotice(account.email, notice);
  return deps.history.moveCheck(retryCheck, { ...retryCheck, dueAt });
}

/** The week begins when the mail was sent. A failure before that is retried. */
async function sendNotice(
  deps: CheckPlanDeps,
  { check, account, limits, above }: PlanComparison,
  now: Date,
): Promise<boolean> {
  const retryCheck = { ...check, dueAt: instant(plusSeconds(now, retrySeconds)) };
  if (!(await deps.history.moveCheck(check, retryCheck))) return false;
  const pruneAt = instant(plusSeconds(now, planNoticeSeconds));
  const { versionsKept, maxStorageBytes } = limits;
  const notice = { versionsKept, maxStorageBytes, projects: above.length, pruneAt };
  await deps.planMailer.sendPlanNotice(account.email, notice);
  return deps.history.moveCheck(retryCheck, { ...check, dueAt: pruneAt, pruneAt });
}

async function pruneToPlan(
  deps: CheckPlanDeps,
  { check, account, limits, above }: PlanComparison,
  now: Date,
): Promise<boolean> {
  const { versionsKept, maxStorageBytes: maxBytes } = limits;
  let steps = stepsPerMaintenanceRun;
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
  return scheduleNextCheck(deps, { check, account, limits, above }, now);
}
