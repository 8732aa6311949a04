import { daySeconds } from '../../../contract/limits.ts';
import type { Instant } from '../../../contract/fields.ts';
import { hasExpired, instant, plusSeconds } from '../../instants.ts';
import { reservedUntil } from '../addresses/address-availability.ts';
import type { Project } from '../project.ts';
import { mayHaveCopies } from '../edge-copies.ts';
import { purgeDueAt } from './purge.ts';
import { type QuotaCharge, calculateCharge, unlimited } from '../quota.ts';

/** The first step of a removal, which is written in one transaction. */
export interface Removal {
  project: Project;
  at: Instant;
  /** When its rows and files are removed; until then an operator can restore it. */
  dueAt: Instant;
  /** Whether it applies only to a project that is due for removal. */
  onlyIfDue: boolean;
  /** How the owner's usage decreases; undefined where it did not count. */
  charge: QuotaCharge | undefined;
  /** Until when its address stays reserved for its account. */
  heldUntil: Instant;
  /** Whether visitors read that the project has expired. */
  expired?: true;
  /** When the edge is purged a second time; `undefined` if it caches nothing of the project. */
  purgeAt: Instant | undefined;
  /** Why its first upload failed; its owner gets it as the error. */
  failure?: string;
}

/** How long an owner can read why an upload failed. */
const failureSeconds = daySeconds;

/**
 * A removal by the owner. It takes effect immediately, and the edge is purged twice.
 * @param keptDays days in which an operator can restore it
 */
export function removalOnRequest(project: Project, keptDays: number, now: Date): Removal {
  const dueAt = instant(plusSeconds(now, keptDays * daySeconds));
  const purgeAt = mayHaveCopies(project, now) ? purgeDueAt(now) : undefined;
  return { ...removal(project, now), dueAt, onlyIfDue: false, purgeAt };
}

/**
 * The same removal with an address that anybody may take at once. Its row still tells that it changed hands, so that
 * browsers of its visitors are cleared (decision 0034).
 */
export function withoutReservation(removal: Removal): Removal {
  return { ...removal, heldUntil: removal.at };
}

/**
 * The removal of an expired project. The edge caches nothing past the expiry, so no purge is needed. The
 * address of an archived one never said that it expired, and does not say it afterwards.
 */
export function removalWhenDue(project: Project, now: Date): Removal {
  const heldUntil = reservedUntil(expiredAt(project, now));
  return {
    ...removal(project, now),
    heldUntil,
    onlyIfDue: true,
    purgeAt: undefined,
    ...(project.archivedAt === null && hasExpired(project, now) && { expired: true as const }),
  };
}

/** The removal of a project whose first upload could not be published. */
export function removalOfFailed(project: Project, failure: string, now: Date): Removal {
  const dueAt = instant(plusSeconds(now, failureSeconds));
  return { ...removal(project, now), dueAt, onlyIfDue: false, purgeAt: undefined, failure };
}

function removal(project: Project, now: Date) {
  const at = instant(now);
  const charge = calculateCharge(project, { ...project, removingAt: at }, unlimited);
  return { project, at, dueAt: at, charge, heldUntil: reservedUntil(now) };
}

/** The reservation of its address counts from the expiry, not from the removal. */
function expiredAt({ expiresAt }: Project, now: Date): Date {
  return expiresAt !== null && Date.parse(expiresAt) < now.getTime() ? new Date(expiresAt) : now;
}
