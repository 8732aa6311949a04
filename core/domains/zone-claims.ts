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

/** The domain and account that have one name of a zone, or had it last. */
export const NameClaim = z.object({
  accountId: AccountId,
  /** The domain that has the name; null once it was released. */
  domainId: z.nullable(DomainId),
  /** Whether the zone carried this account's proof at the last check. */
  proven: z.boolean(),
  /**
   * Whether the zone carried it at any time. A name that was never proven is not held after its
   * release.
   */
  wasProven: z.boolean(),
  /** Whether the registered domain delegates this name to other servers, as of the last check. */
  isDelegated: z.boolean(),
  /** For a released name: until when it is held for its account. The claim is remembered for longer. */
  heldUntil: z.nullable(Instant),
  /** The account that had proven the name last before this claim; null if none is known. */
  former: z.nullable(AccountId),
});
export type NameClaim = z.infer<typeof NameClaim>;

/**
 * All claims beneath one registered domain. They are one row, so that related names are decided one
 * after another.
 */
export const ZoneClaims = z.object({
  zone: z.string(),
  revision: z.number().int().nonnegative(),
  names: z.record(z.string(), NameClaim),
});
export type ZoneClaims = z.infer<typeof ZoneClaims>;

/** The most names beneath one registered domain: their claims are one row. */
export const maxNamesOfZone = 500;

/**
 * The most domains that lose their names in one write: each takes two of the 100 items of a
 * transaction.
 */
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
 * A proven name belongs to its account, with all names beneath it and all above it except the
 * registered domain (decision 0084). A name that is claimed without proof, or held after its
 * release, goes to whoever proves it; so does the space that claims without proof take, because
 * they must not keep the owner of a domain out.
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
 * The proven domains of other accounts that have the name, or one above or beneath it. Names
 * beneath a registered domain are no rivals of it; nor is the registered domain a rival of a
 * delegated name that was proven before.
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
 * The claims after an account proved a name that it has, or is about to have: conflicting claims of
 * others without proof are removed. Pure.
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
 * The names that others lose when an account proves a name: names beneath it that are claimed
 * without proof, and, if it is the registered domain, also proven names that are not delegated. If
 * the zone's row is full, also another name of the account with the most claims without proof.
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

/**
 * The names that one write can remove. Names that were proven once may have projects and must be
 * removed with it; the others follow at their next check.
 */
function inOneWrite(lost: readonly (readonly [string, NameClaim])[]): string[] {
  const [used, unused] = [true, false].map((was) =>
    lost.filter(([, { wasProven }]) => wasProven === was).map(([name]) => name),
  );
  return [...(used ?? []).slice(0, maxLosers), ...(unused ?? [])];
}

/** Whether a claim is neither proven nor held for an account that had proven it. */
function isUnproven({ proven, domainId, wasProven }: NameClaim): boolean {
  return !proven && (domainId !== null || !wasProven);
}

/** The claims after an account gave up a name. It is held only if the account had proven it. Pure. */
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

/**
 * Removes the claims of names. An account that had proven one is remembered, but the name is not
 * held for it.
 */
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

/** Names with a claim, and as many released ones, latest first, as one row has room for. */
function rememberedNames(claims: ZoneClaims, now: Date): ZoneClaims['names'] {
  const current = currentNames(claims, now);
  const room = Math.max(0, maxNamesOfZone - 1 - Object.keys(current).length);
  const forgottenAt = instant(plusSeconds(now, -addressRememberedDays * daySeconds));
  const past = Object.entries(claims.names)
    .filter(([name, { heldUntil }]) => !(name in current) && (heldUntil ?? '') > forgottenAt)
    .sort(([, one], [, other]) => ((one.heldUntil ?? '') < (other.heldUntil ?? '') ? 1 : -1));
  return { ...Object.fromEntries(past.slice(0, room)), ...current };
}

/** Names that an account has, or that are held for one. */
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
