import type { Instant } from '../../../contract/fields.ts';
import { instant, plusSeconds } from '../../instants.ts';
import { reservedUntil } from '../addresses/address.ts';
import type { Project } from '../project.ts';
import { purgeDueAt } from './purge.ts';
import { type Charge, chargeOf, unlimited } from '../quota.ts';

/** The first step of a removal, as it is to be written. */
export interface Removal {
  project: Project;
  at: Instant;
  /** When its rows and bytes go for good; until then an operator can bring it back. */
  dueAt: Instant;
  /** True where only a project whose time is over may be taken. */
  onlyIfDue: boolean;
  /** What the owner gets back; nothing where it did not count. */
  charge: Charge | undefined;
  /** Until when its address is kept for its account. */
  heldUntil: Instant;
  /** When the edge is told a second time to forget it. */
  purgeAt: Instant | undefined;
  /** Why it never appeared; its owner is told when asking for it. */
  failure?: string;
}

const daySeconds = 86_400;
/** For so long an owner can learn why an upload failed. */
const failureSeconds = daySeconds;

/**
 * A removal that the owner asked for: at once for everybody, and the edge forgets it twice.
 * @param keptDays for so long an operator can bring it back
 */
export function removalOnRequest(project: Project, keptDays: number, now: Date): Removal {
  const dueAt = instant(plusSeconds(now, keptDays * daySeconds));
  return { ...removal(project, now), dueAt, onlyIfDue: false, purgeAt: purgeDueAt(now) };
}

/** The removal of a project whose time is over: no edge keeps anything past that. */
export function removalWhenDue(project: Project, now: Date): Removal {
  const heldUntil = reservedUntil(expiredAt(project, now));
  return { ...removal(project, now), heldUntil, onlyIfDue: true, purgeAt: undefined };
}

/** The removal of a project whose first upload could not be published. */
export function removalOfFailed(project: Project, failure: string, now: Date): Removal {
  const dueAt = instant(plusSeconds(now, failureSeconds));
  return { ...removal(project, now), dueAt, onlyIfDue: false, purgeAt: undefined, failure };
}

function removal(project: Project, now: Date) {
  const at = instant(now);
  const charge = chargeOf(project, { ...project, removingAt: at }, unlimited);
  return { project, at, dueAt: at, charge, heldUntil: reservedUntil(now) };
}

/** Its visitors have got nothing since then, whenever it is removed. */
function expiredAt({ expiresAt }: Project, now: Date): Date {
  return expiresAt !== null && Date.parse(expiresAt) < now.getTime() ? new Date(expiresAt) : now;
}
