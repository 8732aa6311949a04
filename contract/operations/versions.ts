import * as z from 'zod';
import {
  FormBoolean,
  Instant,
  hasOneUploadSource,
  leavesSettingsOfDraft,
  uploadSourceError,
  PathId,
  pushedFields,
  QueuedUploadId,
  settingsOfDraftError,
  takePictures,
  uploadFields,
  Warnings,
  PublishedBy,
} from '../fields.ts';
import { example, exampleFile } from '../examples.ts';
import { operation } from '../operation.ts';

/** The id of a version in the REST API. */
export const DeploymentId = z.string().regex(/^dep_v[1-9]\d*$/);

/** A version number in a path, unchecked: a text that is not a number does not exist (404). */
const PathVersion = z.string().meta({ format: 'integer' });

/** A version of a project's content (docs/contract.md, "Versions"). */
const Deployment = z.object({
  deploymentId: DeploymentId,
  version: z.number().int(),
  status: z.enum(['active', 'ready']),
  sizeBytes: z.number().int().nullable(),
  createdAt: Instant,
  /** The key, browser, app or link that published it, with the name that it had then. */
  publishedBy: PublishedBy,
  /** What its publisher said about it; absent if nothing. */
  note: z.string().optional(),
  warnings: Warnings,
});

/** Errors of all operations that make a new version. */
export const pushErrors = ['STORAGE_LIMIT_REACHED', 'NOT_FOUND', 'VERSION_CONFLICT'] as const;

/** `PUT /v1/projects/{projectId}`: publishes a new version. */
export const replaceProjectFiles = operation({
  id: 'replaceProjectFiles',
  group: 'versions',
  route: 'PUT /v1/projects/{projectId}',
  summary:
    'Publish a new version. It replaces the live files in one step; earlier versions are kept. With `draft`, the live version stays. Identical content is a new version too. A large `uploadId`, and a ZIP that unpacks to more than 16 MiB or 2,000 files, goes live when it is stored. GET /v1/uploads/{uploadId} shows the progress.',
  auth: 'key',
  paid: true,
  body: 'upload',
  input: z
    .object({
      projectId: PathId,
      ...uploadFields,
      ...pushedFields,
      takePictures,
      expectedVersion: z.coerce.number().int().positive().optional(),
      draft: FormBoolean.optional().describe(
        'Keeps the new version as a draft: it can be previewed and compared, and a rollback to it makes it live.',
      ),
    })
    .refine(hasOneUploadSource, uploadSourceError)
    .refine(leavesSettingsOfDraft, settingsOfDraftError),
  output: z.object({
    deploymentId: DeploymentId,
    url: z.url(),
    uploadId: QueuedUploadId,
    warnings: Warnings,
  }),
  errors: ['ZIP_MULTIPLE_HTML', 'ARCHIVE_INVALID', ...pushErrors],
  example: {
    input: { projectId: example.projectId, files: [exampleFile] },
    output: { deploymentId: 'dep_v2', url: example.url },
  },
});

/** `GET /v1/projects/{projectId}/status`: the deployment history. */
export const listDeployments = operation({
  id: 'listDeployments',
  group: 'versions',
  route: 'GET /v1/projects/{projectId}/status',
  summary: 'List the kept versions of a project, newest first. The live version is `active`.',
  auth: 'key',
  paid: true,
  input: z.object({ projectId: PathId }),
  output: z.array(Deployment),
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
        publishedBy: { kind: 'key', id: example.keyId, name: 'CI' },
      },
    ],
  },
});

/** `POST /v1/projects/{projectId}/rollback`: makes an earlier version live. */
export const rollBackProject = operation({
  id: 'rollBackProject',
  group: 'versions',
  route: 'POST /v1/projects/{projectId}/rollback',
  summary: 'Make an earlier version or a draft live, immediately.',
  auth: 'key',
  paid: true,
  body: 'json',
  input: z.object({
    projectId: PathId,
    version: z.number().int().positive(),
    expectedVersion: z
      .number()
      .int()
      .positive()
      .optional()
      .describe('Changes nothing if another version is live by now.'),
  }),
  output: z.object({ deploymentId: DeploymentId, url: z.url() }),
  errors: ['NOT_FOUND', 'VERSION_CONFLICT', 'STORAGE_LIMIT_REACHED', 'UPLOAD_INCOMPLETE'],
  example: {
    input: { projectId: example.projectId, version: 1 },
    output: { deploymentId: 'dep_v1', url: example.url },
  },
});

/** How long a preview link works. */
export const PreviewLinkLife = z.enum(['1h', '7d', 'next-version']);
export type PreviewLinkLife = z.infer<typeof PreviewLinkLife>;

/** `POST /v1/projects/{projectId}/versions/{version}/preview`: a link that shows one version. */
export const previewVersion = operation({
  id: 'previewVersion',
  group: 'versions',
  route: 'POST /v1/projects/{projectId}/versions/{version}/preview',
  summary:
    'Create a signed link that shows one kept version: for an hour (`1h`), a week (`7d`), or until another version is live (`next-version`, 30 days at most). The `access` of the project still applies.',
  auth: 'key',
  paid: true,
  input: z.object({
    projectId: PathId,
    version: PathVersion,
    expiresIn: PreviewLinkLife.optional().describe('`1h` without it'),
  }),
  output: z.object({
    url: z.url(),
    versionHostUrl: z
      .url()
      .nullable()
      .describe(
        'The same version at a host of its own (`<slug>--v3`), with storage and service workers of its own, beside other versions. Null where the slug is too long.',
      ),
    expiresAt: Instant,
  }),
  errors: ['NOT_FOUND', 'UPLOAD_INCOMPLETE'],
  example: {
    input: { projectId: example.projectId, version: '1' },
    output: {
      url: `${example.url}/_slipway/preview/signed`,
      versionHostUrl: `${example.url.replace('.', '--v1.')}/_slipway/preview/signed`,
      expiresAt: example.later,
    },
  },
});

/** `GET /v1/projects/{projectId}/versions/{version}/diff`: compares versions. */
export const diffVersion = operation({
  id: 'diffVersion',
  group: 'versions',
  route: 'GET /v1/projects/{projectId}/versions/{version}/diff',
  summary:
    'Compare a kept version with the live one, the live version with the one before it, or any two with `against`.',
  auth: 'key',
  paid: true,
  input: z.object({
    projectId: PathId,
    version: PathVersion,
    against: z.coerce.number().int().positive().optional().describe('Another kept version.'),
  }),
  output: z.object({
    against: z.number().int().nullable(),
    added: z.array(z.string()),
    changed: z.array(z.string()),
    removed: z.array(z.string()),
    sizeDelta: z.number().int(),
    retained: z
      .object({
        paths: z.array(z.string()),
        bytes: z.number().int(),
        until: z.nullable(Instant),
      })
      .describe(
        'Assets of earlier versions that visitors still reach, so that pages which were open during a push work on. Their names contain a hash.',
      ),
  }),
  errors: ['NOT_FOUND'],
  example: {
    input: { projectId: example.projectId, version: '1' },
    output: {
      against: 2,
      added: [],
      changed: ['index.html'],
      removed: [],
      sizeDelta: -4,
      retained: { paths: [], bytes: 0, until: null },
    },
  },
});
