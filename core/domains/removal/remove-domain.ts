import { daySeconds, domainHeldDays } from '../../../contract/limits.ts';
import { instant, plusSeconds } from '../../instants.ts';
import type { StoredDomain } from '../domain.ts';
import { type DomainTrouble, reportTroubles } from '../domain-trouble.ts';
import { emptyDomain, type EmptyDomainDeps } from './leave-domain.ts';
import type { DomainStore, Tenants } from '../ports.ts';

/** Dependencies of {@link continueRemoval}. */
export interface RemoveDomainDeps extends EmptyDomainDeps {
  domains: DomainStore;
  tenants: Pick<Tenants, 'setEnabled' | 'remove'>;
  /** Tells the operator. */
  reportTrouble(trouble: DomainTrouble): void;
}

/**
 * Continues the removal of a domain. Order matters: serving ends first; the row is last, so that
 * the next run finds what is left. The certificate is kept as long as the name is held: a domain
 * that proves the name gets it, without another request at ACM.
 */
export async function continueRemoval(
  deps: RemoveDomainDeps,
  domain: StoredDomain,
  now: Date,
): Promise<boolean> {
  if (await removeParts(deps, domain, now)) return true;
  reportTroubles(deps, domain, { isResting: false, now });
  return true;
}

async function keepCertificate(
  { domains }: RemoveDomainDeps,
  domain: StoredDomain,
): Promise<boolean> {
  const { certificateArn: arn, removingAt } = domain;
  if (arn === null || removingAt === null) return true;
  const until = instant(plusSeconds(new Date(removingAt), domainHeldDays * daySeconds));
  return domains.keepCertificate(domain, { arn, until });
}

/**
 * A check that began before the removal may still create the tenant, for as long as its function
 * runs. Without the row nobody would find that tenant, and CloudFront would refuse the name to all
 * others for ever.
 */
const latestCreationSeconds = 120;

/** Removes what is left; returns true when nothing is left. */
async function removeParts(
  deps: RemoveDomainDeps,
  domain: StoredDomain,
  now: Date,
): Promise<boolean> {
  if (domain.certificateArn !== null && !(await keepCertificate(deps, domain))) return false;
  const disabled = await deps.tenants.setEnabled(domain.id, false);
  await emptyDomain(deps, domain);
  // A project that was taken down has left the domain by now, and the bare name is held for it.
  await deps.domains.removeRoot(domain);
  if (disabled !== 'done') return false;
  if ((await deps.tenants.remove(domain.id)) !== 'removed') return false;
  if (instant(plusSeconds(now, -latestCreationSeconds)) < (domain.removingAt ?? '')) return false;
  return deps.domains.endRemoval(domain);
}
