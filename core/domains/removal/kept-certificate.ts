import type { KeptCertificate } from '../../ports.ts';
import type { Certificates, DomainStore } from '../ports.ts';

/** Dependencies of {@link removeKeptCertificate}. */
export interface KeptCertificateDeps {
  domains: Pick<DomainStore, 'seizeCertificate' | 'forgetCertificate'>;
  certificates: Pick<Certificates, 'remove'>;
}

/**
 * Deletes a certificate whose name nobody added again. It is seized first, so that no domain can
 * get it meanwhile. While a tenant of its former domain still uses it, the next runs try again.
 */
export async function removeKeptCertificate(
  { domains, certificates }: KeptCertificateDeps,
  kept: KeptCertificate,
  now: Date,
): Promise<boolean> {
  if (!(await domains.seizeCertificate(kept, now))) return false;
  if ((await certificates.remove(kept.arn)) === 'removed') await domains.forgetCertificate(kept);
  return true;
}
