import { createUploadLink } from '../operations/upload-links.ts';
import { tool } from '../tool.ts';

/** `create_upload_link`: somebody, or a command, brings the files. */
export const createUploadLinkTool = tool({
  name: 'create_upload_link',
  title: 'Make an upload link',
  description:
    'Make a link for one upload, and nothing else is needed: the upload itself publishes. Use it for what does not fit into a call: large or binary files, a ZIP or a build on a disk, or files that a person has. Give a person `pageUrl` to drop files on; run `curl` yourself, with FILE replaced by the path, where you have a shell. With `projectId` (paid plans) the upload REPLACES all files of that project; without it becomes a new project. It works once, until `expiresAt`; list_projects shows what was published. For text that you wrote yourself publish_site is simpler.',
  hints: {
    readOnlyHint: false,
    // With `projectId` the upload takes the place of what is live.
    destructiveHint: true,
    idempotentHint: false,
    openWorldHint: true,
  },
  scope: 'projects:write',
  operation: createUploadLink,
  input: createUploadLink.input,
  output: createUploadLink.output,
});
