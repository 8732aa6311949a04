import * as z from 'zod';
import { getProject } from '../operations/projects.ts';
import { looksOnly, tool } from '../tool.ts';

/** `get_project`: one project with all of its settings. */
export const getProjectTool = tool({
  name: 'get_project',
  title: 'Look at a project',
  description:
    'All settings of one project: address, status, access, end, what it holds. Use it before you change settings, or to see whether a project is live. You have no id: list_projects. Who looked: get_link_opens.',
  hints: looksOnly,
  scope: 'projects:read',
  operation: getProject,
  input: z.strictObject(getProject.input.shape),
  output: getProject.output,
});
