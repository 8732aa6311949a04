import type { ProjectStore } from '../../ports.ts';
import { beginRemoval } from './begin-removal.ts';
import type { StoredDomain } from '../domain.ts';
import type { DomainStore } from '../ports.ts';

/** Dependencies of {@link removeDomains}. */
export interface RemoveDomainsDeps {
  domains: Pick<DomainStore, 'get' | 'claims' | 'beginRemoval'>;
  projects: Pick<ProjectStore, 'listDue'>;
}

/** Every domain has a time when maintenance looks at it. */
const endOfTime = new Date('9999-12-31T00:00:00.000Z');

/**
 * The operator removes a domain, or all of them, as if their owners did. Can be repeated.
 * @param name the name as DNS has it; undefined for all
 * @returns the domains that are not removed completely yet
 */
export async function removeDomains(
  { domains, projects }: RemoveDomainsDeps,
  name: string | undefined,
  now: Date,
): Promise<StoredDomain[]> {
  const left: StoredDomain[] = [];
  for await (const item of projects.listDue(endOfTime)) {
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
  }
  return left;
}
