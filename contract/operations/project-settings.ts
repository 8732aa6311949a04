import * as z from 'zod';
import {
  Access,
  Instant,
  PathId,
  SettingExpiresIn,
  SettingWarning,
  Slug,
  WorkspaceId,
} from '../fields.ts';
import { example } from '../examples.ts';
import { operation } from '../operation.ts';
import { ProjectSettings } from '../project-settings.ts';

/** `PATCH /v1/projects/{projectId}`: change what a project is called, who sees it and how. */
export const updateProject = operation({
  id: 'updateProjectSettings',
  group: 'projects',
  method: 'PATCH',
  path: '/v1/projects/{projectId}',
  summary: 'Change settings of a project; only the fields that are sent change.',
  auth: 'key',
  paid: true,
  body: 'json',
  invalid: 'VALIDATION_FAILED',
  input: z
    .strictObject({
      projectId: PathId,
      title: z.string().trim().min(1).max(255).optional(),
      slug: Slug.optional(),
      domainId: z.uuid().nullable().optional(),
      status: z.enum(['public', 'private']).optional(),
      access: Access.optional(),
      password: z.string().min(1).max(255).nullable().optional(),
      ...ProjectSettings.partial().shape,
      expiresIn: SettingExpiresIn.optional(),
      workspaceId: WorkspaceId.nullable().optional(),
    })
    .refine(({ access, password }) => access !== 'password' || typeof password === 'string', {
      path: ['password'],
      error: 'is required when `access` is `password`',
    }),
  output: z.object({ updated: z.boolean(), warnings: z.array(SettingWarning).optional() }),
  envelope: 'data',
  status: 200,
  errors: ['NOT_FOUND', 'SLUG_TAKEN', 'UPLOAD_INCOMPLETE'],
  example: {
    input: { projectId: example.projectId, title: 'Calmer harbour', noIndex: true },
    output: { updated: true },
  },
});

/** `POST /v1/projects/{projectId}/archive`: out of sight, out of the quota. */
export const archiveProject = operation({
  id: 'archiveProject',
  group: 'projects',
  method: 'POST',
  path: '/v1/projects/{projectId}/archive',
  summary: 'Take a project out of sight and out of the quota; nothing of it is lost.',
  auth: 'key',
  paid: true,
  body: 'none',
  input: z.object({ projectId: PathId }),
  output: z.object({ archived: z.literal(true) }),
  envelope: 'data',
  status: 200,
  errors: ['NOT_FOUND', 'UPLOAD_INCOMPLETE'],
  example: {
    input: { projectId: example.projectId },
    output: { archived: true },
  },
});

/** `POST /v1/projects/{projectId}/unarchive`: back, if the plan has room. */
export const unarchiveProject = operation({
  id: 'unarchiveProject',
  group: 'projects',
  method: 'POST',
  path: '/v1/projects/{projectId}/unarchive',
  summary: 'Bring an archived project back at its address, if the plan has room.',
  auth: 'key',
  paid: true,
  body: 'none',
  input: z.object({ projectId: PathId }),
  output: z.object({ archived: z.literal(false) }),
  envelope: 'data',
  status: 200,
  errors: ['NOT_FOUND', 'PROJECT_LIMIT_REACHED', 'STORAGE_LIMIT_REACHED', 'UPLOAD_INCOMPLETE'],
  example: {
    input: { projectId: example.projectId },
    output: { archived: false },
  },
});

/** `POST /v1/projects/{projectId}/view-link`: the owner's way in. */
export const viewLink = operation({
  id: 'createViewLink',
  group: 'projects',
  method: 'POST',
  path: '/v1/projects/{projectId}/view-link',
  summary:
    'A signed link for the owner: it opens the project whatever its access, and views with it count as the owner’s. It works once, within ten minutes. The browser that opens it then stays in for a day, or until access or password change or the key that made the link is deleted.',
  auth: 'key',
  paid: false,
  body: 'none',
  input: z.object({ projectId: PathId }),
  output: z.object({ url: z.url(), expiresAt: Instant }),
  envelope: 'data',
  status: 200,
  errors: ['NOT_FOUND', 'UPLOAD_INCOMPLETE'],
  example: {
    input: { projectId: example.projectId },
    output: { url: `${example.url}/_slipway/owner/signed`, expiresAt: example.later },
  },
});
