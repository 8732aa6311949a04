import type { DomainDetail } from '../../contract/domains/domain.ts';
import { ProjectId } from '../../contract/fields.ts';
import type { AccountCaller } from '../caller.ts';
import { instant } from '../instants.ts';
import type { ProjectStore } from '../ports.ts';
import { ReferenceNotFound } from '../projects/settings/reference-not-found.ts';
import { describeDomain, type DescribeDomainDeps } from './describe-domain.ts';
import type { StoredDomain } from './domain.ts';
import { requireOwnDomain } from './own-domain.ts';
import type { DomainStore } from './ports.ts';

/** Dependencies of {@link setRootProject}. */
export interface RootProjectDeps extends DescribeDomainDeps {
  domains: Pick<DomainStore, 'get' | 'setRoot'>;
  now(): Date;
}

/** Another change of the domain, such as a check, was faster; it is read again. */
const attempts = 10;

/**
 * Sets the project that a domain also shows at its bare name and at `www`. It is shown there as long
 * as it is in the domain.
 * @throws CodedError NOT_FOUND
 */
export async function setRootProject(
  deps: RootProjectDeps,
  caller: AccountCaller,
  { domainId, rootProjectId }: { domainId: string; rootProjectId: string | null },
): Promise<DomainDetail> {
  for (let attempt = 1; attempt <= attempts; attempt += 1) {
    const domain = await requireOwnDomain(deps, caller, domainId);
    const projectId =
      rootProjectId === null ? null : await requireMember(deps, domain, rootProjectId);
    if (await deps.domains.setRoot(domain, projectId, instant(deps.now())))
      return describeDomain(deps, await requireOwnDomain(deps, caller, domainId));
  }
  throw new Error(`a domain changed ${attempts} times while its root project was to be set`);
}

/** @throws CodedError NOT_FOUND */
async function requireMember(
  { projects }: { projects: Pick<ProjectStore, 'get'> },
  { id }: StoredDomain,
  text: string,
): Promise<ProjectId> {
  const projectId = ProjectId.safeParse(text).data;
  const project = projectId === undefined ? undefined : await projects.get(projectId);
  if (project?.domainId !== id || project.removingAt !== null)
    throw new ReferenceNotFound('rootProjectId');
  return project.id;
}
