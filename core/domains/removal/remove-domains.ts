import type { ProjectStore } from '../../ports.ts';
import type { DomainId } from '../../../contract/fields.ts';
import { instant } from '../../instants.ts';
import { beginRemoval } from './begin-removal.ts';
import type { StoredDomain } from '../domain.ts';
import type { DomainStore } from '../ports.ts';

/** Dependencies of {@link removeDomains}. */
export interface RemoveDomainsDeps {
  domains: Pick<
    DomainStore,
    'get' | 'claims' | 'beginRemoval' | 'keepCertificate' | 'releaseCertificate'
  >;
  projects: Pick<ProjectStore, 'listDue'>;
}

/** Later than the next check of any domain. */
const endOfTime = new Date('9999-12-31T00:00:00.000Z');

/**
 * The operator removes a domain, or all of them, as if their owners did. Can be repeated.
 * @param name the name in its DNS form; undefined for all
 * @returns the domains that are not removed completely yet, and those whose certificate is left
 */
export async function removeDomains(
  { domains, projects }: RemoveDomainsDeps,
  name: string | undefined,
  now: Date,
): Promise<Pick<StoredDomain, 'name'>[]> {
  const left: Pick<StoredDomain, 'name'>[] = [];
  for await (const item of projects.listDue(endOfTime)) {
    if (item.kind === 'certificate' && (name === undefined || item.name === name)) {
      await domains.releaseCertificate(item, now);
      left.push(item);
    }
    if (item.kind !== 'domain') continue;
    const domain = await domains.get(item.domainId);
    if (domain === undefined || (name !== undefined && domain.name !== name)) continue;
    left.push(domain);
    if (domain.removingAt !== null) continue;
    await beginRemoval(
      domains,
      async () => {
        const current = await domains.get(domain.id);
        return current?.removingAt === null ? current : undefined;
      },
      now,
    );
    await releaseCertificate(domains, domain.id, now);
  }
  return left;
}

/** Nobody shall use the name again, so its certificate is deleted with the domain. */
async function releaseCertificate(
  domains: RemoveDomainsDeps['domains'],
  id: DomainId,
  now: Date,
): Promise<void> {
  const domain = await domains.get(id);
  const arn = domain?.certificateArn ?? null;
  if (domain === undefined || arn === null) return;
  await domains.keepCertificate(domain, { arn, until: instant(now) });
}
