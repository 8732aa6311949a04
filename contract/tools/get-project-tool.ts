import * as z from 'zod';
import { Instant, PathId } from '../fields.ts';
import { FileText, maxReadFiles } from '../operations/file-texts.ts';
import { getProject } from '../operations/projects.ts';
import { readOnlyHints, tool } from '../tool.ts';
import { ShownVersion, ToolWarnings } from './shared-fields.ts';

/** The fields that are no settings. */
const described = {
  id: true,
  title: true,
  slug: true,
  type: true,
  url: true,
  status: true,
  access: true,
  expiresAt: true,
  version: true,
  bytes: true,
  fileCount: true,
} as const;

/** `get_project`: one project with all settings, its files and their text. */
export const getProjectTool = tool({
  name: 'get_project',
  title: 'Get a project',
  description:
    'Get one project: all settings, the live version, kept versions, warnings, and the list of its files. With `readFiles` it returns the text of files too: read, change, send whole files to update_project_files. With `version` it shows a draft or an earlier version instead: its files, a preview link for an hour (needs projects:write), and what differs from the live version. For analytics, use get_link_opens.',
  hints: readOnlyHints,
  scope: 'projects:read',
  icon: { file: 'read', path: 'M6 3h8l4 4v14H6zM14 3v4h4M9 12h6M9 16h6' },
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
  // Also the settings, which the input of update_project_settings describes.
  output: z.looseObject({
    ...getProject.output.pick(described).shape,
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
