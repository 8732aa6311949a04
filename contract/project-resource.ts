import * as z from 'zod';
import { Access, Instant, Notify, ProjectId, ProjectType, Slug } from './fields.ts';
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
  /** Present only where the owner gets mails about opens. */
  notify: Notify.exclude(['off']).optional(),
  expiresAt: z.nullable(Instant),
  archivedAt: z.nullable(Instant),
  createdAt: Instant,
  updatedAt: Instant,
  /** Present only during a takedown: its reason and its start. */
  takedown: z.object({ reason: z.string(), at: Instant }).optional(),
});
export type ProjectResource = z.infer<typeof ProjectResource>;

/** A project in a list. */
export const ListedProject = ProjectResource.extend({
  /**
   * With `include=opens` on a paid plan: opens by people, without those of minutes with more than 200 page views and
   * opens.
   */
  opens: z.int().optional(),
});
