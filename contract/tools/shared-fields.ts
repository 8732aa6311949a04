import * as z from 'zod';
import { Instant, ProjectId } from '../fields.ts';
import { diffVersion } from '../operations/versions.ts';

/**
 * Warnings of all kinds in one form, which is shorter in `tools/list` than a choice of forms. Each
 * has the fields of the REST API; only what all have is in the schema.
 */
export const ToolWarnings = z.array(z.looseObject({ message: z.string() }));

/**
 * A version that is not live: its preview, and its difference to the live version. A preview link
 * opens the version to others, so an agent that may only read gets none.
 */
export const ShownVersion = z.object({
  version: z.int(),
  previewUrl: z.url().optional(),
  previewExpiresAt: z.optional(Instant),
  ...diffVersion.output.omit({ retained: true }).shape,
});

/** A file in a tool call: text, or bytes as base64. */
const InlineFile = z.strictObject({
  path: z.string().min(1).max(1024).describe('Path with folders, for example assets/app.css'),
  content: z.string().describe('The whole file, for example <h1>Hi</h1>'),
  encoding: z.enum(['utf8', 'base64']).default('utf8'),
});

/** The same limit as for a form: all files are stored while the caller waits. */
const maxInlineFiles = 200;

/** The files of a tool call. */
export const InlineFiles = z
  .array(InlineFile)
  .max(
    maxInlineFiles,
    `must have at most ${maxInlineFiles} files; for more use create_upload_link`,
  );

/** Identifies a call, so that repeating it after a lost response does not publish twice. */
export const idempotencyKey = z.string().min(1).max(255).optional();

/** The same as a form field of the operations. */
export const includeHidden = z.boolean().optional().describe('Publish hidden files too');
export const allowSecrets = z.boolean().optional().describe('Publish keys in files too');

/** The result of publishing a version. Size and hash let an agent notice that content was cut off. */
export const PublishResult = z.object({
  projectId: ProjectId,
  url: z.url(),
  version: z.int(),
  files: z.int().describe('Files of this version'),
  bytes: z.int(),
  sha256: z
    .string()
    .optional()
    .describe('Of the received file or ZIP, or of lines "<sha256>  <path>\\n", sorted by path'),
  expiresAt: z.nullable(Instant),
  uploadId: z.string().optional().describe('Only if it is not live yet'),
  warnings: ToolWarnings.describe('Files left out, ignored rules, broken links'),
});
export type PublishResult = z.infer<typeof PublishResult>;
