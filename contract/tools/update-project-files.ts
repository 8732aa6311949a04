import * as z from 'zod';
import { PathId } from '../fields.ts';
import { replaceFiles } from '../operations/versions.ts';
import { tool } from '../tool.ts';
import { InlineFiles } from './inline-files.ts';
import { Published } from './published.ts';

/** `update_project_files`: a new version of a project, from the live one or from nothing. */
export const updateProjectFilesTool = tool({
  name: 'update_project_files',
  title: 'Change the files of a project',
  description:
    'Publish a new version of a project at the same address; visitors get the old one or the new one, never a mix. `merge` keeps every live file that you do not name: it adds or replaces `files` and removes the paths in `delete`. `replace` makes `files` all there is. Prefer `merge` for small edits. Files that are live cannot be read here: send whole files. Needs a paid plan or the trial. Large or binary files: create_upload_link with `projectId`. Title, address, access or end: update_project_settings. Pass the `version` that you know as `expectedVersion` where somebody else may be changing the project too.',
  hints: {
    readOnlyHint: false,
    destructiveHint: true,
    idempotentHint: true,
    openWorldHint: true,
  },
  scope: 'projects:write',
  operation: replaceFiles,
  input: z.strictObject({
    projectId: PathId,
    files: InlineFiles.optional(),
    delete: z.array(z.string().min(1).max(1024)).max(2000).optional().describe('With `merge`'),
    mode: z.enum(['merge', 'replace']).default('merge'),
    expectedVersion: replaceFiles.input.shape.expectedVersion.describe(
      'Refuses the change when another version is live',
    ),
  }),
  output: Published,
});
