import * as z from 'zod';
import {
  Instant,
  leavesSettingsOfDraft,
  PathId,
  pushedFields,
  settingsOfDraftError,
  takePictures,
  uploadFields,
  Warnings,
} from '../fields.ts';
import { example, exampleFile } from '../examples.ts';
import { operation } from '../operation.ts';
import { DeploymentId, replaceProjectFiles, pushErrors } from './versions.ts';

/** The most files that one page of {@link listProjectFiles} has. */
const maxListedFiles = 1000;

const ProjectFile = z.object({
  path: z.string(),
  /** In bytes. */
  size: z.number().int(),
  /** The first 96 bits of its SHA-256, base64url. */
  hash: z.string(),
  contentType: z.string(),
  /** The URL for visitors; null for a file of a version that is not live. */
  url: z.url().nullable(),
});

/** `GET /v1/projects/{projectId}/files`: the files of a version. */
export const listProjectFiles = operation({
  id: 'listProjectFiles',
  group: 'versions',
  route: 'GET /v1/projects/{projectId}/files',
  summary:
    'List the files of the live version, or of another kept `version`, in pages and by path. All pages of a `cursor` are of one version, even if another goes live meanwhile.',
  auth: 'key',
  input: z.object({
    projectId: PathId,
    version: z.coerce.number().int().positive().optional(),
    preview: z
      .string()
      .max(63)
      .optional()
      .describe('The files that this named preview shows, instead of a `version`.'),
    q: z.string().max(200).optional(),
    limit: z.coerce.number().int().min(1).max(maxListedFiles).default(200),
    cursor: z.string().max(40).optional(),
  }),
  output: z.object({
    version: z.number().int(),
    fileCount: z.number().int(),
    bytes: z.number().int(),
    files: z.array(ProjectFile),
    nextCursor: z.string().nullable(),
  }),
  errors: ['NOT_FOUND', 'UPLOAD_INCOMPLETE'],
  example: {
    input: { projectId: example.projectId },
    output: {
      version: 1,
      fileCount: 1,
      bytes: 15,
      files: [
        {
          path: 'index.html',
          size: 15,
          hash: 'MgokAE9kmpi2VTXn',
          contentType: 'text/html; charset=utf-8',
          url: `${example.url}/index.html`,
        },
      ],
      nextCursor: null,
    },
  },
});

/** `POST /v1/projects/{projectId}/file-link`: a link to download one file. */
export const createFileLink = operation({
  id: 'createFileLink',
  group: 'versions',
  route: 'POST /v1/projects/{projectId}/file-link',
  summary:
    'Create a signed link that downloads one file of the live version, or of another kept `version`, as it was uploaded. Without a `path`, it downloads all files as a ZIP of up to 190 MB. It works for ten minutes, for everybody who has it, and not while the project is taken down.',
  auth: 'key',
  permissions: ['projects:read'],
  body: 'json',
  input: z.object({
    projectId: PathId,
    path: z.string().min(1).max(1024).optional(),
    version: z.number().int().positive().optional(),
  }),
  output: z.object({ url: z.url(), expiresAt: Instant }),
  errors: ['NOT_FOUND', 'UPLOAD_INCOMPLETE'],
  example: {
    input: { projectId: example.projectId, path: 'index.html' },
    output: {
      url: 'https://download.sites.example.com/_slipway/own/WyIwYjdlNGMxYSJd.s6l0N1bqZ4QX0m3v/index.html',
      expiresAt: example.later,
    },
  },
});

/** The paths to delete: a JSON list, or in a form one path on each line. */
export const DeletedPaths = z
  .union([z.array(z.string().min(1).max(1024)).max(1000), z.string().max(8192)])
  .default([])
  .transform((paths) =>
    typeof paths === 'string' ? paths.split(/\r?\n/).filter((path) => path !== '') : paths,
  );

/** `PATCH /v1/projects/{projectId}/files`: adds, replaces and deletes single files. */
export const changeProjectFiles = operation({
  id: 'changeProjectFiles',
  group: 'versions',
  route: 'PATCH /v1/projects/{projectId}/files',
  summary:
    'Add, replace and delete single files of the live version; the others stay. This is a new version. Send files under their whole paths, or an `uploadId` of up to 100 MB. Archives are not unpacked. A change that changes nothing creates no version.',
  auth: 'key',
  paid: true,
  body: 'upload',
  input: z
    .object({
      projectId: PathId,
      files: uploadFields.files,
      uploadId: uploadFields.uploadId,
      allowSecrets: uploadFields.allowSecrets,
      delete: DeletedPaths,
      ...pushedFields,
      expectedVersion: z.coerce.number().int().positive().optional(),
      draft: replaceProjectFiles.input.shape.draft,
      includeHidden: uploadFields.includeHidden,
      takePictures,
    })
    .refine(({ files, uploadId }) => files.length === 0 || uploadId === undefined, {
      path: ['uploadId'],
      error: 'goes in place of `files`, not beside them',
    })
    .refine(leavesSettingsOfDraft, settingsOfDraftError),
  output: z.object({
    deploymentId: DeploymentId,
    url: z.url(),
    fileCount: z.number().int(),
    bytes: z.number().int(),
    warnings: Warnings,
  }),
  errors: pushErrors,
  example: {
    input: { projectId: example.projectId, files: [exampleFile], delete: ['old.html'] },
    output: { deploymentId: 'dep_v2', url: example.url, fileCount: 1, bytes: 15 },
  },
});
