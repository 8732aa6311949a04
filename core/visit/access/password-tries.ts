import { setTimeout } from 'node:timers/promises';
import { callerKey, networkKey } from '../../limits/caller-key.ts';
import type {
  TryBudgets,
  TryOutcome,
  TryReservation,
  TrySchedule,
} from '../../limits/try-budget.ts';
import { type EarlierVisit, earlierVisit } from './access-token.ts';
import type { ServingRecord } from '../serving-record.ts';
import type { RotatingSecret } from '../../secrets/rotating-secret.ts';

/** What counting tries of a password needs. */
export interface PasswordTryDeps {
  budgets: TryBudgets;
  accessSecret: RotatingSecret;
  now(): Date;
  /** Waits a moment for tries that are under way; a test has no need to. */
  pause?(milliseconds: number): Promise<unknown>;
}

/** Who tries a password, and for which site. */
export interface PasswordTry {
  site: Pick<ServingRecord, 'projectId' | 'passwordStamp'>;
  address: string;
  /** Their access cookie; it lets them in no more, and may still tell that it once did. */
  access: string;
}

/** Places that one try holds, or whose budget is used up and when it may have room again. */
export type PasswordTryOutcome =
  | { kind: 'reserved'; reservations: TryReservation[] }
  | { kind: 'refused'; by: 'visitor' | 'project'; freeAt: Date };

const day = 86_400;

/** Five a minute for an address (an IPv6 /64) and project. */
const callerSchedule: TrySchedule = { windowSeconds: 60, free: 5, waitSeconds: [] };

/** Twenty a day for a network (an IPv4 address, an IPv6 /48): one alone cannot use up everybody's. */
const networkSchedule: TrySchedule = { windowSeconds: day, free: 20, waitSeconds: [] };

/**
 * Fifty a day for all strangers of a project together. Twenty at once; then each waits longer than
 * the one before, up to an hour, so that the budget lasts for the day and a new visitor never has
 * to wait longer than that hour.
 */
const strangerSchedule: TrySchedule = {
  windowSeconds: day,
  free: 20,
  waitSeconds: [60, 120, 240, 480, 900, 1800, ...Array<number>(24).fill(3600)],
};

/** Ten a day for one cookie of somebody who was let in before. */
const cookieSchedule: TrySchedule = {
  windowSeconds: day,
  free: 5,
  waitSeconds: [60, 60, 120, 300, 600],
};

/** How long a try may be under way, and how often one that waits for it looks again. */
const underWayMs = 2000;
const looks = { count: 8, pauseMs: 200 };

interface Budget {
  key: string;
  schedule: TrySchedule;
  by: 'visitor' | 'project';
  /** Whether a try that another budget refuses counts here all the same. */
  isKept?: true;
}

/**
 * Takes the places of one try, before anything is compared.
 *
 * Somebody whose cookie proves that they were let in before has a budget of their own, which
 * strangers cannot use up. A cookie of an older password may be one of many that its holder made
 * while it was good, so all of those share one more budget; when it is used up they are strangers.
 */
export async function reservePasswordTry(
  deps: PasswordTryDeps,
  attempt: PasswordTry,
): Promise<PasswordTryOutcome> {
  const earlier = earlierVisit(deps.accessSecret, attempt.access, attempt.site, deps.now());
  if (earlier !== undefined) {
    const known = await reserveAll(deps, knownBudgets(attempt, earlier));
    if (known.kind === 'reserved' || known.by === 'visitor') return known;
  }
  return reserveAll(deps, strangerBudgets(attempt));
}

/** Gives the places of a try back that was right: it uses nothing up. */
export async function releasePasswordTry(
  { budgets }: Pick<PasswordTryDeps, 'budgets'>,
  reservations: readonly TryReservation[],
): Promise<void> {
  await Promise.all(reservations.map((reservation) => budgets.release(reservation)));
}

function strangerBudgets({ site: { projectId }, address }: PasswordTry): Budget[] {
  const of = (what: string) => `unlock-${what}#${projectId}`;
  return [
    {
      key: `${of('caller')}#${callerKey(address)}`,
      schedule: callerSchedule,
      by: 'visitor',
      isKept: true,
    },
    { key: `${of('network')}#${networkKey(address)}`, schedule: networkSchedule, by: 'visitor' },
    { key: of('strangers'), schedule: strangerSchedule, by: 'project' },
  ];
}

function knownBudgets({ site: { projectId } }: PasswordTry, earlier: EarlierVisit): Budget[] {
  const cookie: Budget = {
    key: `unlock-cookie#${projectId}#${earlier.id}`,
    schedule: cookieSchedule,
    by: 'visitor',
  };
  if (earlier.knowsPassword) return [cookie];
  const former = { key: `unlock-former#${projectId}`, schedule: strangerSchedule } as const;
  return [cookie, { ...former, by: 'project' }];
}

async function reserveAll(
  deps: PasswordTryDeps,
  budgets: readonly Budget[],
): Promise<PasswordTryOutcome> {
  const reservations: TryReservation[] = [];
  const returned: TryReservation[] = [];
  for (const { key, schedule, by, isKept } of budgets) {
    const outcome = await reserveSoon(deps, key, schedule);
    if (outcome.kind === 'refused') {
      await releasePasswordTry(deps, returned);
      return { kind: 'refused', by, freeAt: outcome.freeAt };
    }
    reservations.push(outcome.reservation);
    if (isKept !== true) returned.push(outcome.reservation);
  }
  return { kind: 'reserved', reservations };
}

/** A place that a right password holds is free again in a moment: whoever comes meanwhile waits for it. */
async function reserveSoon(
  deps: PasswordTryDeps,
  key: string,
  schedule: TrySchedule,
): Promise<TryOutcome> {
  for (let look = 1; ; look += 1) {
    const at = deps.now();
    const outcome = await deps.budgets.reserve(key, schedule, at);
    if (outcome.kind === 'reserved' || look === looks.count) return outcome;
    if (outcome.newestAt.getTime() < at.getTime() - underWayMs) return outcome;
    await (deps.pause?.(looks.pauseMs) ?? setTimeout(looks.pauseMs));
  }
}
