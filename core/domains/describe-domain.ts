import type { Domain, DomainDetail } from '../../contract/domain.ts';
import type { ProjectId } from '../../contract/fields.ts';
import type { ProjectStore } from '../ports.ts';
import type { StoredDomain } from './domain.ts';
import { shownName } from './domain-name.ts';
import type { DomainProjects } from './ports.ts';
import { type RecordTargets, requiredRecords, uncheckedRecord } from './required-records.ts';

/** Dependencies of {@link describeDomain}. */
export interface DescribeDomainDeps {
  domainProjects: DomainProjects;
  projects: Pick<ProjectStore, 'get'>;
  targets: RecordTargets;
}

/** A domain as its owner sees it in a list. */
export function summarizeDomain(domain: StoredDomain): Domain {
  const { id, name, status, verifiedAt, projectCount, createdAt } = domain;
  return { id, domain: shownName(name), status, verifiedAt, projectCount, createdAt };
}

/** A domain as its owner sees it, with what the last check found about its records. */
export async function describeDomain(
  deps: DescribeDomainDeps,
  domain: StoredDomain,
): Promise<DomainDetail> {
  const { checkedAt, dueAt, certificateExpiresAt } = domain;
  const records = requiredRecords(domain, deps.targets).map((needed) => {
    const seen = domain.records.find(
      ({ purpose, name, value }) =>
        purpose === needed.purpose && name === needed.name && value === needed.value,
    );
    const isKnown = seen !== undefined && seen.state !== 'preparing';
    return isKnown ? seen : uncheckedRecord(needed, domain);
  });
  const [projects, rootProjectId] = await Promise.all([
    deps.domainProjects.listIn(domain.accountId, domain.id),
    shownRoot(deps, domain),
  ]);
  const times = { checkedAt, nextCheckAt: dueAt, certificateExpiresAt };
  return { ...summarizeDomain(domain), projects, rootProjectId, records, ...times };
}

/** A root project may have left the domain since. */
async function shownRoot(
  { projects }: DescribeDomainDeps,
  { id, rootProjectId }: StoredDomain,
): Promise<ProjectId | null> {
  if (rootProjectId === null) return null;
  const project = await projects.get(rootProjectId);
  return project?.domainId === id && project.removingAt === null ? rootProjectId : null;
}
