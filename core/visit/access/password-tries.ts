import { daySeconds } from '../../../contract/limits.ts';
import { setTimeout } from 'node:timers/promises';
import { callerKey, customerKey } from '../../limits/caller-key.ts';
import type {
  TryBudgets,
  TryOutcome,
  TryReservation,
  TrySchedule,
} from '../../limits/try-budget.ts';
import { type EarlierVisit, earlierVisit } from './access-token.ts';
import type { ServingRecord } from '../serving-record.ts';
import type { ShareLinkId } from '../../share-links/share-link.ts';
import type { RotatingSecret } from '../../secrets/rotating-secret.ts';

/** The dependencies for limiting password attempts. */
export interface PasswordTryDeps {
  budgets: TryBudgets;
  accessSecret: RotatingSecret;
  now(): Date;
  /** Waits for pending attempts; tests replace it. */
  pause?(milliseconds: number): Promise<unknown>;
}

/** One attempt to enter a site's password. */
export interface PasswordTry {
  site: Pick<ServingRecord, 'projectId' | 'passwordStamp'>;
  /** The share link whose own password it is: guesses there use up none of the site's budgets. */
  linkId?: ShareLinkId;
  address: string;
  /** The visitor's access cookie; it gives no access any more, but may prove an earlier visit. */
  access: string;
}

/** The reservations of one attempt, or whose budget is used up and when the next attempt is possible. */
export type PasswordTryOutcome =
  | { kind: 'reserved'; reservations: TryReservation[] }
  | { kind: 'refused'; by: 'visitor' | 'project'; freeAt: Date };

/** Five a minute for an address (an IPv6 /64) and project. */
const callerSchedule: TrySchedule = { windowSeconds: 60, free: 5, waitSeconds: [] };

/** Twenty a day for a network (an IPv4 address, an IPv6 /48): one network cannot use up the project's budget. */
const networkSchedule: TrySchedule = { windowSeconds: daySeconds, free: 20, waitSeconds: [] };

/**
 * Fifty a day for all strangers of a project together. The first twenty need not wait; then each wait
 * is longer, up to an hour, so that the budget lasts for the day and a new visitor never waits longer
 * than an hour.
 */
const strangerSchedule: TrySchedule = {
  windowSeconds: daySeconds,
  free: 20,
  waitSeconds: [60, 120, 240, 480, 900, 1800, ...Array<number>(24).fill(3600)],
};

/** Ten a day for one cookie of an earlier visitor. */
const cookieSchedule: TrySchedule = {
  windowSeconds: daySeconds,
  free: 5,
  waitSeconds: [60, 60, 120, 300, 600],
};

/** How long an attempt may be pending at most, and how often another one that waits for it retries. */
const pendingMs = 2000;
const retries = { count: 25, pauseMs: 200 };

interface Budget {
  key: string;
  schedule: TrySchedule;
  by: 'visitor' | 'project';
  /** Whether an attempt that another budget refuses counts here too. */
  countsRefused?: true;
}

/**
 * Reserves one attempt in every budget, before the password is compared.
 *
 * An earlier visitor, as the cookie proves, has a separate budget that strangers cannot use up. A
 * cookie of an older password may be one of many that its holder collected while that password was
 * valid, so all of those share one more budget; when it is used up they count as strangers.
 */
export async function reservePasswordTry(
  deps: PasswordTryDeps,
  attempt: PasswordTry,
): Promise<PasswordTryOutcome> {
  const { site, access, linkId } = attempt;
  const earlier =
    linkId === undefined ? earlierVisit(deps.accessSecret, access, site, deps.now()) : undefined;
  if (earlier !== undefined) {
    const known = await reserveAll(deps, knownBudgets(attempt, earlier));
    if (known.kind === 'reserved' || known.by === 'visitor') return known;
  }
  return reserveAll(deps, strangerBudgets(attempt));
}

/** Keeps the reservations of an attempt with a wrong password, and lets nobody wait for them. */
export async function keepPasswordTry(
  { budgets }: Pick<PasswordTryDeps, 'budgets'>,
  reservations: readonly TryReservation[],
): Promise<void> {
  await Promise.all(reservations.map((reservation) => budgets.keep(reservation)));
}

/** Releases the reservations of an attempt with the right password: it uses nothing up. */
export async function releasePasswordTry(
  { budgets }: Pick<PasswordTryDeps, 'budgets'>,
  reservations: readonly TryReservation[],
): Promise<void> {
  await Promise.all(reservations.map((reservation) => budgets.release(reservation)));
}

function strangerBudgets({ site, linkId, address }: PasswordTry): Budget[] {
  const of = linkId === undefined ? site.projectId : `${site.projectId}.${linkId}`;
  const keyOf = (what: string) => `unlock-${what}#${of}`;
  return [
    {
      key: `${keyOf('caller')}#${callerKey(address)}`,
      schedule: callerSchedule,
      by: 'visitor',
      countsRefused: true,
    },
    {
      key: `${keyOf('network')}#${customerKey(address)}`,
      schedule: networkSchedule,
      by: 'visitor',
    },
    { key: keyOf('strangers'), schedule: strangerSchedule, by: 'project' },
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
  const kept: TryReservation[] = [];
  for (const { key, schedule, by, countsRefused } of budgets) {
    const outcome = await reserveWithRetry(deps, key, schedule);
    if (outcome.kind === 'refused') {
      await Promise.all([releasePasswordTry(deps, returned), keepPasswordTry(deps, kept)]);
      return { kind: 'refused', by, freeAt: outcome.freeAt };
    }
    reservations.push(outcome.reservation);
    (countsRefused === true ? kept : returned).push(outcome.reservation);
  }
  return { kind: 'reserved', reservations };
}

/**
 * A reservation of a right password is released in a moment, so that simultaneous attempts wait for it. Nobody
 * waits for a wrong one: otherwise a few wrong passwords a second would keep every function of a small account waiting.
 */
async function reserveWithRetry(
  deps: PasswordTryDeps,
  key: string,
  schedule: TrySchedule,
): Promise<TryOutcome> {
  for (let attempt = 1; ; attempt += 1) {
    const at = deps.now();
    const outcome = await deps.budgets.reserve(key, schedule, at);
    if (outcome.kind === 'reserved' || attempt === retries.count) return outcome;
    if ((outcome.newestAt?.getTime() ?? 0) < at.getTime() - pendingMs) return outcome;
    await (deps.pause?.(retries.pauseMs) ?? setTimeout(retries.pauseMs));
  }
}
