import * as z from 'zod/mini';
import { notInTitles, titleRule } from './limits.ts';
import { Spa } from './visits/visit-fields.ts';

/**
 * Settings of a project that are stored unchanged and affect what visitors get. A setting is one
 * line here, one for its default, its control in the web app, and its name in the command's import: PATCH, tools,
 * resource, rows, export and serving record derive from this schema.
 *
 * Settings with special rules (title, slug, access, password, expiry) are defined in the operation.
 */
export const ProjectSettings = z.object({
  /** Asks search engines not to index the site. */
  noIndex: z.boolean(),
  /** Hides the download button of viewer pages. */
  disableDownloads: z.boolean(),
  /** Null falls back to the project's title. */
  pageTitle: z.nullable(
    z.string().check(
      z.maxLength(255),
      z.refine((title) => !notInTitles.test(title), { error: titleRule }),
    ),
  ),
  metaDescription: z.nullable(z.string().check(z.maxLength(1000))),
  /** False: nothing new is recorded about visitors. */
  analyticsEnabled: z.boolean(),
  spa: Spa,
  /** Redirects `/about.html` to `/about`, and `/index.html` to `/`. */
  prettyUrls: z.boolean(),
});
export type ProjectSettings = z.infer<typeof ProjectSettings>;

/** The settings to change; others keep their values. */
export const SettingChanges = z.partial(ProjectSettings);

/** The defaults of a new project. */
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
export const settingNames = z.keyof(ProjectSettings).options;

/** Picks the settings from an object with more fields. */
export function settingsOf(project: ProjectSettings): ProjectSettings {
  return ProjectSettings.parse(project);
}
