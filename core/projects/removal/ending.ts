import type { ExpiresIn, Instant } from '../../../contract/fields.ts';
import { instant, plusSeconds } from '../../instants.ts';
import type { Project } from '../project.ts';

const minute = 60;
const day = 24 * 3600;

const secondsOf: Record<ExpiresIn, number> = {
  '15m': 15 * minute,
  '1h': 60 * minute,
  '24h': day,
  '7d': 7 * day,
};

/** An owner finds an expired project in the list for this long. */
const keptSeconds = 30 * day;
/** How long a project lives that was claimed on the free plan (docs/contract.md, "Temporary projects"). */
export const freeDaysAfterClaim = 7;

/** The end of a project that is to live for `expiresIn`; null for one without an end. */
export function endAfter(expiresIn: ExpiresIn | undefined, now: Date): Instant | null {
  return expiresIn === undefined ? null : instant(plusSeconds(now, secondsOf[expiresIn]));
}

/** The end of a project claimed now; null where the plan is paid or on trial. */
export function endAfterClaim(isFree: boolean, now: Date): Instant | null {
  return isFree ? instant(plusSeconds(now, freeDaysAfterClaim * day)) : null;
}

/**
 * When a project is to be removed: a temporary one at its end, an owned one 30 days after.
 * Null for one that has no end, and while its owner's account is suspended.
 */
export function removalDueAt(
  project: Pick<Project, 'ownerId' | 'expiresAt' | 'suspendedAt'>,
): Instant | null {
  const { ownerId, expiresAt, suspendedAt } = project;
  if (suspendedAt !== null) return null;
  if (expiresAt === null || ownerId === null) return expiresAt;
  return instant(plusSeconds(new Date(expiresAt), keptSeconds));
}

/** Whether a project's time is over; the exact instant already is over. */
export function isExpired({ expiresAt }: Pick<Project, 'expiresAt'>, now: Date): boolean {
  return expiresAt !== null && Date.parse(expiresAt) <= now.getTime();
}
