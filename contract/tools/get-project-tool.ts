import * as z from 'zod';
import { Instant, PathId } from '../fields.ts';
import { getProject } from '../operations/projects.ts';
import { diffVersion } from '../operations/versions.ts';
import { readOnlyHints, tool } from '../tool.ts';
import { ToolWarnings } from './tool-warnings.ts';
import { maxReadFiles, FileText } from '../operations/file-texts.ts';

/**
 * A version that is not live: its preview, and its difference to the live version. A preview link opens
 * the version to others, so that an agent that may only read gets none.
 */
export const ShownVersion = z.object({
  version: z.int(),
  previewUrl: z.url().optional(),
  previewExpiresAt: z.optional(Instant),
  ...diffVersion.output.omit({ retained: true }).shape,
});

/** `get_project`: one project with all settings, its files and their text. */
export const getProjectTool = tool({
  name: 'get_project',
  title: 'Get a project',
  description:
    'Get one project: all settings, the live version, kept versions, warnings, and the list of its files. With `readFiles` it returns the text of files too, so that you can continue a project that you did not make: read, change, then send whole files to update_project_files. With `version` it shows a draft or an earlier version instead: its files, a preview link for an hour (needs projects:write), and what differs from the live version. For analytics, use get_link_opens.',
  hints: readOnlyHints,
  scope: 'projects:read',
  operation: getProject,
  input: z.strictObject({
    projectId: PathId,
    readFiles: z
      .array(z.string().min(1).max(1024))
      .max(maxReadFiles)
      .optional()
      .describe(
        'Paths whose text to return, at most 256 kB each and 1 MB in all, for example ["index.html"]',
      ),
    version: z
      .int()
      .positive()
      .optional()
      .describe('A kept version instead of the live one (paid plans), for example 2'),
    filesCursor: z
      .string()
      .max(40)
      .optional()
      .describe('`nextFilesCursor` of the previous call, for the next files'),
  }),
  output: z.object({
    ...getProject.output.shape,
    warnings: ToolWarnings.optional(),
    versions: z
      .array(
        z.object({
          version: z.int(),
          status: z.enum(['active', 'ready']),
          bytes: z.int(),
          createdAt: Instant,
        }),
      )
      .describe('Newest first; `active` is live, `ready` is a draft or earlier'),
    files: z.array(z.object({ path: z.string(), bytes: z.int() })),
    nextFilesCursor: z.string().nullable(),
    texts: z.array(FileText).optional(),
    shown: ShownVersion.optional(),
  }),
});
