import * as z from 'zod';
import {
  addressRememberedDays,
  domainHeldDays,
  daySeconds,
  maxUnprovenNamesOfZone,
} from '../../contract/limits.ts';
import { AccountId, DomainId, Instant } from '../../contract/fields.ts';
import { instant, plusSeconds } from '../instants.ts';
import { isSameOrBeneath } from './domain-name.ts';

/** Who has one name of a zone, or had it last. */
export const NameClaim = z.object({
  accountId: AccountId,
  /** The domain that has the name; null once it was released. */
  domainId: z.nullable(DomainId),
  /** Whether the zone carried this account's proof when it was last looked at. */
  proven: z.boolean(),
  /** Whether it did at any time. A name that was never proven is not held after its release. */
  wasProven: z.boolean(),
  /** Whether the registered domain leaves this name to servers of its own, when last looked at. */
  isDelegated: z.boolean(),
  /** For a released name: until when it is held for its account. It is remembered for longer. */
  heldUntil: z.nullable(Instant),
  /** Who had proven the name last before this claim; null where nobody is known. */
  former: z.nullable(AccountId),
});
export type NameClaim = z.infer<typeof NameClaim>;

/** All claims beneath one registered domain. One row, so that relatives are decided one after the other. */
export const ZoneClaims = z.object({
  zone: z.string(),
  revision: z.number().int().nonnegative(),
  names: z.record(z.string(), NameClaim),
});
export type ZoneClaims = z.infer<typeof ZoneClaims>;

/** The most names beneath one registered domain: their claims are one row. */
export const maxNamesOfZone = 500;

/** The most domains that lose their names in one write: each is two parts of a transaction of at most 100. */
export const maxLosers = 45;

/**
 * Whether an account may claim a name. `needs-proof`: only if the zone carries its proof now, because
 * the name is another account's or because the zone is full of claims without proof.
 */
export type ClaimDecision =
  | { kind: 'free' }
  | { kind: 'own' }
  | { kind: 'needs-proof'; isZoneFull: boolean }
  | { kind: 'too-many-unproven' }
  | { kind: 'full' }
  | { kind: 'taken' };

/** A name, and the account that wants it. */
export interface Claimant {
  name: string;
  accountId: AccountId;
}

/**
 * Whether an account may claim a name of a zone. Pure.
 *
 * A name that is proven belongs to its account, with everything beneath it, and above it all but the
 * registered domain: decision 0084. A name that is claimed without proof, or held after its release, yields to whoever proves it, and so does the room
 * that claims without proof take: who does not own a domain must not keep its owner out.
 */
export function decideClaim(claims: ZoneClaims, wanted: Claimant, now: Date): ClaimDecision {
  const { name, accountId } = wanted;
  const own = claims.names[name];
  if (own?.accountId === accountId && own.domainId !== null) return { kind: 'own' };
  if (provenRivals(claims, wanted).length > 0) return { kind: 'taken' };
  if (unprovenNames(claims, accountId) >= maxUnprovenNamesOfZone)
    return { kind: 'too-many-unproven' };
  const names = currentNames(claims, now);
  if (names[name] === undefined) return decideNewName({ ...claims, names }, wanted);
  return names[name].accountId === accountId
    ? { kind: 'free' }
    : { kind: 'needs-proof', isZoneFull: false };
}

function decideNewName(claims: ZoneClaims, wanted: Claimant): ClaimDecision {
  if (!isFull(claims)) return { kind: 'free' };
  if (evictedBy(claims, wanted, { needsRoom: true }).length === 0) return { kind: 'full' };
  return { kind: 'needs-proof', isZoneFull: true };
}

function isFull({ names }: ZoneClaims): boolean {
  return Object.keys(names).length >= maxNamesOfZone;
}

function unprovenNames({ names }: ZoneClaims, accountId: AccountId): number {
  return Object.values(names).filter(
    (claim) => claim.accountId === accountId && claim.domainId !== null && !claim.proven,
  ).length;
}

