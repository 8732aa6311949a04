import * as z from 'zod';

/** Settings that change what visitors see: they stand in the serving record too. */
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
});

/**
 * Settings of a project that are stored as they are sent; a setting that only its owner sees is
 * added here, one that visitors see to {@link ServedSettings}.
 *
 * PATCH, tools, resource, rows, export, import and serving record derive from it. Settings with
 * rules of their own (title, slug, access, password, expiry) stand in the operation.
 */
export const ProjectSettings = ServedSettings.extend({});
export type ProjectSettings = z.infer<typeof ProjectSettings>;

/** What a new project has, and a row that is older than the setting. Null where null is allowed: rows leave nulls out. */
export const defaultSettings: ProjectSettings = {
  noIndex: false,
  disableDownloads: false,
  pageTitle: null,
  metaDescription: null,
  analyticsEnabled: true,
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
