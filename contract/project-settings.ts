import * as z from 'zod';
import { Access, Instant, ProjectId, ProjectType, Slug } from './fields.ts';
import { defaultServedSettings, ServedSettings } from './visits/served-settings.ts';

/**
 * Settings of a project that are stored unchanged. Add a setting that only its owner sees here, and
 * one that affects visitors to {@link ServedSettings}.
 *
 * PATCH, tools, resource, rows, export, import and serving record derive from it. Settings with
 * special rules (title, slug, access, password, expiry) are defined in the operation.
 */
export const ProjectSettings = z.object({ ...ServedSettings.shape });
export type ProjectSettings = z.infer<typeof ProjectSettings>;

/** The defaults of a new project. */
export const defaultSettings: ProjectSettings = { ...defaultServedSettings };

/** The names of all settings. */
export const settingNames = ProjectSettings.keyof().options;

/** The settings of something that has more than them. */
export function settingsOf(project: ProjectSettings): ProjectSettings {
  return ProjectSettings.parse(project);
}

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
  expiresAt: z.nullable(Instant),
  archivedAt: z.nullable(Instant),
  createdAt: Instant,
  updatedAt: Instant,
  /** Present only during a takedown: its reason and its start. */
  takedown: z.object({ reason: z.string(), at: Instant }).optional(),
});
export type ProjectResource = z.infer<typeof ProjectResource>;
