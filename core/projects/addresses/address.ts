import type { AccountId, Instant, ProjectId } from '../../../contract/fields.ts';
import { instant, plusSeconds } from '../../instants.ts';
import type { AddressHistory, LeftAddress, Project } from '../project.ts';
import { isTemporarySlug } from './slugs.ts';

const daySeconds = 86_400;
/** An address where something was published stays with its account for so long after it was left. */
export const reservedDays = 90;
/** For so long after that it is known that somebody had it: their service workers live on in browsers. */
export const rememberedDays = 730;

/** Who has an address: a project, nobody any more, or nobody ever (`undefined`). */
export type AddressHolder = { projectId: ProjectId } | LeftAddress | undefined;

/** Whether a project may take an address; `reserved` is one that another account left, or that is never given out again. */
export type AddressAvailability = { kind: 'taken' } | { kind: 'reserved' } | AvailableAddress;

/** An address that may be taken, as it was found. */
export interface AvailableAddress {
  kind: 'available';
  /** What the project that takes it is to know of it. */
  history: AddressHistory;
}

/** Who wants an address. An import may bring a temporary slug that this deployment never gave out. */
export interface Claimant extends Pick<Project, 'slug'> {
  projectId?: ProjectId;
  accountId: AccountId;
  isImport?: boolean;
}

/**
 * Whether an address may be taken now, and what is known of it then. Pure.
 *
 * Who left it may return at any time. Others wait until its reservation is over, and what they
 * publish is known to follow somebody else. A temporary slug is only for who has it already: it was
 * made at random, and is never given to anybody a second time.
 */
export function addressAvailability(
  holder: AddressHolder,
  claimant: Claimant,
  now: Date,
): AddressAvailability {
  if (holder !== undefined && 'projectId' in holder) return { kind: 'taken' };
  if (holder !== undefined && mayReturn(holder, claimant)) {
    return available(holder, holder.handedOverAt);
  }
  if (isTemporarySlug(claimant.slug) && claimant.isImport !== true) return { kind: 'reserved' };
  if (holder === undefined) return { kind: 'available', history: null };
  if (Date.parse(holder.heldUntil) > now.getTime()) return { kind: 'reserved' };
  return available(holder, instant(now));
}

function available(left: LeftAddress, handedOverAt: Instant | null): AvailableAddress {
  return { kind: 'available', history: { left, handedOverAt } };
}

function mayReturn({ heldFor, heldProject }: LeftAddress, claimant: Claimant): boolean {
  if (heldProject !== null) return heldProject === claimant.projectId;
  return heldFor === claimant.accountId;
}

/** Until when an address is kept that is left now. */
export function reservedUntil(leftAt: Date): Instant {
  return instant(plusSeconds(leftAt, reservedDays * daySeconds));
}

/**
 * What stays of an address that a project leaves; `undefined` where nothing has to. Pure.
 *
 * Nothing stays of an address that nobody could ask for, because it is never given out again.
 * One where nothing was published says what it said before. An operator's word
 * outlives the project: the address of one that was taken down is for that project alone.
 */
export function leftAddress(
  project: Project,
  { at, heldUntil }: { at: Instant; heldUntil: Instant },
): LeftAddress | undefined {
  const { id, ownerId, takedown, version, addressHistory } = project;
  const handedOverAt = addressHistory?.handedOverAt ?? null;
  if (takedown !== null) {
    const shutUntil = reservedUntil(new Date(at));
    return { heldFor: null, heldProject: id, heldUntil: shutUntil, handedOverAt };
  }
  if (ownerId === null) return undefined;
  if (version === 0) return addressHistory?.left;
  return { heldFor: ownerId, heldProject: null, heldUntil, handedOverAt };
}