/**
 * The domains of other accounts that are proven and are the name, above it or beneath it. Nothing
 * beneath the registered domain is its rival, nor is that of a delegated name which was proven before.
 */
export function provenRivals(
  { zone, names }: ZoneClaims,
  { name, accountId }: Claimant,
): DomainId[] {
  const own = names[name];
  const staysBeneath = own?.accountId === accountId && own.proven && own.isDelegated;
  return Object.entries(names).flatMap(([other, claim]) => {
    const isAbove = isSameOrBeneath(name, other) && !(staysBeneath && other === zone);
    const isBeneath = isSameOrBeneath(other, name) && (name !== zone || other === zone);
    const isRival = (isAbove || isBeneath) && claim.proven && claim.accountId !== accountId;
    return isRival && claim.domainId !== null ? [claim.domainId] : [];
  });
}

/**
 * Whether a domain may count as proven: it still has its name, and no other account has proven a name
 * above or beneath it meanwhile. Pure.
 */
export function mayBecomeProven(
  claims: ZoneClaims,
  { id, name, accountId }: Claimant & { id: DomainId },
): boolean {
  return (
    claims.names[name]?.domainId === id && provenRivals(claims, { name, accountId }).length === 0
  );
}

/** A new claim, which takes the place of the one that the name has. Pure. */
export function newClaim(
  { names }: ZoneClaims,
  { name, accountId }: Claimant,
  domainId: DomainId,
): NameClaim {
  const before = names[name];
  const isOthers = before !== undefined && before.accountId !== accountId;
  const former = isOthers ? lastProver(before) : (before?.former ?? null);
  const unproven = { proven: false, wasProven: false, isDelegated: false };
  return { accountId, domainId, ...unproven, heldUntil: null, former };
}

/** The claims with one name changed. Pure; forgets names that were released long ago. */
export function withClaim(
  claims: ZoneClaims,
  name: string,
  claim: NameClaim,
  now: Date,
): ZoneClaims {
  const names = { ...rememberedNames(claims, now), [name]: claim };
  return { zone: claims.zone, revision: claims.revision + 1, names };
}

/**
 * Whether others may have served something at an address of a name that an account has now: at the
 * name, above it or beneath it. Pure.
 */
export function wasOthers({ names }: ZoneClaims, { name, accountId }: Claimant): boolean {
  return Object.entries(names).some(([other, claim]) => {
    const isRelated = isSameOrBeneath(name, other) || isSameOrBeneath(other, name);
    const isOver = other === name || !claim.proven;
    const prover = other === name ? claim.former : lastProver(claim);
    return isRelated && isOver && prover !== null && prover !== accountId;
  });
}

/** Whether another account had proven an address as a domain of its own, maybe beside the one above. Pure. */
export function wasDomainOfOther({ names }: ZoneClaims, { name, accountId }: Claimant): boolean {
  const claim = names[name];
  const prover = claim === undefined ? null : lastProver(claim);
  return prover !== null && prover !== accountId;
}

function lastProver({ wasProven, accountId, former }: NameClaim): AccountId | null {
  return wasProven ? accountId : former;
}

/**
 * The claims after an account proved a name that it has, or is about to have: claims of others that
 * stand in its way, and have no proof, are gone. Pure.
 */
export function withProof(
  claims: ZoneClaims,
  name: string,
  claim: NameClaim,
  now: Date,
): ZoneClaims {
  const after = withClaim(claims, name, claim, now);
  const needsRoom = Object.keys(currentNames(after, now)).length > maxNamesOfZone;
  const evicted = evictedBy(after, { name, accountId: claim.accountId }, { needsRoom });
  return { ...after, names: withoutNames(after.names, evicted, now) };
}

/**
 * The names that others lose to whoever proves a name: those beneath it that they claim without proof,
 * and beneath the registered domain those with proof too that are not delegated. Where the zone has no
 * room for it, one from elsewhere, of the account that claims most without proof.
 */
