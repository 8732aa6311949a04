import { createShareLinkTool } from '../../../contract/tools/create-share-link-tool.ts';
import { createUploadLinkTool } from '../../../contract/tools/create-upload-link-tool.ts';
import { deleteProjectTool } from '../../../contract/tools/delete-project-tool.ts';
import { getAccountTool } from '../../../contract/tools/get-account-tool.ts';
import { getLinkOpensTool } from '../../../contract/tools/get-link-opens-tool.ts';
import { getProjectTool } from '../../../contract/tools/get-project-tool.ts';
import { getQrCodeTool } from '../../../contract/tools/get-qr-code-tool.ts';
import { listProjectsTool } from '../../../contract/tools/list-projects-tool.ts';
import { listShareLinksTool } from '../../../contract/tools/list-share-links-tool.ts';
import { publishSiteTool } from '../../../contract/tools/publish-site-tool.ts';
import { updateProjectFilesTool } from '../../../contract/tools/update-project-files-tool.ts';
import { updateProjectSettingsTool } from '../../../contract/tools/update-project-settings-tool.ts';
import { waitForOpenTool } from '../../../contract/tools/wait-for-open-tool.ts';
import { getUser } from '../../../core/accounts/describe-account.ts';
import { deletePreview } from '../../../core/projects/previews/manage-previews.ts';
import { deleteProject } from '../../../core/projects/removal/delete-project.ts';
import { createShareLink, listShareLinks } from '../../../core/share-links/manage-share-links.ts';
import { showProject } from './project-tools.ts';
import { userServices } from '../../shared/plan-facts.ts';
import { type BoundTool, bindTool } from '../bind-tool.ts';
import { services, shareLinkServices } from '../services.ts';
import {
  getLinkOpens,
  getQrCode,
  listProjectsPage,
  updateProjectSettings,
  waitForOpen,
} from './management-tools.ts';
import { confirmDeletion } from './questions.ts';
import { createLink, publishSite, updateProjectFiles } from './publishing-tools.ts';

/** Every tool with its implementation; both protocol versions offer these. */
export const boundTools: readonly BoundTool[] = [
  bindTool(publishSiteTool, publishSite),
  bindTool(createUploadLinkTool, createLink),
  bindTool(updateProjectFilesTool, updateProjectFiles),
  bindTool(updateProjectSettingsTool, updateProjectSettings),
  bindTool(deleteProjectTool, async (caller, { projectId, preview: name }, { user }) => {
    if (name !== undefined) {
      const { deleted } = await deletePreview(services(), caller, { projectId, name });
      return { output: { deleted, projectId } };
    }
    await confirmDeletion(caller, projectId, user);
    const { deleted } = await deleteProject(services(), caller, { projectId });
    return { output: { deleted, projectId } };
  }),
  bindTool(listProjectsTool, listProjectsPage),
  bindTool(getProjectTool, showProject),
  bindTool(getLinkOpensTool, getLinkOpens),
  bindTool(waitForOpenTool, waitForOpen),
  bindTool(createShareLinkTool, async (caller, input) => ({
    output: await createShareLink(shareLinkServices(), caller, input),
  })),
  bindTool(listShareLinksTool, async (caller, input) => ({
    output: await listShareLinks(shareLinkServices(), caller, input),
  })),
  bindTool(getQrCodeTool, getQrCode),
  bindTool(getAccountTool, async (caller) => ({
    output: await getUser(userServices(), caller),
  })),
];

/** The tool with this name. */
export function findTool(name: string): BoundTool | undefined {
  return boundTools.find(({ tool }) => tool.name === name);
}
