import * as z from 'zod';
import { uploadFields } from '../fields.ts';
import { createProject } from '../operations/projects.ts';
import { tool } from '../tool.ts';
import { InlineFiles } from './inline-files.ts';
import { Published } from './published.ts';

const { title, slug, access, password, expiresIn } = createProject.input.shape;

/** `publish_site`: files or a ZIP become a new project. */
export const publishSiteTool = tool({
  name: 'publish_site',
  title: 'Publish a site',
  description:
    'Publish files at a new link and get its URL, live at once. Use it when you have the content yourself: HTML, CSS, scripts, Markdown, data or other text. Always makes a new project; to change one that exists use update_project_files. Send text as utf8. Send base64 only for files under 8 kB, such as icons; for larger binaries, for files on a disk, or for more than 3 MB use create_upload_link. Give either `files` or `zipBase64`. A file named index.html is the home page. At most 200 files. Compare `files`, `bytes` and `sha256` of the result with what you meant to send.',
  hints: {
    readOnlyHint: false,
    destructiveHint: false,
    idempotentHint: false,
    openWorldHint: true,
  },
  scope: 'projects:write',
  operation: createProject,
  input: z.strictObject({
    title: title.optional().describe('Made from the file names when left out'),
    slug: slug.describe('First part of the address; made from the title when left out'),
    files: InlineFiles.optional(),
    zipBase64: z.string().min(1).optional().describe('One small ZIP in place of `files`'),
    access: access.describe('Who may look; `password` needs `password`, `private` is you alone'),
    password: password,
    expiresIn: expiresIn.describe('How long it stays; for good when left out'),
    zipIndexHtmlPath: uploadFields.zipIndexHtmlPath.describe(
      'Home page of a ZIP with several HTML files',
    ),
    asFileBundle: z.boolean().optional().describe('List the files instead of showing a site'),
  }),
  output: Published,
});
