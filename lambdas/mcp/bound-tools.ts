import { createUploadLinkTool } from '../../contract/tools/create-upload-link.ts';
import { deleteProjectTool } from '../../contract/tools/delete-project.ts';
import { getAccountTool } from '../../contract/tools/get-account.ts';
import { getLinkOpensTool } from '../../contract/tools/get-link-opens.ts';
import { getProjectTool } from '../../contract/tools/get-project.ts';
import { getQrCodeTool } from '../../contract/tools/get-qr-code.ts';
import { listProjectsTool } from '../../contract/tools/list-projects.ts';
import { publishSiteTool } from '../../contract/tools/publish-site.ts';
import { updateProjectFilesTool } from '../../contract/tools/update-project-files.ts';
import { updateProjectSettingsTool } from '../../contract/tools/update-project-settings.ts';
import { describeUser } from '../../core/accounts/describe-account.ts';
import { projectOpens } from '../../core/analytics/project-opens.ts';
import { deleteProject } from '../../core/projects/removal/delete-project.ts';
import { getProject } from '../../core/projects/get-project.ts';
import { type BoundTool, bindTool } from './bind-tool.ts';
import { opensServices, services } from './services.ts';
import { listPage } from './tools/list-projects.ts';
import { changeFiles } from './tools/project-files.ts';
import { changeSettings } from './tools/project-settings.ts';
import { publishSite } from './tools/publish-site.ts';
import { qrCodeOf } from './tools/qr-code.ts';
import { uploadLink } from './tools/upload-link.ts';

/** Every tool with what serves it; both eras of the protocol offer these. */
export const boundTools: readonly BoundTool[] = [
  bindTool(publishSiteTool, publishSite),
  bindTool(createUploadLinkTool, uploadLink),
  bindTool(updateProjectFilesTool, changeFiles),
  bindTool(updateProjectSettingsTool, changeSettings),
  bindTool(deleteProjectTool, async (caller, { projectId }) => {
    const { deleted } = await deleteProject(services(), caller, { projectId });
    return { output: { deleted, projectId } };
  }),
  bindTool(listProjectsTool, listPage),
  bindTool(getProjectTool, async (caller, input) => ({
    output: await getProject(services(), caller, input),
  })),
  bindTool(getLinkOpensTool, async (caller, input) => ({
    output: await projectOpens(opensServices(), caller, input),
  })),
  bindTool(getQrCodeTool, qrCodeOf),
  bindTool(getAccountTool, async (caller) => ({ output: describeUser(services(), caller) })),
];

/** The tool with this name. */
export function findTool(name: string): BoundTool | undefined {
  return boundTools.find(({ tool }) => tool.name === name);
}
