import type { AccountId } from '../../contract/fields.ts';
import type { Plans } from '../accounts/account.ts';
import type { AccountStore } from '../accounts/ports.ts';
import { instant } from '../instants.ts';
import type { Project } from '../projects/project.ts';
import { effectiveLimits } from '../projects/quota.ts';
import type { LimitMailer, VisitMonth, VisitMonths } from './ports.ts';
import { restProject, type RestDeps, setAccountRestingUntil } from './rest-projects.ts';

/** The dependencies for enforcing monthly visits. */
export interface VisitLimitDeps extends RestDeps {
  accounts: Pick<AccountStore, 'get'>;
  plans: Plans;
  months: VisitMonths;
  mailer: LimitMailer;
}

/** An account with new visits in a month, and the visited projects. */
export interface UpdatedMonth {
  accountId: AccountId;
  /** As `2026-03`, in UTC. */
  month: string;
  projects: readonly Project[];
}

/** Pages are served up to this multiple of the limit, so that no link fails by surprise. */
const restFactor = 2;

/**
 * Mails an owner at 80 % and at 100 % of the plan's monthly visits, once each for a limit, and makes
 * the projects rest at twice the limit, until the month is over. A project that is created or
 * restored after that rests from its first visit on.
 */
export async function enforceVisitLimit(
  deps: VisitLimitDeps,
  updated: UpdatedMonth,
): Promise<void> {
  const { accountId, month } = updated;
  const now = deps.now();
  const account = await deps.accounts.get(accountId);
  if (account === undefined) return;
  const limit = effectiveLimits(deps.plans, account, now).maxVisitorsPerMonth;
  if (limit === -1) return;
  const monthState = await deps.months.get(accountId, month);
  for (const percent of [80, 100] as const) {
    if (!(await claimNotification(deps, updated, { monthState, percent, limit }))) continue;
    const { visits } = monthState;
    await deps.mailer
      .sendVisitNotice(account.email, { percent, visits, limit })
      .catch((error: unknown) => deps.onFailure({ kind: 'limit-mail', accountId, percent }, error));
  }
  const until = startOfNextMonth(month);
  if (monthState.visits < restFactor * limit || until <= instant(now)) return;
  if (limit > (monthState.notified.rested ?? -1)) {
    await setAccountRestingUntil(deps, accountId, until);
    // Recorded afterwards: if this is interrupted, the next visit continues.
    await deps.months.recordStep(accountId, month, 'rested', limit);
  }
  for (const project of updated.projects) {
    if (project.restingUntil !== until) await restProject(deps, project.id, until);
  }
}

interface LimitThreshold {
  monthState: VisitMonth;
  percent: 80 | 100;
  limit: number;
}

/** Whether a threshold is reached and no mail has been sent for it; true for only one of simultaneous callers. */
async function claimNotification(
  { months }: Pick<VisitLimitDeps, 'months'>,
  { accountId, month }: UpdatedMonth,
  { monthState, percent, limit }: LimitThreshold,
): Promise<boolean> {
  const mark = `at${percent}` as const;
  if (monthState.visits * 100 < limit * percent || limit <= (monthState.notified[mark] ?? -1))
    return false;
  return months.recordStep(accountId, month, mark, limit);
}

/** The first instant of the month after `2026-12`. */
export function startOfNextMonth(month: string): string {
  const first = new Date(`${month}-01T00:00:00.000Z`);
  first.setUTCMonth(first.getUTCMonth() + 1);
  return instant(first);
}
