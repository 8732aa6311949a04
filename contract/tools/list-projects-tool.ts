import * as z from 'zod';
import { listProjects } from '../operations/projects.ts';
import { ProjectResource } from '../project-resource.ts';
import { readOnlyHints, tool } from '../tool.ts';

const { q, workspaceId, archived } = listProjects.input.shape;

/** The fields of a project in a list; `get_project` returns all. */
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
    'List the projects of the account, newest first, in pages. Use it to find a `projectId` by title or address. For settings of one project, use get_project; for analytics, get_link_opens.',
  hints: readOnlyHints,
  scope: 'projects:read',
  icon: { file: 'list', path: 'M4 6h2M10 6h10M4 12h2M10 12h10M4 18h2M10 18h10' },
  operation: listProjects,
  input: z.strictObject({
    q: q.describe('Part of the title or the address, for example fair'),
    workspaceId,
    archived: archived.describe('`true`: archived ones only; `all`: both'),
    limit: z.int().min(1).max(50).default(20),
    cursor: z
      .string()
      .regex(/^\d{1,9}$/, 'must be the `nextCursor` of an earlier call')
      .optional(),
  }),
  output: z.object({
    projects: z.array(ProjectSummary),
    nextCursor: z.string().nullable(),
  }),
});
