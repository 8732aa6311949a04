import * as z from 'zod';
import {
  hasOneEnd,
  oneEndError,
  Access,
  newEnd,
  Instant,
  hasOneUploadSource,
  uploadSourceError,
  PathId,
  ProjectId,
  ProjectType,
  ProjectWarnings,
  QueuedUploadId,
  pushedFields,
  siteFields,
  takePictures,
  Slug,
  Title,
  uploadFields,
  Warnings,
  WorkspaceId,
} from '../fields.ts';
import { example, exampleFile, exampleProject, exampleQuota } from '../examples.ts';
import { operation } from '../operation.ts';
import { newPeople, shownPeople } from '../people.ts';
import { ListedProject, ProjectResource } from '../project-resource.ts';
import { Quota } from '../plans.ts';

/** `GET /v1/projects`: the caller's projects, newest first. */
export const listProjects = operation({
  id: 'listProjects',
  group: 'projects',
  route: 'GET /v1/projects',
  summary:
    'List your projects, newest first or in another order. `q` finds a part of the title or the address. For the next page send `nextCursor` as `cursor`, with the same other fields; `offset` counts in the order newest first and does not go with the filters. `include=opens` adds how often people opened each.',
  auth: 'key',
  limitedKeys: true,
  input: z.object({
    workspaceId: z.uuid().optional(),
    archived: z.enum(['true', 'false', 'all']).default('false'),
    type: z.optional(ProjectType),
    status: ProjectResource.shape.status.optional(),
    access: z.optional(Access),
    domainId: z.uuid().optional(),
    q: z.string().max(200).optional(),
    sort: z.enum(['newest', 'oldest', 'updated', 'title']).default('newest'),
    limit: z.coerce.number().int().min(1).max(100).default(50),
    offset: z.coerce.number().int().min(0).default(0),
    cursor: z.string().max(2000).optional(),
    include: z.literal('opens').optional(),
  }),
  output: z.object({
    projects: z.array(ListedProject),
    limit: z.number().int(),
    offset: z.number().int(),
    nextCursor: z.string().nullable(),
  }),
  example: {
    input: { limit: 50 },
    output: { projects: [exampleProject], limit: 50, offset: 0, nextCursor: null },
  },
});

/** `POST /v1/projects`: publishes files or a ZIP as a new project. */
export const createProject = operation({
  id: 'createProject',
  group: 'projects',
  route: 'POST /v1/projects',
  summary:
    'Publish files or a ZIP as a new project. With a large `uploadId`, or a ZIP that unpacks to more than 16 MiB or 2,000 files, the project is `uploading` until it is stored. GET /v1/uploads/{uploadId} shows the progress.',
  auth: 'key',
  body: 'upload',
  input: z
    .object({
      title: Title,
      ...uploadFields,
      slug: Slug.optional(),
      domainId: z.uuid().optional(),
      workspaceId: WorkspaceId.optional(),
      access: z._default(Access, 'public'),
      password: z.string().min(1).max(255).optional(),
      ...newPeople,
      ...newEnd,
      ...siteFields,
      takePictures,
      note: pushedFields.note,
    })
    .refine(hasOneUploadSource, uploadSourceError)
    .refine(hasOneEnd, oneEndError)
    .refine(({ access, password }) => access !== 'password' || password !== undefined, {
      path: ['password'],
      error: 'is required when `access` is `password`',
    }),
  output: z.object({
    projectId: ProjectId,
    url: z.url(),
    title: z.string(),
    type: ProjectType,
    slug: Slug,
    expiresAt: z.nullable(Instant),
    createdAt: Instant,
    uploadId: QueuedUploadId,
    quota: Quota,
    warnings: ProjectWarnings,
  }),
  status: 201,
  errors: [
    'ZIP_MULTIPLE_HTML',
    'ARCHIVE_INVALID',
    'PROJECT_LIMIT_REACHED',
    'STORAGE_LIMIT_REACHED',
    'FREE_TIER_RESTRICTED',
    'NOT_FOUND',
    'DOMAIN_NOT_READY',
    'SLUG_TAKEN',
  ],
  example: {
    input: { title: 'Calm harbour', files: [exampleFile] },
    output: {
      projectId: example.projectId,
      url: example.url,
      title: 'Calm harbour',
      type: 'html',
      slug: example.slug,
      expiresAt: null,
      createdAt: example.at,
      quota: exampleQuota,
    },
  },
});

