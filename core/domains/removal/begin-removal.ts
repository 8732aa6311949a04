import { instant } from '../../instants.ts';
import type { StoredDomain } from '../domain.ts';
import type { ClaimChange, DomainStore } from '../ports.ts';
import { withoutClaim, type ZoneClaims } from '../zone-claims.ts';

/** Another change of the domain, such as a check, was faster; it is read again. */
const attempts = 10;

/**
 * Marks a domain as removed and releases its name; maintenance removes the rest.
 * @param read reads the domain before each attempt
 * @returns the domain as it was; undefined where `read` found none
 */
export async function beginRemoval(
  domains: Pick<DomainStore, 'claims' | 'beginRemoval'>,
  read: () => Promise<StoredDomain | undefined>,
  now: Date,
): Promise<StoredDomain | undefined> {
  for (let attempt = 1; attempt <= attempts; attempt += 1) {
    const domain = await read();
    if (domain === undefined) return undefined;
    const claims = await domains.claims(domain.zone);
    const released = releasedClaims(claims, domain, now);
    if (await domains.beginRemoval(domain, instant(now), released)) return domain;
  }
  throw new Error(`a domain changed ${attempts} times while it was to be removed`);
}

function releasedClaims(
  claims: ZoneClaims,
  { id, name }: StoredDomain,
  now: Date,
): ClaimChange | undefined {
  if (claims.names[name]?.domainId !== id) return undefined;
  const after = withoutClaim(claims, name, now);
  return { before: claims, after, losers: [], at: instant(now) };
}
