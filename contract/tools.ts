import type { Tool } from './tool.ts';
import { createShareLinkTool } from './tools/create-share-link-tool.ts';
import { createUploadLinkTool } from './tools/create-upload-link-tool.ts';
import { deleteProjectTool } from './tools/delete-project-tool.ts';
import { getAccountTool } from './tools/get-account-tool.ts';
import { getLinkOpensTool } from './tools/get-link-opens-tool.ts';
import { getProjectTool } from './tools/get-project-tool.ts';
import { getQrCodeTool } from './tools/get-qr-code-tool.ts';
import { listProjectsTool } from './tools/list-projects-tool.ts';
import { listShareLinksTool } from './tools/list-share-links-tool.ts';
import { publishSiteTool } from './tools/publish-site-tool.ts';
import { updateProjectFilesTool } from './tools/update-project-files-tool.ts';
import { updateProjectSettingsTool } from './tools/update-project-settings-tool.ts';
import { waitForOpenTool } from './tools/wait-for-open-tool.ts';

/** Every tool of the MCP endpoint, in the order in which it lists them. */
export const tools: readonly Tool[] = [
  publishSiteTool,
  createUploadLinkTool,
  updateProjectFilesTool,
  updateProjectSettingsTool,
  deleteProjectTool,
  listProjectsTool,
  getProjectTool,
  getLinkOpensTool,
  waitForOpenTool,
  createShareLinkTool,
  listShareLinksTool,
  getQrCodeTool,
  getAccountTool,
];
