import * as z from 'zod';
import { ErrorBody } from '../errors.ts';
import { Instant, PathId, ProjectId, Warnings } from '../fields.ts';
import { example } from '../examples.ts';
import { operation } from '../operation.ts';

/** The list of URLs must fit into one response of a function: 6 MB (AWS Lambda quota). */
export const maxUploadParts = 2000;

/** Enough for `maxUploadParts` paths of the maximum length. */
export const maxUploadRequestBytes = 3 * 1024 ** 2;

/** Maximum size of one PUT to S3: 5 GiB. */
const maxPartBytes = 5 * 1024 ** 3;

const Size = z.number().int().min(0).max(maxPartBytes);

/** With `inParts`, larger files are sent in parts of this size. S3 takes 5 MiB or more, in at most 10,000 of a file. */
export const uploadPartBytes = 8 * 1024 ** 2;

const Part = z.object({
  path: z.string(),
  method: z.literal('PUT'),
  url: z.url(),
  offset: z.number().int().optional().describe('Only for a part of a file: its first byte'),
  size: z.number().int().optional().describe('Only for a part of a file: its bytes'),
});

/** The files, or the archive, that the caller is going to upload. */
export const uploadRequestFields = {
  files: z
    .array(
      z.strictObject({
        path: z.string().min(1).max(1024),
        size: Size,
        contentType: z.string().max(255).optional(),
      }),
    )
    .min(1)
    .optional(),
  archive: z.strictObject({ size: Size.min(1) }).optional(),
  inParts: z
    .boolean()
    .optional()
    .describe(
      'Gives a file of more than 8 MiB a URL for each part of 8 MiB, so that an interrupted upload goes on with the parts that are missing. Example: true',
    ),
};

/** Whether a request has either `files` or `archive`, not both. */
export function hasFilesOrArchive({ files, archive }: { files?: unknown; archive?: unknown }) {
  return (files === undefined) !== (archive === undefined);
}

/** {@link hasFilesOrArchive} as JSON Schema. */
export const filesOrArchiveSchema = {
  oneOf: [{ required: ['files'] }, { required: ['archive'] }],
};

/** The error if {@link hasFilesOrArchive} is false. */
export const filesOrArchiveError = { path: ['files'], error: 'Send either `files` or `archive`.' };

/** `POST /v1/uploads`: signed URLs to which the caller sends large files. */
export const beginUpload = operation({
  id: 'beginUpload',
  group: 'uploads',
  route: 'POST /v1/uploads',
  summary:
    'Get signed URLs for a large upload. PUT each file to its URL, then create or replace with `uploadId`. A URL accepts exactly the announced number of bytes, and may be used again. With `inParts`, a large file has several URLs, each for its `size` bytes from `offset` on. It works for one hour, or until the upload is used. All uploads that are not used yet may together hold as many bytes as the plan’s storage.',
  auth: 'optional',
  limitedKeys: true,
  body: 'json',
  maxJsonBytes: maxUploadRequestBytes,
  input: z
    .strictObject(uploadRequestFields)
    .refine(hasFilesOrArchive, filesOrArchiveError)
    .meta(filesOrArchiveSchema),
  output: z.object({ uploadId: z.uuid(), expiresAt: Instant, parts: z.array(Part) }),
  status: 201,
  errors: ['FILE_TYPE_REFUSED', 'TOO_MANY_FILES', 'STORAGE_LIMIT_REACHED'],
  example: {
    input: { files: [{ path: 'index.html', size: 5_242_880 }] },
    output: {
      uploadId: example.uploadId,
      expiresAt: example.later,
      parts: [{ path: 'index.html', method: 'PUT', url: `${example.url}/signed` }],
    },
  },
});

const Progress = z.object({ done: z.number().int(), total: z.number().int() });

/** `GET /v1/uploads/{uploadId}`: progress of an upload. */
export const getUpload = operation({
  id: 'getUpload',
  group: 'uploads',
  route: 'GET /v1/uploads/{uploadId}',
  summary:
    'Progress of an upload: `waiting` for its bytes, `publishing`, `published`, or `failed` with the reason in `failure`.',
  auth: 'optional',
  permissions: ['projects:write'],
  limitedKeys: true,
  input: z.object({ uploadId: PathId }),
  output: z.object({
    uploadId: z.uuid(),
    status: z.enum(['waiting', 'publishing', 'published', 'failed']),
    expiresAt: Instant,
    files: Progress,
    bytes: Progress,
    projectId: z.nullable(ProjectId),
    failure: ErrorBody.nullable(),
    /** Warnings about the names of its files, once it is published. */
    warnings: Warnings,
  }),
  errors: ['NOT_FOUND'],
  example: {
    input: { uploadId: example.uploadId },
    output: {
      uploadId: example.uploadId,
      status: 'publishing',
      expiresAt: example.later,
      files: { done: 120, total: 500 },
      bytes: { done: 31_457_280, total: 104_857_600 },
      projectId: null,
      failure: null,
    },
  },
});
