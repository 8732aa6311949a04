import type { AccountId } from '../../contract/fields.ts';
import type { Plans } from '../accounts/account.ts';
import type { AccountStore } from '../accounts/ports.ts';
import { instant } from '../instants.ts';
import type { Project } from '../projects/project.ts';
import { effectiveLimits } from '../projects/quota.ts';
import type { LimitMailer, MonthlyLimitStep, VisitMonth, VisitMonths } from './ports.ts';
import { restProject, type RestDeps, setAccountRestingUntil } from './rest-projects.ts';

/** The dependencies for enforcing monthly limits. */
export interface MonthlyLimitDeps extends RestDeps {
  accounts: Pick<AccountStore, 'get'>;
  plans: Plans;
  months: VisitMonths;
  mailer: LimitMailer;
}

/**
 * An account with new visits or bytes in a month, and the visited projects; `any` if the bytes may
 * be of any project.
 */
export interface UpdatedMonth {
  accountId: AccountId;
  /** As `2026-03`, in UTC. */
  month: string;
  projects: readonly Project[] | 'any';
}

/** Pages are served up to this multiple of the limit, so that no link fails by surprise. */
const restFactor = 2;

/** The monthly limits, and the names under which their steps are recorded. */
const measures = [
  { what: 'visits', limit: 'maxVisitorsPerMonth', steps: ['at80', 'at100', 'rested'] },
  { what: 'bytes', limit: 'maxBytesPerMonth', steps: ['bytesAt80', 'bytesAt100', 'bytesRested'] },
] as const;

/**
 * Mails an owner at 80 % and at 100 % of the plan's monthly visits and of its bytes, once each for a
 * limit, and makes the projects rest at twice a limit, until the month is over. A project that is
 * created or restored after that rests from its first visit on.
 */
export async function enforceMonthlyLimits(
  deps: MonthlyLimitDeps,
  updated: UpdatedMonth,
): Promise<void> {
  const { accountId, month } = updated;
  const now = deps.now();
  const account = await deps.accounts.get(accountId);
  if (account === undefined) return;
  const limits = effectiveLimits(deps.plans, account, now);
  const measured = measures.filter(({ limit }) => limits[limit] !== -1);
  if (measured.length === 0) return;
  const monthState = await deps.months.get(accountId, month);
  for (const { what, limit: name, steps } of measured) {
    const [at80, at100, rested] = steps;
    const limit = limits[name];
    const used = monthState[what];
    for (const [percent, step] of [
      [80, at80],
      [100, at100],
    ] as const) {
      const notified = { monthState, what, used, percent, step, limit };
      if (!(await claimNotification(deps, updated, notified))) continue;
      await deps.mailer
        .sendMonthlyNotice(account.email, { what, percent, used, limit })
        .catch((error: unknown) =>
          deps.onFailure({ kind: 'limit-mail', accountId, what, percent }, error),
        );
    }
    await restAtLimit(deps, updated, { monthState, used, step: rested, limit });
  }
}

interface LimitStep {
  monthState: VisitMonth;
  used: number;
  step: MonthlyLimitStep;
  limit: number;
}

async function restAtLimit(
  deps: MonthlyLimitDeps,
  { accountId, month, projects }: UpdatedMonth,
  { monthState, used, step, limit }: LimitStep,
): Promise<void> {
  const until = startOfNextMonth(month);
  if (used < restFactor * limit || until <= instant(deps.now())) return;
  // Done now, because a project without pages gets no visit that would make it rest later.
  if (projects === 'any' || limit > (monthState.notified[step] ?? -1)) {
    await setAccountRestingUntil(deps, accountId, until);
    // Recorded afterwards: if this is interrupted, the next visit continues.
    await deps.months.recordStep({ accountId, month }, { mark: step, limit, events: [] });
  }
  if (projects === 'any') return;
  for (const project of projects) {
    if (project.restingUntil !== until) await restProject(deps, project.id, until);
  }
}

/** Whether a threshold is reached and no mail has been sent for it; true for only one of simultaneous callers. */
async function claimNotification(
  { months, now }: Pick<MonthlyLimitDeps, 'months' | 'now'>,
  { accountId, month }: UpdatedMonth,
  { monthState, step, ...data }: LimitStep & { what: 'visits' | 'bytes'; percent: 80 | 100 },
): Promise<boolean> {
  const { used, percent, limit } = data;
  if (used * 100 < limit * percent || limit <= (monthState.notified[step] ?? -1)) return false;
  const at = instant(now());
  const event = { type: 'quota.near', at, accountId, projectId: null, data } as const;
  return months.recordStep({ accountId, month }, { mark: step, limit, events: [event] });
}

/** The first instant of the month after `2026-12`. */
export function startOfNextMonth(month: string): string {
  const first = new Date(`${month}-01T00:00:00.000Z`);
  first.setUTCMonth(first.getUTCMonth() + 1);
  return instant(first);
}
