import * as z from 'zod';
import { Access, Instant, ProjectId, ProjectType, Slug } from './fields.ts';
import { ProjectSettings } from './project-settings.ts';

/** Derived on every read; see `core/projects/project-view.ts`. */
const ProjectStatus = z.enum(['public', 'private', 'uploading', 'expired', 'archived']);

/** A project as its owner sees it (docs/contract.md, "Projects"). */
export const ProjectResource = z.object({
  id: ProjectId,
  title: z.string(),
  slug: Slug,
  type: ProjectType,
  url: z.url(),
  status: ProjectStatus,
  access: Access,
  domainId: z.uuid().nullable(),
  workspaceId: z.uuid().nullable(),
  ...ProjectSettings.shape,
  expiresAt: Instant.nullable(),
  archivedAt: Instant.nullable(),
  createdAt: Instant,
  updatedAt: Instant,
  /** Only while the operator keeps the project from everybody: why, and since when. */
  takedown: z.object({ reason: z.string(), at: Instant }).optional(),
});
export type ProjectResource = z.infer<typeof ProjectResource>;
