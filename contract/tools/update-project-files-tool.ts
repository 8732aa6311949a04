import * as z from 'zod';
import { PathId } from '../fields.ts';
import { PreviewName } from '../operations/previews.ts';
import { replaceProjectFiles } from '../operations/versions.ts';
import { tool } from '../tool.ts';
import {
  allowSecrets,
  idempotencyKey,
  includeHidden,
  InlineFiles,
  PublishResult,
  ShownVersion,
  ToolWarnings,
} from './shared-fields.ts';

/** `update_project_files`: a new version of a project, merged with the live files or replacing them. */
export const updateProjectFilesTool = tool({
  name: 'update_project_files',
  title: 'Change the files of a project',
  description:
    'Publish a new version of a project at the same address. `merge` keeps every live file that you do not name: it adds or replaces `files` and removes the paths in `delete`. `replace` publishes only `files`. `preview` shows them beside it, for seven days. Content that is live already creates no version. Send whole files; get_project with `readFiles` returns the live ones. With `draft` visitors see no change: the result has a preview link and what differs; make it live with update_project_settings and `liveVersion`. Needs a paid plan or the trial. For large or binary files, use create_upload_link with `projectId`.',
  hints: {
    readOnlyHint: false,
    destructiveHint: true,
    idempotentHint: true,
    openWorldHint: true,
  },
  scope: 'projects:write',
  icon: { file: 'edit', path: 'M4 20l1-4L16 5l3 3L8 19zM13.5 7.5l3 3' },
  operation: replaceProjectFiles,
  input: z.strictObject({
    projectId: PathId,
    files: InlineFiles.optional(),
    delete: z.array(z.string().min(1).max(1024)).max(2000).optional().describe('With `merge`'),
    mode: z.enum(['merge', 'replace']).default('merge'),
    expectedVersion: z
      .int()
      .positive()
      .optional()
      .describe('The `version` that you know: fails if another one is live'),
    draft: z.boolean().optional(),
    preview: PreviewName.optional().describe('Name in the address. Example: pr-42'),
    includeHidden,
    allowSecrets,
    idempotencyKey,
  }),
  // As `shown` of get_project, whose schema describes its fields.
  output: PublishResult.extend({
    // As of publish_site, whose schema describes them.
    files: z.int(),
    sha256: z.string().optional(),
    uploadId: z.string().optional(),
    warnings: ToolWarnings,
    draft: z.looseObject(ShownVersion.pick({ previewUrl: true }).shape).optional(),
  }),
});
