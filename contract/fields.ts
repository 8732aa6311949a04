import * as z from 'zod';
import { notInTitles, titleRule } from './limits.ts';
import { VersionWarning } from './visits/version-fields.ts';
import { Bytes } from './visits/visit-fields.ts';

export {
  Access,
  AccountId,
  Bytes,
  DomainId,
  Instant,
  ProjectId,
  ProjectType,
  Spa,
} from './visits/visit-fields.ts';
export {
  ContentWarning,
  LeftOutWarning,
  PictureWarning,
  PublishedBy,
  RuleWarning,
  VersionWarning,
  Warnings,
} from './visits/version-fields.ts';

/** The id of an API key, not the key itself. */
export const KeyId = z.uuid().brand<'KeyId'>();
export type KeyId = z.infer<typeof KeyId>;

/** How a key was created: by a sign-in (expires when unused) or on the dashboard (never expires, or at the instant that its owner chose). */
export const KeyKind = z.enum(['dashboard', 'sign-in']);

/** A workspace's id: a folder of projects of one account. */
export const WorkspaceId = z.uuid().brand<'WorkspaceId'>();
export type WorkspaceId = z.infer<typeof WorkspaceId>;

/** Kinds of mails to owners that they can switch off. */
export const MailKind = z.enum(['opens', 'uploads', 'expiry', 'trial', 'takedowns']);
export type MailKind = z.infer<typeof MailKind>;

/** When the owner of a project gets a mail about opens: at the first one from now on, or once a day with the day's. */
export const Notify = z.enum(['off', 'first', 'daily']);
export type Notify = z.infer<typeof Notify>;

/** The plan of an account. */
export const Tier = z.enum(['free', 'starter', 'pro', 'agency', 'scale']);
export type Tier = z.infer<typeof Tier>;

/** Who may create an account: everybody, invited people only, or nobody. */
export const SignUpPolicy = z.enum(['open', 'invite', 'closed']);
export type SignUpPolicy = z.infer<typeof SignUpPolicy>;

/** An e-mail address as a caller writes it: at most 254 octets (RFC 5321 §4.5.3.1). */
export const EmailAddress = z.string().trim().max(254).pipe(z.email()).meta({ format: 'email' });

/** The code of a sign-in mail. */
export const SignInCode = z.string().regex(/^[0-9]{6}$/, 'must be exactly six digits');

/** Identifies the caller who requested a code, or somebody who has the long code from its e-mail. */
export const AttemptToken = z
  .string()
  .max(100)
  .optional()
  .describe(
    'The `attemptToken` from the response to the code request, or the long code from the e-mail.',
  );

/** A URL slug: lowercase letters, digits and hyphens, as a DNS label (RFC 1035: at most 63 octets). */
export const Slug = z
  .string()
  .regex(
    /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/,
    'must have 1 to 63 lowercase letters (a to z), digits and hyphens, and no hyphen at its ends',
  )
  .brand<'Slug'>();
export type Slug = z.infer<typeof Slug>;

/** The same as a JSON or form field. */
const FormSpa = z
  .union([z.boolean(), z.enum(['true', 'false', 'auto'])])
  .transform((value) => (value === 'auto' ? value : value === true || value === 'true'));

/** Lifetime of a project, counted from the request. */
export const ExpiresIn = z.enum(['15m', '1h', '24h', '7d']);
export type ExpiresIn = z.infer<typeof ExpiresIn>;

/** The same for an existing project; `none` removes the expiry. */
export const SettingExpiresIn = z.enum(['15m', '1h', '24h', '7d', 'none']);
export type SettingExpiresIn = z.infer<typeof SettingExpiresIn>;

/**
 * An expiry that a person chooses: an ISO 8601 instant with any offset, in the future and within
 * ten years.
 */
export const ChosenEnd = z.iso.datetime({ offset: true });

/** The end of a new project, in one of two ways. */
export const newEnd = { expiresIn: ExpiresIn.optional(), expiresAt: ChosenEnd.optional() };

/** Whether an end is chosen in one way only: as a lifetime, or as an instant. */
export function hasOneEnd(input: { expiresIn?: unknown; expiresAt?: unknown }): boolean {
  return input.expiresIn === undefined || input.expiresAt === undefined;
}

/** The error if {@link hasOneEnd} is false. */
export const oneEndError = {
  path: ['expiresAt'],
  error: 'cannot be sent together with `expiresIn`',
};

