import type { DomainDetail } from '../../contract/domain.ts';
import { type Instant, ProjectId } from '../../contract/fields.ts';
import type { AccountCaller } from '../caller.ts';
import { CodedError } from '../errors.ts';
import { instant } from '../instants.ts';
import type { ProjectStore } from '../ports.ts';
import type { Project } from '../projects/project.ts';
import { ReferenceNotFound } from '../projects/change/reference-not-found.ts';
import { describeDomain, type DescribeDomainDeps } from './describe-domain.ts';
import type { StoredDomain } from './domain.ts';
import { shownName } from './domain-name.ts';
import { requireOwnDomain } from './own-domain.ts';
import type { DomainStore, NameRoot } from './ports.ts';

/** Dependencies of {@link updateDomain}. */
export interface RootProjectDeps extends DescribeDomainDeps {
  domains: Pick<DomainStore, 'get' | 'root' | 'holder' | 'setRoot'>;
  now(): Date;
}

/** Another change of the domain, such as a check, was faster; it is read again. */
const attempts = 10;

/**
 * Sets the project that a domain also shows at its bare name and at `www`. It is shown there as
 * long as it is in the domain. If an operator took the current one down, no other may take its
 * place.
 * @throws CodedError NOT_FOUND, SLUG_TAKEN
 */
export async function updateDomain(
  deps: RootProjectDeps,
  caller: AccountCaller,
  { domainId, rootProjectId }: { domainId: string; rootProjectId: string | null },
): Promise<DomainDetail> {
  for (let attempt = 1; attempt <= attempts; attempt += 1) {
    const domain = await requireOwnDomain(deps, caller, domainId);
    const projectId =
      rootProjectId === null ? null : await requireMember(deps, domain, rootProjectId);
    const before = await deps.domains.root(domain.name);
    await requireNotShut(deps, before, { domain, projectId });
    if (await deps.domains.setRoot(domain, { before, projectId, at: instant(deps.now()) }))
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

/**
 * Refuses to replace a project that an operator took down: the bare name stays blocked while the
 * project is in the domain, and, after it has left or was deleted, or the domain was added again,
 * for the time of a reserved address.
 * @throws CodedError SLUG_TAKEN
 */
async function requireNotShut(
  deps: RootProjectDeps,
  root: NameRoot | undefined,
  wanted: { domain: StoredDomain; projectId: ProjectId | null },
): Promise<void> {
  const now = instant(deps.now());
  const isRootShut =
    root !== undefined &&
    root.projectId !== wanted.projectId &&
    isShutRoot(root, await deps.projects.get(root.projectId), now);
  if (!isRootShut && !(await isShutAddress(deps, wanted, now))) return;
  throw new CodedError('SLUG_TAKEN', {
    error: `An operator of this service took down the project at ${shownName(wanted.domain.name)}. No other one can be shown there now.`,
    nextStep:
      'Contact the operator of this service. Once the takedown is lifted, send the same request again.',
  });
}

/**
 * Whether an operator took the project of a bare name down, and the name is held for it. Pure.
 * @param project that project, if it still exists
 */
export function isShutRoot(
  root: Pick<NameRoot, 'domainId' | 'heldUntil'>,
  project: Pick<Project, 'domainId' | 'takedown'> | undefined,
  now: Instant,
): boolean {
  const isHeld = root.heldUntil !== null && root.heldUntil > now;
  if (project === undefined) return isHeld;
  return project.takedown !== null && (isHeld || project.domainId === root.domainId);
}

/**
 * Whether the name is also the address of a project of the parent domain that an operator took
 * down.
 */
async function isShutAddress(
  { domains, projects }: RootProjectDeps,
  { domain, projectId }: { domain: StoredDomain; projectId: ProjectId | null },
  now: Instant,
): Promise<boolean> {
  const holder = projectId === null ? undefined : await domains.holder(domain.name);
  if (holder === undefined) return false;
  if ('heldProject' in holder)
    return (
      holder.heldProject !== null && holder.heldProject !== projectId && holder.heldUntil > now
    );
  const project = holder.projectId === projectId ? undefined : await projects.get(holder.projectId);
  return project !== undefined && project.takedown !== null;
}
