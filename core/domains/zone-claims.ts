import * as z from 'zod';
import { domainHeldDays, daySeconds } from '../../contract/limits.ts';
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
  /** For a released name: until when it is held for its account. */
  heldUntil: z.nullable(Instant),
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

/** Whether an account may claim a name. `needs-proof`: only if the zone carries its proof now. */
export type ClaimDecision =
  | { kind: 'free'; former: NameClaim | undefined }
  | { kind: 'own' }
  | { kind: 'needs-proof' }
  | { kind: 'taken' };

/**
 * Whether an account may claim a name of a zone. Pure.
 *
 * A name that is proven belongs to its account, with everything above and beneath it. A name that is
 * claimed without proof, or held after its release, yields to whoever proves it: who does not own a
 * domain must not keep its owner out.
 */
export function decideClaim(
  claims: ZoneClaims,
  { name, accountId }: { name: string; accountId: AccountId },
  now: Date,
): ClaimDecision {
  const own = claims.names[name];
  if (own?.accountId === accountId && own.domainId !== null) return { kind: 'own' };
  if (provenRivals(claims, { name, accountId }).length > 0) return { kind: 'taken' };
  if (own === undefined && Object.keys(claims.names).length >= maxNamesOfZone)
    return { kind: 'taken' };
  if (own === undefined || own.accountId === accountId) return { kind: 'free', former: own };
  const isHeld =
    own.domainId !== null || (own.heldUntil !== null && Date.parse(own.heldUntil) > now.getTime());
  return isHeld ? { kind: 'needs-proof' } : { kind: 'free', former: own };
}

/** The domains of other accounts that are proven and are the name, above it or beneath it. */
export function provenRivals(
  claims: ZoneClaims,
  { name, accountId }: { name: string; accountId: AccountId },
): DomainId[] {
  return Object.entries(claims.names).flatMap(([other, claim]) => {
    const isRelated = isSameOrBeneath(name, other) || isSameOrBeneath(other, name);
    const isRival = isRelated && claim.proven && claim.accountId !== accountId;
    return isRival && claim.domainId !== null ? [claim.domainId] : [];
  });
}

/**
 * Whether a domain may count as proven: it still has its name, and no other account has proven a name
 * above or beneath it meanwhile. Pure.
 */
export function mayBecomeProven(
  claims: ZoneClaims,
  { id, name, accountId }: { id: DomainId; name: string; accountId: AccountId },
): boolean {
  return (
    claims.names[name]?.domainId === id && provenRivals(claims, { name, accountId }).length === 0
  );
}

/** The claims with one name changed. Pure; forgets reservations that are over. */
export function withClaim(
  claims: ZoneClaims,
  name: string,
  claim: NameClaim,
  now: Date,
): ZoneClaims {
  const kept = Object.entries(claims.names).filter(
    ([, { domainId, heldUntil }]) =>
      domainId !== null || heldUntil === null || Date.parse(heldUntil) > now.getTime(),
  );
  const names = { ...Object.fromEntries(kept), [name]: claim };
  return { zone: claims.zone, revision: claims.revision + 1, names };
}

/** The claim on a name that its account gave up at `now`. */
export function releasedClaim(accountId: AccountId, now: Date): NameClaim {
  const heldUntil = instant(plusSeconds(now, domainHeldDays * daySeconds));
  return { accountId, domainId: null, proven: false, heldUntil };
}

/** The claims of a zone that nobody has claimed yet. */
export function noClaims(zone: string): ZoneClaims {
  return { zone, revision: 0, names: {} };
}
