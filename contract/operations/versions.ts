import * as z from 'zod';
import { Instant, isOneUpload, oneUpload, PathId, uploadFields, Warnings } from '../fields.ts';
import { example, exampleFile } from '../examples.ts';
import { operation } from '../operation.ts';

const DeploymentId = z.string().regex(/^dep_v[1-9]\d*$/);

/** A version number in a path as it was sent: one that is no number names nothing. */
const PathVersion = z.string().meta({ format: 'integer' });

/** A version of a project's content (docs/contract.md, "Versions"). */
const Deployment = z.object({
  deploymentId: DeploymentId,
  version: z.number().int(),
  status: z.enum(['active', 'ready']),
  sizeBytes: z.number().int().nullable(),
  createdAt: Instant,
  warnings: Warnings,
});

/** `PUT /v1/projects/{projectId}`: new files in place of the live ones. */
export const replaceFiles = operation({
  id: 'replaceProjectFiles',
  group: 'versions',
  method: 'PUT',
  path: '/v1/projects/{projectId}',
  summary:
    'Push a new version: it replaces the live files in one step; earlier ones are kept. A large `uploadId` goes live when a worker has stored it: ask GET /v1/uploads/{uploadId}.',
  auth: 'key',
  paid: true,
  body: 'upload',
  input: z
    .object({
      projectId: PathId,
      ...uploadFields,
      expectedVersion: z.coerce.number().int().positive().optional(),
    })
    .refine(isOneUpload, oneUpload),
  output: z.object({ deploymentId: DeploymentId, url: z.url(), warnings: Warnings }),
  envelope: 'data',
  status: 200,
  errors: [
    'ZIP_MULTIPLE_HTML',
    'ARCHIVE_INVALID',
    'FILE_TYPE_REFUSED',
    'TOO_MANY_FILES',
    'PAYLOAD_TOO_LARGE',
    'STORAGE_LIMIT_REACHED',
    'NOT_FOUND',
    'VERSION_CONFLICT',
    'UPLOAD_INCOMPLETE',
    'UPLOAD_FAILED',
  ],
  example: {
    input: { projectId: example.projectId, files: [exampleFile] },
    output: { deploymentId: 'dep_v2', url: example.url },
  },
});

/** `GET /v1/projects/{projectId}/status`: the deployment history. */
export const listDeployments = operation({
  id: 'listDeployments',
  group: 'versions',
  method: 'GET',
  path: '/v1/projects/{projectId}/status',
  summary: 'Every kept version of a project, newest first; the live one is `active`.',
  auth: 'key',
  paid: true,
  body: 'none',
  input: z.object({ projectId: PathId }),
  output: z.array(Deployment),
  envelope: 'data',
  status: 200,
  errors: ['NOT_FOUND'],
  example: {
    input: { projectId: example.projectId },
    output: [
      {
        deploymentId: 'dep_v2',
        version: 2,
        status: 'active',
        sizeBytes: 15,
        createdAt: example.at,
      },
    ],
  },
});

/** `POST /v1/projects/{projectId}/rollback`: an earlier version becomes the live one. */
export const rollBack = operation({
  id: 'rollBackProject',
  group: 'versions',
  method: 'POST',
  path: '/v1/projects/{projectId}/rollback',
  summary: 'Make a kept version the live one again, at once.',
  auth: 'key',
  paid: true,
  body: 'json',
  input: z.object({ projectId: PathId, version: z.number().int().positive() }),
  output: z.object({ deploymentId: DeploymentId, url: z.url() }),
  envelope: 'data',
  status: 200,
  errors: ['NOT_FOUND', 'STORAGE_LIMIT_REACHED', 'UPLOAD_INCOMPLETE'],
  example: {
    input: { projectId: example.projectId, version: 1 },
    output: { deploymentId: 'dep_v1', url: example.url },
  },
});

/** `POST /v1/projects/{projectId}/versions/{version}/preview`: a link that shows one version. */
export const previewVersion = operation({
  id: 'previewVersion',
  group: 'versions',
  method: 'POST',
  path: '/v1/projects/{projectId}/versions/{version}/preview',
  summary: 'A signed link that shows one kept version for an hour; who may view is unchanged.',
  auth: 'key',
  paid: true,
  body: 'none',
  input: z.object({ projectId: PathId, version: PathVersion }),
  output: z.object({ url: z.url(), expiresAt: Instant }),
  envelope: 'data',
  status: 200,
  errors: ['NOT_FOUND', 'UPLOAD_INCOMPLETE'],
  example: {
    input: { projectId: example.projectId, version: '1' },
    output: { url: `${example.url}/_slipway/preview/signed`, expiresAt: example.later },
  },
});

/** `GET /v1/projects/{projectId}/versions/{version}/diff`: what a version changed. */
export const diffVersion = operation({
  id: 'diffVersion',
  group: 'versions',
  method: 'GET',
  path: '/v1/projects/{projectId}/versions/{version}/diff',
  summary: 'What differs in a kept version from the live one, or the live one from the one before.',
  auth: 'key',
  paid: true,
  body: 'none',
  input: z.object({ projectId: PathId, version: PathVersion }),
  output: z.object({
    against: z.number().int().nullable(),
    added: z.array(z.string()),
    changed: z.array(z.string()),
    removed: z.array(z.string()),
    sizeDelta: z.number().int(),
  }),
  envelope: 'data',
  status: 200,
  errors: ['NOT_FOUND'],
  example: {
    input: { projectId: example.projectId, version: '1' },
    output: { against: 2, added: [], changed: ['index.html'], removed: [], sizeDelta: -4 },
  },
});
