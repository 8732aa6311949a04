import type { ViewerRole } from './access/access-token.ts';
import type { ServingRecord } from './serving-record.ts';
import { hasExpired } from '../instants.ts';
import { isForPeople } from '../people/people-list.ts';

/** Why a visitor may not see a site. */
export type Refusal =
  /** `isGone` by a rule of the site. */
  | { kind: 'missing'; what: 'site' | 'file'; isGone?: true }
  | { kind: 'gone' }
  | { kind: 'withheld' }
  | { kind: 'resting'; isTemporary?: true }
  | { kind: 'locked'; ask: 'password' | 'address' | 'owner' };

/** Whether a decision gives a visitor nothing of the site. */
export function isRefusal(decision: { kind: string }): decision is Refusal {
  return ['missing', 'gone', 'withheld', 'resting', 'locked'].includes(decision.kind);
}

/**
 * Why this visitor may not see the site now; `undefined` where they may.
 *
 * Order matters: a dead link answers 410 before any password is asked for, so an expired page
 * never tells a stranger that it used to be protected.
 */
export function refuseVisit(
  site: ServingRecord | undefined,
  role: ViewerRole,
  now: Date,
): Refusal | undefined {
  if (site === undefined || site.archivedAt !== null) return { kind: 'missing', what: 'site' };
  if (hasExpired(site, now)) return { kind: 'gone' };
  if (site.takenDown) return { kind: 'withheld' };
  if (site.status === 'private') return { kind: 'missing', what: 'site' };
  if (site.restingUntil !== null && Date.parse(site.restingUntil) > now.getTime()) {
    return { kind: 'resting', ...(site.temporary && { isTemporary: true }) };
  }
  return isAdmitted(site, role) ? undefined : { kind: 'locked', ask: unlockMethod(site) };
}

function isAdmitted({ access }: ServingRecord, role: ViewerRole): boolean {
  if (access === 'public' || role === 'owner' || role === 'link') return true;
  if (isForPeople(access)) return role === 'person';
  return access === 'password' && role === 'guest';
}

/** A protected project without a password can be opened only by its owner. */
function unlockMethod({ access, passwordStamp }: ServingRecord): 'password' | 'address' | 'owner' {
  if (isForPeople(access)) return 'address';
  return access === 'password' && passwordStamp !== null ? 'password' : 'owner';
}
