import { daySeconds, expiredKeptDays, freeDaysAfterClaim } from '../../../contract/limits.ts';
import type { ExpiresIn, Instant, SettingExpiresIn } from '../../../contract/fields.ts';
import { chosenEnd } from '../../chosen-end.ts';
import { instant, plusSeconds } from '../../instants.ts';
import type { Project } from '../project.ts';

const secondsOf: Record<ExpiresIn, number> = {
  '15m': 15 * 60,
  '1h': 3600,
  '24h': daySeconds,
  '7d': 7 * daySeconds,
};

/** The end that somebody chooses for a project: a lifetime from now on, or an instant. */
export interface ChosenExpiry {
  /** `none` for no end. */
  expiresIn?: SettingExpiresIn | undefined;
  /** With any offset; null for no end. */
  expiresAt?: string | null | undefined;
}

/**
 * The chosen end; null for none, undefined if nothing is chosen.
 * @throws CodedError with `code` when the instant is not in the future, or more than ten years away
 */
export function expiryOf(
  { expiresIn, expiresAt }: ChosenExpiry,
  now: Date,
  code: 'INVALID_REQUEST' | 'VALIDATION_FAILED',
): Instant | null | undefined {
  if (expiresAt !== undefined) return expiresAt === null ? null : chosenEnd(expiresAt, now, code);
  if (expiresIn === undefined) return undefined;
  return expiresIn === 'none' ? null : instant(plusSeconds(now, secondsOf[expiresIn]));
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

/**
 * Whether webhooks are still to be told, a day before, that an owned project ends that visitors can open. An end that
 * is moved by less than a day is not told again: each time costs messages.
 */
export function isEndUnannounced(project: Project): boolean {
  const { ownerId, expiresAt, suspendedAt, archivedAt, announcedEnd } = project;
  if (ownerId === null || expiresAt === null) return false;
  if (suspendedAt !== null || archivedAt !== null) return false;
  if (announcedEnd === undefined) return true;
  return Math.abs(Date.parse(expiresAt) - Date.parse(announcedEnd)) >= daySeconds * 1000;
}

/** When the sweep has to do something with a project: to announce its end, then to remove it. */
export function projectDueAt(project: Project): Instant | null {
  const { expiresAt } = project;
  return expiresAt !== null && isEndUnannounced(project)
    ? instant(plusSeconds(new Date(expiresAt), -daySeconds))
    : removalDueAt(project);
}
