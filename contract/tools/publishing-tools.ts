import * as z from 'zod';
import { Instant, PathId, ProjectId, Spa, uploadFields } from '../fields.ts';
import { createProject } from '../operations/projects.ts';
import { ToolWarnings } from './tool-warnings.ts';
import { ShownVersion } from './get-project-tool.ts';
import { tool } from '../tool.ts';
import { replaceProjectFiles } from '../operations/versions.ts';
import { createUploadLink } from '../operations/upload-links.ts';

/** A file in a tool call: text, or bytes as base64. */
const InlineFile = z.strictObject({
  path: z.string().min(1).max(1024).describe('Exact path with folders, for example assets/app.css'),
  content: z.string().describe('The whole file, for example <h1>Hello</h1>'),
  encoding: z.enum(['utf8', 'base64']).default('utf8'),
});

/** The same as for a form: all files are stored while the caller waits. */
const maxInlineFiles = 200;

/** The files of a tool call. */
const InlineFiles = z
  .array(InlineFile)
  .max(
    maxInlineFiles,
    `must have at most ${maxInlineFiles} files; for more use create_upload_link`,
  );

/** Names a call, so that repeating it after a lost answer does not publish twice. */
const idempotencyKey = z.string().min(1).max(255).optional();

/** The same as a form field of the operations. */
const includeHidden = z.boolean().optional().describe('Publish hidden files too');
const allowSecrets = z.boolean().optional().describe('Publish keys in files too');

/** The result of publishing a version. Size and hash let an agent notice that content was cut off. */
export const PublishResult = z.object({
  projectId: ProjectId,
  url: z.url(),
  version: z.int(),
  files: z.int().describe('Files of this version'),
  bytes: z.int(),
  sha256: z
    .string()
    .describe(
      'Of what was received. One file or ZIP: of its bytes. Several files: of the lines "<sha256>  <path>\\n", sorted by path.',
    ),
  expiresAt: z.nullable(Instant),
  uploadId: z.string().optional().describe('Only if it is not live yet'),
  warnings: ToolWarnings.describe(
    'Files left out, ignored rules, links to missing files, a short password',
  ),
});
export type PublishResult = z.infer<typeof PublishResult>;

const { title, slug, domainId, access, password, expiresIn } = createProject.input.shape;

/** `publish_site`: publishes files or a ZIP as a new project. */
export const publishSiteTool = tool({
  name: 'publish_site',
  title: 'Publish a site',
  description:
    'Publish files at a new link and get its URL, live at once. Use it for text that you have yourself: HTML, CSS, scripts, Markdown, data. It always creates a new project; to change an existing project, use update_project_files. Send text as utf8. Send base64 only for files under 8 kB, such as icons; for larger binaries, for files on a disk, or for more than 3 MB use create_upload_link. A file named index.html is the home page. At most 200 files. Compare `files`, `bytes` and `sha256` of the result with what you intended to send.',
  hints: {
    readOnlyHint: false,
    destructiveHint: false,
    idempotentHint: false,
    openWorldHint: true,
  },
  scope: 'projects:write',
  operation: createProject,
  input: z.strictObject({
    title: title.optional().describe('From the file names if omitted'),
    slug: slug.describe('First part of the address; generated from the title if omitted'),
    domainId: domainId.describe('Custom domain of the account; then `slug` is a name beneath it'),
    files: InlineFiles.optional(),
    zipBase64: z.string().min(1).optional().describe('One small ZIP instead of `files`'),
    access: access.describe(
      'Who may view it: everybody (`public`), people with the `password` that you send, or the owner only (`private`)',
    ),
    password: password,
    expiresIn: expiresIn.describe('Time until it expires; omit it for no expiry'),
    zipIndexHtmlPath: uploadFields.zipIndexHtmlPath.describe(
      'Home page of a ZIP with several pages',
    ),
    spa: z
      .optional(Spa)
      .describe(
        '`true` answers missing pages with the home page, `false` never; by default where it is the only HTML file',
      ),
    asFileBundle: z.boolean().optional().describe('Publish a list of files instead of a site'),
    includeHidden,
    allowSecrets,
    idempotencyKey,
  }),
  output: PublishResult,
});

/** `update_project_files`: a new version of a project, merged with the live files or replacing them. */
export const updateProjectFilesTool = tool({
  name: 'update_project_files',
  title: 'Change the files of a project',
  description:
    'Publish a new version of a project at the same address. Visitors never get a mix. `merge` keeps every live file that you do not name: it adds or replaces `files` and removes the paths in `delete`. `replace` removes all live files and publishes only `files`. Prefer `merge` for small edits. Content that is live already creates no version. Send whole files; get_project with `readFiles` returns the live ones. With `draft` visitors see no change: the result has a preview link and what differs; make it live with update_project_settings and `liveVersion`. Needs a paid plan or the trial. For large or binary files, use create_upload_link with `projectId`. For title, address, access or expiry, use update_project_settings. If somebody else may be changing the project too, send the `version` that you know as `expectedVersion`.',
  hints: {
    readOnlyHint: false,
    destructiveHint: true,
    idempotentHint: true,
    openWorldHint: true,
  },
  scope: 'projects:write',
  operation: replaceProjectFiles,
  input: z.strictObject({
    projectId: PathId,
    files: InlineFiles.optional(),
    delete: z.array(z.string().min(1).max(1024)).max(2000).optional().describe('With `merge`'),
    mode: z.enum(['merge', 'replace']).default('merge'),
    expectedVersion: replaceProjectFiles.input.shape.expectedVersion.describe(
      'The call fails if another version is live',
    ),
    draft: z
      .boolean()
      .optional()
      .describe(
        '`true` keeps the new version as a draft with a preview link; the live version stays',
      ),
    includeHidden,
    allowSecrets,
    idempotencyKey,
  }),
  output: PublishResult.extend({ draft: ShownVersion.optional() }),
});

/** `create_upload_link`: a person or a command uploads the files. */
export const createUploadLinkTool = tool({
  name: 'create_upload_link',
  title: 'Create an upload link',
  description:
    'Create a link for one upload. The upload itself publishes; no further call is needed. Use it for what does not fit into a call: large or binary files, a ZIP or build output on a disk, or files that the user has. Give the user `pageUrl`, a page to drop files on. If you have a shell, run `curlAnySize` yourself, with FILE replaced by the path. With `projectId` (paid plans) the upload REPLACES all files of that project; without it the upload becomes a new project. The link works once, until `expiresAt`. list_projects shows what was published.',
  hints: {
    readOnlyHint: false,
    // With `projectId` the upload replaces the live files.
    destructiveHint: true,
    idempotentHint: false,
    openWorldHint: true,
  },
  scope: 'projects:write',
  operation: createUploadLink,
  input: createUploadLink.input,
  output: createUploadLink.output,
});
