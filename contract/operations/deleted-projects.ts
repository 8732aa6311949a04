import * as z from 'zod';
import { Instant, PathId, Slug } from '../fields.ts';
import { example, exampleProject } from '../examples.ts';
import { operation } from '../operation.ts';
import { ProjectResource } from '../project-resource.ts';

const DeletedProject = ProjectResource.pick({
  id: true,
  title: true,
  slug: true,
  type: true,
  url: true,
  createdAt: true,
}).extend({ deletedAt: Instant, restorableUntil: Instant, bytes: z.number().int() });

/** `GET /v1/projects/deleted`: projects that can be restored. */
export const listDeletedProjects = operation({
  id: 'listDeletedProjects',
  group: 'projects',
  route: 'GET /v1/projects/deleted',
  summary:
    'List your deleted projects that can still be restored, most recently deleted first. They do not count toward the quota; together they may have as many bytes as the plan has storage, with their versions: beyond that, those deleted first are removed for good. For the next page send `nextCursor` as `cursor`.',
  auth: 'key',
  input: z.object({
    limit: z.coerce.number().int().min(1).max(100).default(100),
    cursor: z.string().max(100).optional(),
  }),
  output: z.object({ projects: z.array(DeletedProject), nextCursor: z.string().nullable() }),
  example: {
    input: {},
    output: {
      projects: [
        {
          id: exampleProject.id,
          title: exampleProject.title,
          slug: exampleProject.slug,
          type: exampleProject.type,
          url: exampleProject.url,
          createdAt: example.at,
          deletedAt: example.at,
          restorableUntil: example.later,
          bytes: 15,
        },
      ],
      nextCursor: null,
    },
  },
});

const GoneWarning = z.object({ field: z.literal('domainId'), message: z.string() });

/** `POST /v1/projects/{projectId}/restore`: restores a deleted project. */
export const restoreProject = operation({
  id: 'restoreProject',
  group: 'projects',
  route: 'POST /v1/projects/{projectId}/restore',
  summary:
    'Restore a deleted project with its address, settings, versions and statistics, if the quota of the plan allows it. Send a `slug` if its address is in use by now. Where its custom domain is removed, it gets an address of this service, and `warnings` says so.',
  auth: 'key',
  body: 'json',
  input: z.object({ projectId: PathId, slug: Slug.optional() }),
  output: ProjectResource.extend({ warnings: z.array(GoneWarning).optional() }),
  errors: [
    'NOT_FOUND',
    'DOMAIN_NOT_READY',
    'SLUG_TAKEN',
    'PROJECT_LIMIT_REACHED',
    'STORAGE_LIMIT_REACHED',
  ],
  example: { input: { projectId: example.projectId }, output: exampleProject },
});
