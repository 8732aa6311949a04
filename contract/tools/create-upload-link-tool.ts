import { createUploadLink } from '../operations/upload-links.ts';
import { tool } from '../tool.ts';

/** `create_upload_link`: a person or a command uploads the files. */
export const createUploadLinkTool = tool({
  name: 'create_upload_link',
  title: 'Create an upload link',
  description:
    'Create a link for one upload. The upload itself publishes. Use it for what does not fit into a call: large or binary files, a ZIP, a folder on a disk, or files that the user has. Give the user `pageUrl`, a page to drop files on. If you have a shell, run `curlAnySize` yourself, with FILE replaced by the path. With `projectId` (paid plans) the upload REPLACES all files of that project; without it the upload becomes a new project. The link works once, until `expiresAt`. list_projects shows what was published.',
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
  input: createUploadLink.input,
  output: createUploadLink.output,
});
