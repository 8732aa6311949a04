import * as z from 'zod';
import { createUploadLink } from '../operations/upload-links.ts';
import { tool } from '../tool.ts';

const { closesAt: _, ...fields } = createUploadLink.input.shape;

/** `create_upload_link`: a person or a command uploads the files. */
export const createUploadLinkTool = tool({
  name: 'create_upload_link',
  title: 'Create an upload link',
  description:
    'Create a link for one upload, which itself publishes: large or binary files, a ZIP, files that the user has. Give the user `pageUrl`, a page for files; with a shell, run `curlAnySize` yourself, FILE being the path. With `projectId` (paid plans) the upload REPLACES all files of that project; else it is a new one. A field from `message` on collects files from others: `maxUploads` uploads, each a new project, or a folder of `into`.',
  hints: {
    readOnlyHint: false,
    // With `projectId` the upload replaces the live files.
    destructiveHint: true,
    idempotentHint: false,
    openWorldHint: true,
  },
  scope: 'projects:write',
  icon: { file: 'upload', path: 'M4 14v6h16v-6M12 16V4M7 9l5-5 5 5' },
  operation: createUploadLink,
  input: z.strictObject({
    ...fields,
    // The format's pattern would take 200 bytes of every conversation; the use case reads the time.
    closesAt: z.string().optional(),
  }),
  output: createUploadLink.output.omit({ curl: true }),
});
