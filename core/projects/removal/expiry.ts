import { daySeconds, expiredKeptDays, freeDaysAfterClaim } from '../../../contract/limits.ts';
import type { ExpiresIn, Instant } from '../../../contract/fields.ts';
import { instant, plusSeconds } from '../../instants.ts';
import type { Project } from '../project.ts';

const secondsOf: Record<ExpiresIn, number> = {
  '15m': 15 * 60,
  '1h': 3600,
  '24h': daySeconds,
  '7d': 7 * daySeconds,
};

/** The expiry of a project with the lifetime `expiresIn`; null for one that never expires. */
export function expiryAfter(expiresIn: ExpiresIn | undefined, now: Date): Instant | null {
  return expiresIn === undefined ? null : instant(plusSeconds(now, secondsOf[expiresIn]));
}

/** The expiry of a project that is claimed now; null on a paid plan or trial. */
export function expiryAfterClaim(isFree: boolean, now: Date): Instant | null {
  return isFree ? instant(plusSeconds(now, freeDaysAfterClaim * daySeconds)) : null;
}

/**
 * When a project is due for removal: a temporary one at its expiry, an owned one 30 days later.
 * Null for one that never expires, and while its owner's account is suspended.
 */
export function removalDueAt(
  project: Pick<Project, 'ownerId' | 'expiresAt' | 'suspendedAt'>,
): Instant | null {
  const { ownerId, expiresAt, suspendedAt } = project;
  if (suspendedAt !== null) return null;
  if (expiresAt === null || ownerId === null) return expiresAt;
  return instant(plusSeconds(new Date(expiresAt), expiredKeptDays * daySeconds));
}
