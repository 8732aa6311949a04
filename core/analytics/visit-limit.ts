import type { AccountId } from '../../contract/fields.ts';
import type { Plans } from '../accounts/account.ts';
import type { AccountStore } from '../accounts/ports.ts';
import { instant } from '../instants.ts';
import type { Project } from '../projects/project.ts';
import { limitsOf } from '../projects/quota.ts';
import type { LimitMailer, VisitMonth, VisitMonths } from './ports.ts';
import { rest, type RestDeps, restAll } from './rest-projects.ts';

/** What holding an account to its monthly visits needs. */
export interface VisitLimitDeps extends RestDeps {
  accounts: Pick<AccountStore, 'get'>;
  plans: Plans;
  months: VisitMonths;
  mailer: LimitMailer;
}

/** An account whose month has just grown, and the projects that were visited. */
export interface GrownMonth {
  accountId: AccountId;
  /** As `2026-03`, in UTC. */
  month: string;
  projects: readonly Project[];
}

/** Pages are served up to so many times the limit: nobody's link dies by surprise. */
const servedTimes = 2;

/**
 * Tells an owner at 80 % and at 100 % of the plan's monthly visits, once each for a limit, and puts
 * the projects to rest at twice the limit, until the month is over. A project that is made or comes
 * back after that rests from its first visit on.
 */
export async function holdToLimit(deps: VisitLimitDeps, grown: GrownMonth): Promise<void> {
  const { accountId, month } = grown;
  const now = deps.now();
  const account = await deps.accounts.get(accountId);
  if (account === undefined) return;
  const limit = limitsOf(deps.plans, account, now).maxVisitorsPerMonth;
  if (limit === -1) return;
  const standing = await deps.months.get(accountId, month);
  for (const percent of [80, 100] as const) {
    if (!(await isNew(deps, grown, { standing, percent, limit }))) continue;
    const { visits } = standing;
    await deps.mailer
      .send(account.email, { percent, visits, limit })
      .catch((error: unknown) => deps.onFailure({ kind: 'limit-mail', accountId, percent }, error));
  }
  const until = nextMonth(month);
  if (standing.visits < servedTimes * limit || until <= instant(now)) return;
  if (limit > (standing.told.rested ?? -1)) {
    await restAll(deps, accountId, until);
    // Afterwards: cut off, the next visit goes on.
    await deps.months.note(accountId, month, 'rested', limit);
  }
  for (const project of grown.projects) {
    if (project.restingUntil !== until) await rest(deps, project.id, until);
  }
}

interface Step {
  standing: VisitMonth;
  percent: 80 | 100;
  limit: number;
}

/** Whether a step is reached of which nobody was told; of many that ask at once one is told so. */
async function isNew(
  { months }: Pick<VisitLimitDeps, 'months'>,
  { accountId, month }: GrownMonth,
  { standing, percent, limit }: Step,
): Promise<boolean> {
  const mark = `at${percent}` as const;
  if (standing.visits * 100 < limit * percent || limit <= (standing.told[mark] ?? -1)) return false;
  return months.note(accountId, month, mark, limit);
}

/** The first instant of the month after `2026-12`. */
export function nextMonth(month: string): string {
  const first = new Date(`${month}-01T00:00:00.000Z`);
  first.setUTCMonth(first.getUTCMonth() + 1);
  return instant(first);
}
