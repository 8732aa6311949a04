import * as z from 'zod';
import { ErrorBody } from '../errors.ts';
import { Instant, PathId, ProjectId } from '../fields.ts';
import { example } from '../examples.ts';
import { operation } from '../operation.ts';

/** One URL list has to fit into an answer of a function: 6 MB (AWS Lambda quota). */
export const maxUploadParts = 2000;

/** As many paths of the greatest length, and their sizes. */
export const maxAnnouncementBytes = 3 * 1024 ** 2;

/** What S3 takes in one PUT: 5 GiB. */
const maxPartBytes = 5 * 1024 ** 3;

const Size = z.number().int().min(0).max(maxPartBytes);

const Part = z.object({
  path: z.string(),
  method: z.literal('PUT'),
  url: z.url(),
});

/** What is to be uploaded. */
export const announcementFields = {
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
};

/** Whether an upload is announced in one of the two ways. */
export function isOneAnnouncement({ files, archive }: { files?: unknown; archive?: unknown }) {
  return (files === undefined) !== (archive === undefined);
}

/** What to say where {@link isOneAnnouncement} does not hold. */
export const oneAnnouncement = { path: ['files'], error: 'send either `files` or `archive`' };

/** `POST /v1/uploads`: addresses to which large files are sent, straight into storage. */
export const beginUpload = operation({
  id: 'beginUpload',
  group: 'uploads',
  method: 'POST',
  path: '/v1/uploads',
  summary:
    'Get signed URLs for a large upload: PUT each file there, then create or replace with `uploadId`. A URL takes exactly the announced bytes, for an hour or until the upload is used. All uploads that wait hold at most the plan’s storage at once.',
  auth: 'optional',
  paid: false,
  body: 'json',
  maxJsonBytes: maxAnnouncementBytes,
  input: z.strictObject(announcementFields).refine(isOneAnnouncement, oneAnnouncement),
  output: z.object({ uploadId: z.uuid(), expiresAt: Instant, parts: z.array(Part) }),
  envelope: 'data',
  status: 201,
  errors: [
    'FILE_TYPE_REFUSED',
    'TOO_MANY_FILES',
    'PAYLOAD_TOO_LARGE',
    'STORAGE_LIMIT_REACHED',
    'RATE_LIMITED',
  ],
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

/** `GET /v1/uploads/{uploadId}`: how far an upload is. */
export const getUpload = operation({
  id: 'getUpload',
  group: 'uploads',
  method: 'GET',
  path: '/v1/uploads/{uploadId}',
  summary:
    'How far an upload is: `waiting` for its bytes, `publishing`, `published`, or `failed` and why.',
  auth: 'optional',
  paid: false,
  body: 'none',
  input: z.object({ uploadId: PathId }),
  output: z.object({
    uploadId: z.uuid(),
    status: z.enum(['waiting', 'publishing', 'published', 'failed']),
    expiresAt: Instant,
    files: Progress,
    bytes: Progress,
    projectId: ProjectId.nullable(),
    failure: ErrorBody.nullable(),
  }),
  envelope: 'data',
  status: 200,
  errors: ['NOT_FOUND', 'RATE_LIMITED'],
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
