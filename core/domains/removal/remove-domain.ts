import type { StoredDomain } from '../domain.ts';
import { type DomainTrouble, troublesOf } from '../domain-trouble.ts';
import { emptyDomain, type EmptyDomainDeps } from './leave-domain.ts';
import type { Certificates, DomainStore, Tenants } from '../ports.ts';

/** Dependencies of {@link continueRemoval}. */
export interface RemoveDomainDeps extends EmptyDomainDeps {
  domains: DomainStore;
  certificates: Pick<Certificates, 'remove'>;
  tenants: Pick<Tenants, 'setEnabled' | 'remove'>;
  /** Tells the operator. */
  reportTrouble(trouble: DomainTrouble): void;
}

/**
 * Continues the removal of a domain. Order matters: serving ends first; the certificate can be
 * deleted only when no tenant uses it; the row is last, so that the next run finds what is left.
 */
export async function continueRemoval(
  deps: RemoveDomainDeps,
  domain: StoredDomain,
  now: Date,
): Promise<boolean> {
  if (await removeParts(deps, domain)) return true;
  for (const trouble of troublesOf(domain, { isResting: false }, now)) deps.reportTrouble(trouble);
  return true;
}

/** Whether nothing is left. */
async function removeParts(deps: RemoveDomainDeps, domain: StoredDomain): Promise<boolean> {
  const disabled = await deps.tenants.setEnabled(domain.id, false);
  await deps.domains.removeRoot(domain);
  await emptyDomain(deps, domain);
  if (disabled !== 'done') return false;
  if ((await deps.tenants.remove(domain.id)) !== 'removed') return false;
  const { certificateArn } = domain;
  if (certificateArn !== null) {
    if ((await deps.certificates.remove(certificateArn)) !== 'removed') return false;
  }
  return deps.domains.endRemoval(domain);
}