function evictedBy(
  { zone, names }: ZoneClaims,
  { name, accountId }: Claimant,
  { needsRoom }: { needsRoom: boolean },
): string[] {
  const others = Object.entries(names).filter(
    ([other, claim]) => other !== name && claim.accountId !== accountId,
  );
  const beneath = others.filter(([other, claim]) => {
    const isBeneath = isSameOrBeneath(other, name);
    return (
      isBeneath && (isUnproven(claim) || (name === zone && claim.proven && !claim.isDelegated))
    );
  });
  if (beneath.length > 0 || !needsRoom) return inOneWrite(beneath);
  const unproven = others.filter(([, claim]) => isUnproven(claim));
  const countOf = (owner: AccountId) =>
    unproven.filter(([, claim]) => claim.accountId === owner).length;
  const most = Math.max(...unproven.map(([, claim]) => countOf(claim.accountId)));
  const found = unproven.find(([, claim]) => countOf(claim.accountId) === most);
  return found === undefined ? [] : [found[0]];
}

/** Only what was proven once may have projects, and has to be removed with the same write; more at the next look. */
function inOneWrite(lost: readonly (readonly [string, NameClaim])[]): string[] {
  const [used, unused] = [true, false].map((was) =>
    lost.filter(([, { wasProven }]) => wasProven === was).map(([name]) => name),
  );
  return [...(used ?? []).slice(0, maxLosers), ...(unused ?? [])];
}

/** Neither proven, nor held for the account that had proven it. */
function isUnproven({ proven, domainId, wasProven }: NameClaim): boolean {
  return !proven && (domainId !== null || !wasProven);
}

/** The claims after an account gave up a name. It is held only for who has proven it. Pure. */
export function withoutClaim(claims: ZoneClaims, name: string, now: Date): ZoneClaims {
  const claim = claims.names[name];
  if (claim?.wasProven === true) {
    const heldUntil = plusSeconds(now, domainHeldDays * daySeconds);
    return withClaim(claims, name, pastClaim(claim, claim.accountId, heldUntil), now);
  }
  const names = withoutNames(rememberedNames(claims, now), [name], now);
  return { zone: claims.zone, revision: claims.revision + 1, names };
}

function pastClaim(claim: NameClaim, accountId: AccountId, heldUntil: Date): NameClaim {
  const past = { domainId: null, proven: false, wasProven: true, heldUntil: instant(heldUntil) };
  return { ...claim, accountId, ...past };
}

/** Names without their claims. Who had proven one is remembered, and it is not held for them. */
function withoutNames(
  names: ZoneClaims['names'],
  removed: readonly string[],
  now: Date,
): ZoneClaims['names'] {
  const left = Object.entries(names).flatMap(([name, claim]) => {
    if (!removed.includes(name)) return [[name, claim] as const];
    const prover = lastProver(claim);
    return prover === null ? [] : [[name, pastClaim(claim, prover, now)] as const];
  });
  return Object.fromEntries(left);
}

/** Names with a claim, and so many others, latest first, as one row has room for. */
function rememberedNames(claims: ZoneClaims, now: Date): ZoneClaims['names'] {
  const current = currentNames(claims, now);
  const room = Math.max(0, maxNamesOfZone - 1 - Object.keys(current).length);
  const forgottenAt = instant(plusSeconds(now, -addressRememberedDays * daySeconds));
  const past = Object.entries(claims.names)
    .filter(([name, { heldUntil }]) => !(name in current) && (heldUntil ?? '') > forgottenAt)
    .sort(([, one], [, other]) => ((one.heldUntil ?? '') < (other.heldUntil ?? '') ? 1 : -1));
  return { ...Object.fromEntries(past.slice(0, room)), ...current };
}

/** Names that somebody has, or that are held. */
function currentNames({ names }: ZoneClaims, now: Date): ZoneClaims['names'] {
  const current = Object.entries(names).filter(
    ([, { domainId, heldUntil }]) =>
      domainId !== null || heldUntil === null || Date.parse(heldUntil) > now.getTime(),
  );
  return Object.fromEntries(current);
}

/** The claims of a zone that nobody has claimed yet. */
export function noClaims(zone: string): ZoneClaims {
  return { zone, revision: 0, names: {} };
}