/** An id in a path, unchecked: an id that is not a UUID does not exist, so it is answered with 404 and not 400. */
export const PathId = z.string().meta({ format: 'uuid' });

/** One uploaded part: the name as the client sent it (it may contain folders), and its bytes. */
export const UploadedFile = z.object({
  name: z.string(),
  contentType: z.string(),
  bytes: Bytes,
});
export type UploadedFile = z.infer<typeof UploadedFile>;

/** A boolean as a JSON or form field: `true`, `false`, `1`, `0`, `on`, or empty for false. */
export const FormBoolean = z
  .union([z.boolean(), z.enum(['true', 'false', '1', '0', 'on', ''])], 'must be true or false')
  .transform((value) => value === true || value === 'true' || value === '1' || value === 'on');

/** A title: one line without control characters, which cannot reorder the text around it (bidirectional controls). */
export const Title = z
  .string()
  .trim()
  .min(1)
  .max(255)
  .refine((title) => !notInTitles.test(title), { error: titleRule });

/**
 * The content to publish: files in the request, or an earlier upload that was sent directly to
 * storage.
 */
export const uploadFields = {
  files: z.array(UploadedFile).default([]),
  uploadId: z.uuid().optional(),
  zipIndexHtmlPath: z.string().min(1).max(1024).optional(),
  home: z
    .literal('auto')
    .optional()
    .describe(
      'Takes the uppermost `index.html` of a ZIP with several HTML files as its home page, instead of 400 `ZIP_MULTIPLE_HTML`',
    ),
  asFileBundle: FormBoolean.optional(),
  includeHidden: FormBoolean.optional().describe(
    'Publishes hidden files (`.env`, `.git/`), `node_modules` and what an ignore file names, too.',
  ),
  allowSecrets: FormBoolean.optional().describe(
    'Publishes files that seem to contain keys, instead of 409 `SECRETS_FOUND`',
  ),
};

/** For publications of accounts. */
export const takePictures = FormBoolean.optional().describe(
  'Fetches the pictures that Markdown files show from other sites, and publishes them with the files. An account fetches at most 1,000 a day.',
);

/** Settings that belong to the files of a project. */
export const siteFields = {
  spa: FormSpa.optional(),
  prettyUrls: FormBoolean.optional(),
};

/** Settings that a new version of a project brings with it. */
export const pushedFields = {
  title: Title.optional().describe(
    'A new title of the project. It changes together with the files, as `spa` and `prettyUrls` do.',
  ),
  ...siteFields,
  /** One line, as a title is. */
  note: Title.max(200)
    .optional()
    .describe('What changed, for the list of versions, and for readers of the feed of versions.'),
};

/** Whether a push that stays a draft leaves the settings of the live version alone. */
export function leavesSettingsOfDraft({
  draft,
  title,
  spa,
  prettyUrls,
}: Partial<Record<'draft' | keyof typeof pushedFields, unknown>>): boolean {
  return draft !== true || [title, spa, prettyUrls].every((setting) => setting === undefined);
}

/** The error if {@link leavesSettingsOfDraft} is false. */
export const settingsOfDraftError = {
  path: ['draft'],
  error: 'changes no settings: `title`, `spa` and `prettyUrls` do not go with it',
};

/** Part of the response if a worker publishes the upload later. */
export const QueuedUploadId = z
  .uuid()
  .optional()
  .describe(
    'Only while the files are stored after the answer: GET /v1/uploads/{uploadId} shows the progress, and why it failed.',
  );

/** Whether a request has either files or an `uploadId`, not both. */
export function hasOneUploadSource({
  files,
  uploadId,
}: {
  files: unknown[];
  uploadId?: unknown;
}): boolean {
  return files.length > 0 !== (uploadId !== undefined);
}

/** The error if {@link hasOneUploadSource} is false. */
export const uploadSourceError = {
  path: ['files'],
  error: 'Send either at least one file in `files`, or an `uploadId`.',
};

/** A warning about a setting that was accepted. */
export const SettingWarning = z.object({ field: z.literal('password'), message: z.string() });
export type SettingWarning = z.infer<typeof SettingWarning>;

/** Warnings about a new project, its version and settings; absent if there are none. */
export const ProjectWarnings = z.array(z.union([VersionWarning, SettingWarning])).optional();
export type ProjectWarnings = z.infer<typeof ProjectWarnings>;
