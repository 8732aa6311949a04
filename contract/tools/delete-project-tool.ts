import * as z from 'zod';
import { PreviewName } from '../operations/previews.ts';
import { deleteProject } from '../operations/projects.ts';
import { changingHints, tool } from '../tool.ts';

/** `delete_project` */
export const deleteProjectTool = tool({
  name: 'delete_project',
  title: 'Delete a project',
  description:
    'Delete a project. It can be restored for some weeks. Its address stays reserved for 90 days. Ask the user first, and name the project. To unpublish it for a time, use update_project_settings with `status: private`.',
  hints: changingHints,
  scope: 'projects:write',
  icon: { file: 'delete', path: 'M4 7h16M9 7V4h6v3M6 7l1 13h10l1-13M10 11v6M14 11v6' },
  operation: deleteProject,
  input: z.strictObject({
    ...deleteProject.input.shape,
    preview: PreviewName.optional().describe('Ends it alone. Example: pr-42'),
  }),
  output: deleteProject.output.extend({ projectId: deleteProject.input.shape.projectId }),
});
