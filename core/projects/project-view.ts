import type { ProjectResource } from '../../contract/project-resource.ts';
import { settingsOf } from '../../contract/project-settings.ts';
import type { Addresses } from './addresses/addresses.ts';
import { isExpired } from './removal/ending.ts';
import type { Project } from './project.ts';

/** A project as its owner sees it now. */
export function viewProject(
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
    expiresAt,
    archivedAt,
    createdAt,
    updatedAt,
    ...(project.takedown !== null && { takedown: project.takedown }),
  };
}

/** The status on this read, first match wins. */
function statusOf(project: Project, now: Date): ProjectResource['status'] {
  if (project.archivedAt !== null) return 'archived';
  if (isExpired(project, now)) return 'expired';
  return project.version === 0 ? 'uploading' : project.status;
}
