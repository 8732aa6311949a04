import * as z from 'zod';
import {
  Access,
  ChosenEnd,
  hasOneEnd,
  oneEndError,
  Instant,
  Notify,
  PathId,
  SettingExpiresIn,
  SettingWarning,
  Slug,
  Title,
  WorkspaceId,
} from '../fields.ts';
import { example } from '../examples.ts';
import { operation } from '../operation.ts';
import { changedPeople } from '../people.ts';
import { SettingChanges } from '../project-settings.ts';

/** `PATCH /v1/projects/{projectId}`: changes the settings of a project. */
export const updateProjectSettings = operation({
  id: 'updateProjectSettings',
  group: 'projects',
  route: 'PATCH /v1/projects/{projectId}',
  summary: 'Change the settings of a project. Fields that are not sent keep their values.',
  auth: 'key',
  paid: true,
  body: 'json',
  invalid: 'VALIDATION_FAILED',
  input: z
    .strictObject({
      projectId: PathId,
      title: Title.optional(),
      slug: Slug.optional(),
      domainId: z.uuid().nullable().optional(),
      status: z.enum(['public', 'private']).optional(),
      access: z.optional(Access),
      password: z.string().min(1).max(255).nullable().optional(),
      ...changedPeople,
      ...SettingChanges.shape,
      notify: Notify.optional(),
      expiresIn: SettingExpiresIn.optional(),
      expiresAt: ChosenEnd.nullable().optional(),
      workspaceId: WorkspaceId.nullable().optional(),
    })
    .refine(({ access, password }) => access !== 'password' || typeof password === 'string', {
      path: ['password'],
      error: 'is required when `access` is `password`',
    })
    .refine(hasOneEnd, oneEndError),
  output: z.object({ updated: z.boolean(), warnings: z.array(SettingWarning).optional() }),
  errors: ['NOT_FOUND', 'DOMAIN_NOT_READY', 'SLUG_TAKEN'],
  example: {
    input: { projectId: example.projectId, title: 'Calmer harbour', noIndex: true },
    output: { updated: true },
  },
});

/** `POST /v1/projects/{projectId}/archive`: hides a project and removes it from the quota. */
export const archiveProject = operation({
  id: 'archiveProject',
  group: 'projects',
  route: 'POST /v1/projects/{projectId}/archive',
  summary:
    'Archive a project: visitors no longer see it and it does not count toward the quota. No data is deleted.',
  auth: 'key',
  paid: true,
  input: z.object({ projectId: PathId }),
  output: z.object({ archived: z.literal(true) }),
  errors: ['NOT_FOUND', 'PROJECT_LIMIT_REACHED', 'UPLOAD_INCOMPLETE'],
  example: {
    input: { projectId: example.projectId },
    output: { archived: true },
  },
});

/** `POST /v1/projects/{projectId}/unarchive`: restores a project, if the quota allows it. */
export const unarchiveProject = operation({
  id: 'unarchiveProject',
  group: 'projects',
  route: 'POST /v1/projects/{projectId}/unarchive',
  summary: 'Restore an archived project at its address, if the quota of the plan allows it.',
  auth: 'key',
  paid: true,
  input: z.object({ projectId: PathId }),
  output: z.object({ archived: z.literal(false) }),
  errors: ['NOT_FOUND', 'PROJECT_LIMIT_REACHED', 'STORAGE_LIMIT_REACHED', 'UPLOAD_INCOMPLETE'],
  example: {
    input: { projectId: example.projectId },
    output: { archived: false },
  },
});

/** `POST /v1/projects/{projectId}/view-link`: a signed owner link. */
export const createViewLink = operation({
  id: 'createViewLink',
  group: 'projects',
  route: 'POST /v1/projects/{projectId}/view-link',
  summary:
    'Create a signed owner link. It opens the project whatever its `access`, and its views count as the owner’s. The link works once, within ten minutes. The browser that opens it keeps access for a day. It loses access earlier if `access` or the password changes, or if the key that created the link is deleted.',
  auth: 'key',
  input: z.object({ projectId: PathId }),
  output: z.object({ url: z.url(), expiresAt: Instant }),
  errors: ['NOT_FOUND', 'UPLOAD_INCOMPLETE'],
  example: {
    input: { projectId: example.projectId },
    output: { url: `${example.url}/_slipway/owner/signed`, expiresAt: example.later },
  },
});