/** `POST /v1/projects/{projectId}/duplicate`: publishes a copy of a project. */
export const duplicateProject = operation({
  id: 'duplicateProject',
  group: 'projects',
  route: 'POST /v1/projects/{projectId}/duplicate',
  summary:
    'Publish a copy of a project at an address of its own: its live files, with all its settings, its access, password and expiry. Earlier versions and statistics stay behind. Without a `title` it gets the title of the project, with `(copy)`. A copy counts toward your quota like a new project. A project of more than 1 GiB or 500 stored objects is too large to copy.',
  auth: 'key',
  limitedKeys: false,
  body: 'json',
  input: z.object({
    projectId: PathId,
    title: Title.optional(),
    slug: Slug.optional(),
    domainId: z.uuid().optional(),
  }),
  output: createProject.output.omit({ uploadId: true }),
  status: 201,
  errors: [
    'NOT_FOUND',
    'UPLOAD_INCOMPLETE',
    'PROJECT_LIMIT_REACHED',
    'STORAGE_LIMIT_REACHED',
    'FREE_TIER_RESTRICTED',
    'DOMAIN_NOT_READY',
    'SLUG_TAKEN',
  ],
  example: {
    input: { projectId: example.projectId, title: 'Calm harbour (copy)' },
    output: {
      projectId: '0e6ad1b2-54f0-4b8f-9a52-3c61d5a3b4c7',
      url: 'https://calm-harbour-copy.sites.example.net',
      title: 'Calm harbour (copy)',
      type: 'html',
      slug: 'calm-harbour-copy',
      expiresAt: null,
      createdAt: example.at,
      quota: exampleQuota,
    },
  },
});

/** `POST /v1/projects/claim/{claimToken}`: claims a temporary project. */
export const claimProject = operation({
  id: 'claimProject',
  group: 'projects',
  route: 'POST /v1/projects/claim/{claimToken}',
  summary:
    'Claim a temporary project. It then belongs to your account and counts toward your quota.',
  auth: 'key',
  input: z.object({ claimToken: z.string() }),
  output: z.object({
    projectId: ProjectId,
    slug: Slug,
    url: z.url(),
    expiresAt: z.nullable(Instant),
  }),
  errors: ['PROJECT_LIMIT_REACHED', 'STORAGE_LIMIT_REACHED', 'CLAIM_NOT_FOUND', 'ALREADY_CLAIMED'],
  example: {
    input: { claimToken: example.claimToken },
    output: { projectId: example.projectId, slug: example.slug, url: example.url, expiresAt: null },
  },
});

/** `GET /v1/projects/{projectId}`: one project. */
export const getProject = operation({
  id: 'getProject',
  group: 'projects',
  route: 'GET /v1/projects/{projectId}',
  summary: 'Get one of your projects, with the warnings about its live version.',
  auth: 'key',
  input: z.object({ projectId: PathId }),
  output: ProjectResource.extend({
    version: z.number().int().describe('The live version; 0 while the first one is stored'),
    bytes: z.number().int().describe('Size of the live version'),
    fileCount: z.number().int(),
    ...shownPeople,
    warnings: Warnings,
  }),
  errors: ['NOT_FOUND'],
  example: {
    input: { projectId: example.projectId },
    output: { ...exampleProject, version: 1, bytes: 15, fileCount: 1 },
  },
});

/** `DELETE /v1/projects/{projectId}`: deletes a project; its owner can restore it. */
export const deleteProject = operation({
  id: 'deleteProject',
  group: 'projects',
  route: 'DELETE /v1/projects/{projectId}',
  summary:
    'Delete a project: it goes offline at once. You can restore it until `restorableUntil` of GET /v1/projects/deleted: by default for 30 days, less if later deletions exceed the storage of your plan. Then its files, versions and statistics are gone. Its address stays reserved for your account for 90 days.',
  auth: 'key',
  input: z.object({ projectId: PathId }),
  output: z.object({ deleted: z.boolean() }),
  errors: ['NOT_FOUND'],
  example: { input: { projectId: example.projectId }, output: { deleted: true } },
});
