import type { Tool } from './tool.ts';
import { createUploadLinkTool } from './tools/create-upload-link.ts';
import { deleteProjectTool } from './tools/delete-project.ts';
import { getAccountTool } from './tools/get-account.ts';
import { getLinkOpensTool } from './tools/get-link-opens.ts';
import { getProjectTool } from './tools/get-project.ts';
import { getQrCodeTool } from './tools/get-qr-code.ts';
import { listProjectsTool } from './tools/list-projects.ts';
import { publishSiteTool } from './tools/publish-site.ts';
import { updateProjectFilesTool } from './tools/update-project-files.ts';
import { updateProjectSettingsTool } from './tools/update-project-settings.ts';

/** Every tool of the MCP endpoint. */
export const tools: readonly Tool[] = [
  publishSiteTool,
  createUploadLinkTool,
  updateProjectFilesTool,
  updateProjectSettingsTool,
  deleteProjectTool,
  listProjectsTool,
  getProjectTool,
  getLinkOpensTool,
  getQrCodeTool,
  getAccountTool,
];
