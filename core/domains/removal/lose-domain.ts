import type { AccountId } from '../../../contract/fields.ts';
import type { AccountStore } from '../../accounts/ports.ts';
import { instant } from '../../instants.ts';
import type { StoredDomain } from '../domain.ts';
import { tellOwner, type TellOwnerDeps } from '../domain-notices.ts';
import type { ClaimChange, DomainStore } from '../ports.ts';
import { maxLosers, type ZoneClaims } from '../zone-claims.ts';

/** Dependencies of {@link loseDomain}. */
export interface LoseDomainDeps extends TellOwnerDeps {
  accounts: Pick<AccountStore, 'get'>;
  domains: Pick<DomainStore, 'get' | 'beginRemoval'>;
  onFailure(item: unknown, error: unknown): void;
}

/**
 * A change of claims that one account makes, with the domains that others lose by it. Pure.
 *
 * Domains that were proven once come first, because only they may have projects. A domain that was
 * never proven learns of its loss at its next check.
 */
export function claimChange(
  before: ZoneClaims,
  after: ZoneClaims,
  accountId: AccountId,
  now: Date,
): ClaimChange {
  const lost = Object.entries(before.names)
    .filter(([name, claim]) => {
      const isOthers = claim.accountId !== accountId && claim.domainId !== null;
      return isOthers && after.names[name]?.domainId !== claim.domainId;
    })
    .sort(([, one], [, other]) => Number(other.wasProven) - Number(one.wasProven));
  const losers = lost.flatMap(([name, { domainId: id, accountId: owner, wasProven }]) =>
    id === null ? [] : [{ id, accountId: owner, name, wasProven }],
  );
  return { before, after, losers: losers.slice(0, maxLosers), at: instant(now) };
}

/** Removes a domain whose name another account has proved, at the domain's next check. */
export async function loseDomain(
  deps: LoseDomainDeps,
  domain: StoredDomain,
  now: Date,
): Promise<boolean> {
  await deps.domains.beginRemoval(domain, instant(now), undefined);
  await tellLoser(deps, domain, now);
  return true;
}

/** Mails to the owners of the domains that lost their names by a change that was written. */
export async function tellLosers(
  deps: LoseDomainDeps,
  { losers }: Pick<ClaimChange, 'losers'>,
  now: Date,
): Promise<void> {
  for (const { id } of losers) {
    await deps.domains
      .get(id)
      .then((domain) => domain && tellLoser(deps, domain, now))
      .catch((error: unknown) => deps.onFailure({ domainId: id }, error));
  }
}

async function tellLoser(deps: LoseDomainDeps, domain: StoredDomain, now: Date): Promise<void> {
  if (domain.verifiedAt === null) return;
  const account = await deps.accounts.get(domain.accountId);
  if (account === undefined) return;
  const notice = { domain: domain.name, kind: 'lost-to-other' as const, detail: '' };
  await tellOwner(deps, account, notice, now);
}
