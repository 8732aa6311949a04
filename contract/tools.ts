import { getProjectTool } from './tools/get-project-tool.ts';
import type { Tool } from './tool.ts';
import {
  createUploadLinkTool,
  publishSiteTool,
  updateProjectFilesTool,
} from './tools/publishing-tools.ts';
import {
  deleteProjectTool,
  getAccountTool,
  getLinkOpensTool,
  getQrCodeTool,
  listProjectsTool,
  updateProjectSettingsTool,
} from './tools/management-tools.ts';

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
