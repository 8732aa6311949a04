import * as z from 'zod';
import { deleteProject } from '../operations/projects.ts';
import { tool, changes } from '../tool.ts';

/** `delete_project`: gone for good. */
export const deleteProjectTool = tool({
  name: 'delete_project',
  title: 'Delete a project',
  description:
    'Delete a project, its files and its figures for good; its address stays with the account for 90 days. Ask the user first, naming the project. To take a page off for a while use update_project_settings with `status: private`.',
  hints: changes,
  scope: 'projects:write',
  operation: deleteProject,
  input: z.strictObject(deleteProject.input.shape),
  output: deleteProject.output.extend({ projectId: deleteProject.input.shape.projectId }),
});
