import * as z from 'zod';
import { listProjects } from '../operations/projects.ts';
import { ProjectResource } from '../project-resource.ts';
import { looksOnly, tool } from '../tool.ts';

const { workspaceId, archived } = listProjects.input.shape;

/** What a list tells of a project; `get_project` tells the rest. */
const ProjectSummary = ProjectResource.pick({
  id: true,
  title: true,
  slug: true,
  type: true,
  url: true,
  status: true,
  access: true,
  workspaceId: true,
  expiresAt: true,
  archivedAt: true,
  createdAt: true,
  updatedAt: true,
});

/** `list_projects`: the projects of the account, in pages. */
export const listProjectsTool = tool({
  name: 'list_projects',
  title: 'List projects',
  description:
    'List the projects of the account, newest first, in pages. Use it to find a `projectId` by title or address. Where `nextCursor` is not null there are more: call again with it as `cursor`. All settings of one project: get_project. Who looked at one: get_link_opens.',
  hints: looksOnly,
  scope: 'projects:read',
  operation: listProjects,
  input: z.strictObject({
    workspaceId,
    archived: archived.describe('`true`: only archived ones; `all`: these too'),
    limit: z.int().min(1).max(50).default(20),
    cursor: z
      .string()
      .regex(/^\d{1,9}$/, 'must be a `nextCursor` of an earlier call')
      .optional(),
  }),
  output: z.object({
    projects: z.array(ProjectSummary),
    nextCursor: z.string().nullable(),
  }),
});
