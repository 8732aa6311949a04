import type { ProjectResource } from '../../contract/project-resource.ts';
import { settingsOf } from '../../contract/project-settings.ts';
import type { Addresses } from './addresses/addresses.ts';
import { hasExpired } from '../instants.ts';
import { type Project, warningsOf } from './project.ts';
import { isForPeople } from '../people/people-list.ts';
import type { VisitorStore } from '../people/visitor.ts';
import { describePeople, peopleOf } from './settings/people.ts';
import type { AccountCaller } from '../caller.ts';
import type { ProjectStore } from '../ports.ts';
import { requireOwnedProject } from './owned-projects.ts';

/** A project as its owner sees it now. */
export function toProjectResource(
  project: Project,
  addresses: Pick<Addresses, 'siteUrl'>,
  now: Date,
): ProjectResource {
  const { id, title, slug, type, access, domainId, workspaceId } = project;
  const { expiresAt, archivedAt, createdAt, updatedAt } = project;
  return {
    id,
    title,
    slug,
    type,
    url: addresses.siteUrl(project.host),
    status: statusOf(project, now),
    access,
    domainId,
    workspaceId,
    ...settingsOf(project),
    ...(project.notify !== undefined && { notify: project.notify }),
    expiresAt,
    archivedAt,
    createdAt,
    updatedAt,
    ...(project.takedown !== null && { takedown: project.takedown }),
  };
}

/** The status of a project now. The first match wins. */
function statusOf(project: Project, now: Date): ProjectResource['status'] {
  if (project.archivedAt !== null) return 'archived';
  if (hasExpired(project, now)) return 'expired';
  return project.version === 0 ? 'uploading' : project.status;
}

/** Dependencies of {@link getProject}. */
export interface GetProjectDeps {
  projects: Pick<ProjectStore, 'get' | 'getVersion'>;
  visitors: Pick<VisitorStore, 'listOf'>;
  addresses: Addresses;
  now(): Date;
}

/**
 * One of the caller's projects, with its live version (0 while there is none), the warnings about it, and who may
 * prove an address where it asks for one.
 * @throws CodedError NOT_FOUND
 */
export async function getProject(
  deps: GetProjectDeps,
  caller: AccountCaller,
  input: { projectId: string },
) {
  const project = await requireOwnedProject(deps.projects, caller, input.projectId);
  const { id, version, bytes, fileCount } = project;
  const live = version === 0 ? undefined : await deps.projects.getVersion(id, version);
  const warnings = live === undefined ? {} : warningsOf(live);
  const people = isForPeople(project.access)
    ? describePeople(await peopleOf(deps, project))
    : undefined;
  const facts = { version, bytes, fileCount, ...people };
  return { ...toProjectResource(project, deps.addresses, deps.now()), ...facts, ...warnings };
}
