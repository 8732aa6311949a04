import * as z from 'zod';
import { PathId, Spa, uploadFields } from '../fields.ts';
import { createProject } from '../operations/projects.ts';
import { People } from '../people.ts';
import { tool } from '../tool.ts';
import {
  allowSecrets,
  idempotencyKey,
  includeHidden,
  InlineFiles,
  PublishResult,
} from './shared-fields.ts';

const { title, slug, domainId, access, password, expiresIn } = createProject.input.shape;

/** `publish_site`: publishes files or a ZIP as a new project. */
export const publishSiteTool = tool({
  name: 'publish_site',
  title: 'Publish a site',
  description:
    'Publish files at a new link, live at once. For text that you wrote: HTML, CSS, scripts, Markdown, data. Always a new project; update_project_files changes one. base64 is for files under 8 kB, like icons; larger binaries, files on a disk and more than 3 MB go by create_upload_link. index.html is the home page. Compare `files`, `bytes` and `sha256` of the result with what you sent.',
  hints: {
    readOnlyHint: false,
    destructiveHint: false,
    idempotentHint: false,
    openWorldHint: true,
  },
  scope: 'projects:write',
  icon: { file: 'publish', path: 'M4 20h16M12 16V4M7 9l5-5 5 5' },
  operation: createProject,
  input: z.strictObject({
    title: title.optional().describe('From the file names if omitted'),
    slug: slug.describe('Name in the address; from the title if omitted'),
    domainId: domainId.describe('Custom domain; then `slug` is a name beneath it'),
    files: InlineFiles.optional(),
    copyOf: PathId.optional().describe(
      'A project to copy; only `title`, `slug`, `domainId` go with it. Example: 3f0c6d52-…',
    ),
    zipBase64: z.string().min(1).optional().describe('A small ZIP instead of `files`'),
    access: access.describe('Who may view it, as in update_project_settings'),
    password: password,
    people: People.optional().describe('With `access: people`'),
    expiresIn: expiresIn.describe('When it expires; never by default'),
    // The format's pattern would take 200 bytes of every conversation; the use case reads the time.
    expiresAt: z.string().optional(),
    zipIndexHtmlPath: uploadFields.zipIndexHtmlPath.describe('Home page of a ZIP with several'),
    home: z.literal('auto').optional().describe('Its index.html'),
    spa: z
      .optional(Spa)
      .describe('Shows the home page for missing pages; by default if it is the only HTML file'),
    asFileBundle: z.boolean().optional().describe('A list of files instead of a site'),
    includeHidden,
    allowSecrets,
    idempotencyKey,
  }),
  output: PublishResult,
});
