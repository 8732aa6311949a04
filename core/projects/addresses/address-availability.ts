import { addressReservedDays, daySeconds } from '../../../contract/limits.ts';
import type { AccountId, Instant, ProjectId } from '../../../contract/fields.ts';
import { instant, plusSeconds } from '../../instants.ts';
import type { AddressHistory, FormerAddress, Project } from '../project.ts';
import { isTemporarySlug } from './slugs.ts';

/** The holder of an address: a project, or its former project; `undefined` where nobody ever had it. */
export type AddressHolder = { projectId: ProjectId } | FormerAddress | undefined;

/**
 * Whether a project can get an address. `reserved`: another account gave it up, or it is a
 * temporary slug.
 */
export type AddressAvailability = { kind: 'taken' } | { kind: 'reserved' } | AvailableAddress;

/** An address that a project can get. */
export interface AvailableAddress {
  kind: 'available';
  /** Its earlier use, for the project that gets it. */
  history: AddressHistory;
}

/** The requester of an address. An import may have a temporary slug of another service. */
export interface AddressRequester extends Pick<Project, 'slug'> {
  projectId?: ProjectId;
  accountId: AccountId;
  /** The custom domain beneath which the address lies. */
  domainId?: string | null;
  /**
   * When that domain came from another account. It does not affect availability; the project
   * records it.
   */
  domainHandedOverAt?: Instant | null;
  /**
   * Whether the address was a domain of another account. It does not affect availability; the
   * project records it.
   */
  wasDomainOfOther?: boolean;
  isImport?: boolean;
}

/**
 * Whether a project can get an address now, and its earlier use. Pure.
 *
 * The account that gave it up can use it again at any time. Others wait until its reservation ends,
 * and their project records that the address changed hands. So does every new address beneath a
 * domain that came from another account, which may have served anything there. A temporary slug is
 * never given to anybody else: it was assigned at random.
 */
export function addressAvailability(
  holder: AddressHolder,
  requester: AddressRequester,
  now: Date,
): AddressAvailability {
  if (holder !== undefined && 'projectId' in holder) return { kind: 'taken' };
  if (holder !== undefined && isOfOtherDomain(holder, requester))
    return underNewDomain(holder, requester, now);
  if (holder !== undefined && mayReturn(holder, requester)) {
    const isSame = requester.wasDomainOfOther !== true;
    return available(holder, isSame ? holder.handedOverAt : instant(now));
  }
  if (isUnassignable(requester)) return { kind: 'reserved' };
  if (holder === undefined) return neverHeld(requester, now);
  if (Date.parse(holder.heldUntil) > now.getTime()) return { kind: 'reserved' };
  return available(holder, instant(now));
}

function isOfOtherDomain(holder: FormerAddress, { domainId = null }: AddressRequester): boolean {
  return holder.domainId !== domainId;
}

/**
 * The availability beneath a domain that was removed and added again, perhaps by another account.
 * Its new owner may use the address, except for a project that an operator took down: its address
 * stays blocked for the full time, even for another account, because one person may have several.
 */
function underNewDomain(
  holder: FormerAddress,
  { accountId, projectId, ...domain }: AddressRequester,
  now: Date,
): AddressAvailability {
  const { heldProject, heldUntil } = holder;
  const isShut = heldProject !== null && Date.parse(heldUntil) > now.getTime();
  if (isShut && heldProject !== projectId) return { kind: 'reserved' };
  const isOwn = holder.heldFor === accountId && !mayBeOthers(domain);
  return available(holder, isOwn ? holder.handedOverAt : instant(now));
}

function neverHeld(requester: AddressRequester, now: Date): AvailableAddress {
  const history = mayBeOthers(requester) ? { left: null, handedOverAt: instant(now) } : null;
  return { kind: 'available', history };
}

/** Whether another account may have served something at an address of a custom domain. */
function mayBeOthers({
  domainHandedOverAt = null,
  wasDomainOfOther = false,
}: Pick<AddressRequester, 'domainHandedOverAt' | 'wasDomainOfOther'>): boolean {
  return domainHandedOverAt !== null || wasDomainOfOther;
}

/** Temporary slugs are assigned at random, except beneath domains of customers. */
function isUnassignable({ slug, domainId = null, isImport }: AddressRequester): boolean {
  return isTemporarySlug(slug) && domainId === null && isImport !== true;
}

function available(left: FormerAddress, handedOverAt: Instant | null): AvailableAddress {
  return { kind: 'available', history: { left, handedOverAt } };
}

function mayReturn({ heldFor, heldProject }: FormerAddress, requester: AddressRequester): boolean {
  if (heldProject !== null) return heldProject === requester.projectId;
  return heldFor === requester.accountId;
}

/** Until when an address that is given up at `leftAt` stays reserved. */
export function reservedUntil(leftAt: Date): Instant {
  return instant(plusSeconds(leftAt, addressReservedDays * daySeconds));
}

/**
 * The reservation of an address that a project gives up; `undefined` where none is needed. Pure.
 *
 * A temporary slug needs none, because it is never assigned again; after its expiry it gets one that tells visitors
 * so. If nothing was published, the earlier reservation stays. The address of a project that was taken down is
 * reserved for that project alone, even after its deletion.
 */
export function formerAddress(
  project: Project,
  { at, heldUntil, expired }: { at: Instant; heldUntil: Instant; expired?: true },
): FormerAddress | undefined {
  const { id, ownerId, domainId, takedown, version, addressHistory } = project;
  const handedOverAt = addressHistory?.handedOverAt ?? null;
  if (takedown !== null) {
    const fullReservation = reservedUntil(new Date(at));
    return { heldFor: null, heldProject: id, heldUntil: fullReservation, domainId, handedOverAt };
  }
  const ended = expired === true && { expired };
  if (ownerId === null) {
    if (expired !== true || version === 0) return undefined;
    return { heldFor: null, heldProject: null, heldUntil, domainId, handedOverAt, expired };
  }
  if (version === 0) return addressHistory?.left ?? undefined;
  return { heldFor: ownerId, heldProject: null, heldUntil, domainId, handedOverAt, ...ended };
}
