import * as z from 'zod';
import { createUploadLink } from '../operations/upload-links.ts';
import { tool } from '../tool.ts';

const { title, projectId, domainId, notify, message, maxUploads } = createUploadLink.input.shape;

/** `create_upload_link`: a person or a command uploads the files. */
export const createUploadLinkTool = tool({
  name: 'create_upload_link',
  title: 'Create an upload link',
  description:
    'Create a link for one upload, which itself publishes. For what does not fit into a call: large or binary files, a ZIP, a folder on a disk, files that the user has. Give the user `pageUrl`, a page to drop files on. With a shell, run `curlAnySize` yourself, with FILE replaced by the path. With `projectId` (paid plans) the upload REPLACES all files of that project; otherwise it becomes a new one. To collect files from others, send `message`: `maxUploads` uploads, each a new project. list_projects shows what arrived.',
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
  // What a request may also limit or ask is left to the web app and the API: it would take much room.
  input: z.strictObject({
    title,
    projectId,
    domainId,
    notify,
    message,
    maxUploads,
    // The format's pattern would take 200 bytes of every conversation; the use case reads the time.
    closesAt: z.string().optional(),
  }),
  output: createUploadLink.output,
});
