import * as z from 'zod/mini';

/** A line of a site's `_redirects` or `_headers`, or of a file that configures another host, that was ignored, and why. */
export const RuleWarning = z.object({
  file: z.string(),
  line: z.int(),
  message: z.string(),
});
export type RuleWarning = z.infer<typeof RuleWarning>;

/**
 * A warning about the files of a version:
 *
 * - `folder`: the one folder that all files are in was removed from their addresses, or kept.
 * - `base`: pages refer to files in another folder than the one in which the site is published.
 * - `missingLink`: a page or a style sheet refers to a file that the site does not have.
 * - `case`: the same, but a file exists whose name differs only in upper and lower case.
 * - `application`: the site seems to be a single-page application but has a second HTML file, so it
 * is not served as one by default.
 * - `limit`: files that are served in another way because of their size.
 */
export const ContentWarning = z.object({
  kind: z.enum(['folder', 'base', 'missingLink', 'case', 'application', 'limit', 'policy']),
  file: z.optional(z.string()),
  message: z.string(),
});
export type ContentWarning = z.infer<typeof ContentWarning>;

/** The files of an upload that are not published. `paths` names at most 20, the shallowest first. */
export const LeftOutWarning = z.object({
  kind: z.literal('left-out'),
  count: z.int(),
  paths: z.array(z.string()),
  message: z.string(),
});
export type LeftOutWarning = z.infer<typeof LeftOutWarning>;

/**
 * Pictures that Markdown files show from other sites, and that the version does not have. `pictures` names at most 20:
 * the address, the first file that shows it, and why it could not be taken along, if that was tried.
 */
export const PictureWarning = z.object({
  kind: z.literal('remote-pictures'),
  count: z.int(),
  pictures: z.array(
    z.object({ path: z.string(), address: z.string(), reason: z.optional(z.string()) }),
  ),
  message: z.string(),
});
export type PictureWarning = z.infer<typeof PictureWarning>;

/** A warning about a version: a line of its rules, or its files. */
export const VersionWarning = z.union([
  RuleWarning,
  ContentWarning,
  LeftOutWarning,
  PictureWarning,
]);
export type VersionWarning = z.infer<typeof VersionWarning>;

/** Warnings about a published version; absent if there are none. */
export const Warnings = z.optional(z.array(VersionWarning));
export type Warnings = z.infer<typeof Warnings>;

/**
 * The key, browser, app or upload link that published a version. `name` is the name (or the link's
 * title) that it had then; it stays when a key is deleted or an app is disconnected. An app chose
 * its name itself. `id` is its id in the account's lists; null for `temporary`, which has no
 * account.
 */
export const PublishedBy = z.object({
  kind: z.enum(['key', 'session', 'app', 'link', 'temporary']),
  id: z.nullable(z.uuid()),
  name: z.nullable(z.string()),
});
export type PublishedBy = z.infer<typeof PublishedBy>;
