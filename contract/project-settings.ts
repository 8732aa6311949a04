import * as z from 'zod';
import { Access, Instant, ProjectId, ProjectType, Slug, Spa } from './fields.ts';

/** Settings that change what visitors see; they are copied to the serving record. */
export const ServedSettings = z.object({
  /** Asks search engines to stay away. */
  noIndex: z.boolean(),
  /** Hides the download button of viewer pages. */
  disableDownloads: z.boolean(),
  /** Null falls back to the project's title. */
  pageTitle: z.string().max(255).nullable(),
  metaDescription: z.string().max(1000).nullable(),
  /** False records nothing new about visitors. */
  analyticsEnabled: z.boolean(),
  spa: Spa,
  /** Redirects `/about.html` to `/about`, and `/index.html` to `/`. */
  prettyUrls: z.boolean(),
});

/**
 * Settings of a project that are stored unchanged. Add a setting that only its owner sees here, and
 * one that affects visitors to {@link ServedSettings}.
 *
 * PATCH, tools, resource, rows, export, import and serving record derive from it. Settings with
 * special rules (title, slug, access, password, expiry) are defined in the operation.
 */
export const ProjectSettings = ServedSettings.extend({});
export type ProjectSettings = z.infer<typeof ProjectSettings>;

/**
 * The defaults of a new project and of rows from before a setting was added. A nullable setting
 * must default to null, because rows omit nulls.
 */
export const defaultSettings: ProjectSettings = {
  noIndex: false,
  disableDownloads: false,
  pageTitle: null,
  metaDescription: null,
  analyticsEnabled: true,
  spa: 'auto',
  prettyUrls: false,
};

/** The names of all settings. */
export const settingNames = ProjectSettings.keyof().options;

/** The settings of something that has more than them. */
export function settingsOf(project: ProjectSettings): ProjectSettings {
  return ProjectSettings.parse(project);
}

/** The settings of something that has more than them, of which visitors see something. */
export function servedSettingsOf(project: ProjectSettings): z.infer<typeof ServedSettings> {
  return ServedSettings.parse(project);
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
  expiresAt: Instant.nullable(),
  archivedAt: Instant.nullable(),
  createdAt: Instant,
  updatedAt: Instant,
  /** Present only during a takedown: its reason and its start. */
  takedown: z.object({ reason: z.string(), at: Instant }).optional(),
});
export type ProjectResource = z.infer<typeof ProjectResource>;
