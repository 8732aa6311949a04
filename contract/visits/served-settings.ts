import * as z from 'zod/mini';
import { Spa } from './visit-fields.ts';

/** Settings that change what visitors see; they are copied to the serving record. */
export const ServedSettings = z.object({
  /** Asks search engines to stay away. */
  noIndex: z.boolean(),
  /** Hides the download button of viewer pages. */
  disableDownloads: z.boolean(),
  /** Null falls back to the project's title. */
  pageTitle: z.nullable(z.string().check(z.maxLength(255))),
  metaDescription: z.nullable(z.string().check(z.maxLength(1000))),
  /** False records nothing new about visitors. */
  analyticsEnabled: z.boolean(),
  spa: Spa,
  /** Redirects `/about.html` to `/about`, and `/index.html` to `/`. */
  prettyUrls: z.boolean(),
});
export type ServedSettings = z.infer<typeof ServedSettings>;

/** The defaults of a new project. */
export const defaultServedSettings: ServedSettings = {
  noIndex: false,
  disableDownloads: false,
  pageTitle: null,
  metaDescription: null,
  analyticsEnabled: true,
  spa: 'auto',
  prettyUrls: false,
};

/** The settings of something that has more than them, of which visitors see something. */
export function servedSettingsOf(project: ServedSettings): ServedSettings {
  return ServedSettings.parse(project);
}
