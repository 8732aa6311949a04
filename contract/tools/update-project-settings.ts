import { updateProject } from '../operations/project-settings.ts';
import { ProjectResource } from '../project-resource.ts';
import { changes, tool } from '../tool.ts';

/** `update_project_settings`: what a project is called, where it is, who sees it and until when. */
export const updateProjectSettingsTool = tool({
  name: 'update_project_settings',
  title: 'Change the settings of a project',
  description:
    'Change title, address (`slug`), access, password, end, search engines (`noIndex`), page title and description, downloads, counting or workspace of a project, from the next visitor on. Only the fields that you send change. A new `slug` is a new URL: the old one stops working at once. `access` says who may look: `public`, `password` (needs `password`) or `private` (the owner alone); `status: private` takes the page off for everybody. `expiresIn: none` takes the end away. Needs a paid plan or the trial. Files: update_project_files.',
  hints: changes,
  scope: 'projects:write',
  operation: updateProject,
  input: updateProject.input,
  output: updateProject.output.extend({ project: ProjectResource }),
});
