import * as z from 'zod';
import { example, exampleFile } from '../examples.ts';
import {
  Instant,
  hasOneUploadSource,
  uploadSourceError,
  ProjectId,
  ProjectWarnings,
  ProjectType,
  QueuedUploadId,
  Slug,
  uploadFields,
} from '../fields.ts';
import { Receipt, senderFields } from '../file-request.ts';
import { operation } from '../operation.ts';
import {
  uploadRequestFields,
  beginUpload,
  getUpload,
  hasFilesOrArchive,
  maxUploadRequestBytes,
  filesOrArchiveError,
  filesOrArchiveSchema,
} from './uploads.ts';

const PathToken = z.string().meta({ description: 'The token of the link.' });

const PublishedByLink = z.object({
  projectId: ProjectId,
  url: z.url(),
  title: z.string(),
  type: ProjectType,
  slug: Slug,
  deploymentId: z.string().nullable(),
  expiresAt: z.nullable(Instant),
  uploadId: QueuedUploadId,
  warnings: ProjectWarnings,
});

/** `PUT /v1/upload-links/{link}`: uploads and publishes with a link. */
export const publishByLink = operation({
  id: 'publishByLink',
  group: 'upload-links',
  route: 'PUT /v1/upload-links/{link}',
  summary:
    "Publish files or a ZIP with an upload link. No key is needed. Send a form, or one file as the plain body (`curl -T FILE LINK/`). Its name is the last part of the URL, `X-Filename` or `Content-Disposition`, or is chosen by its content. The link works once; a refused upload does not use it up. A file request answers with a `receipt` in place of the project. For more than the link's `maxBytes`, start with POST /v1/upload-links/{link}/uploads.",
  auth: 'none',
  body: 'upload',
  takesPlainFile: true,
  input: z
    .object({ link: PathToken, ...uploadFields, ...senderFields })
    .refine(hasOneUploadSource, uploadSourceError),
  output: z.union([PublishedByLink, z.object({ receipt: Receipt })]),
  errors: [
    'ZIP_MULTIPLE_HTML',
    'ARCHIVE_INVALID',
    'FREE_TIER_RESTRICTED',
    'PROJECT_LIMIT_REACHED',
    'STORAGE_LIMIT_REACHED',
    'UPLOAD_LINK_NOT_FOUND',
    'NOT_FOUND',
    'DOMAIN_NOT_READY',
    'SLUG_TAKEN',
  ],
  example: {
    input: { link: example.uploadToken, files: [exampleFile] },
    output: {
      projectId: example.projectId,
      url: example.url,
      title: 'Harbour survey',
      type: 'html',
      slug: example.slug,
      deploymentId: null,
      expiresAt: null,
    },
  },
});

/** `POST /v1/upload-links/{link}/uploads`: starts a large upload with a link. */
export const beginLinkUpload = operation({
  id: 'beginLinkUpload',
  group: 'upload-links',
  route: 'POST /v1/upload-links/{link}/uploads',
  summary:
    'Get signed URLs for a large upload with an upload link. PUT each file to its URL, then PUT the link with `uploadId`.',
  auth: 'none',
  body: 'json',
  maxJsonBytes: maxUploadRequestBytes,
  input: z
    .strictObject({ link: PathToken, ...uploadRequestFields })
    .refine(hasFilesOrArchive, filesOrArchiveError)
    .meta(filesOrArchiveSchema),
  output: beginUpload.output,
  status: 201,
  errors: [
    'FILE_TYPE_REFUSED',
    'TOO_MANY_FILES',
    'PROJECT_LIMIT_REACHED',
    'STORAGE_LIMIT_REACHED',
    'FREE_TIER_RESTRICTED',
    'UPLOAD_LINK_NOT_FOUND',
  ],
  example: {
    input: { link: example.uploadToken, ...beginUpload.example.input },
    output: beginUpload.example.output,
  },
});

/** `GET /v1/upload-links/{link}/uploads/{uploadId}`: progress of an upload with a link. */
export const getLinkUpload = operation({
  id: 'getLinkUpload',
  group: 'upload-links',
  route: 'GET /v1/upload-links/{link}/uploads/{uploadId}',
  summary: 'Progress of a large upload with an upload link, including after the link is used up.',
  auth: 'none',
  input: z.object({ link: PathToken, ...getUpload.input.shape }),
  output: getUpload.output,
  errors: ['UPLOAD_LINK_NOT_FOUND', 'NOT_FOUND'],
  example: {
    input: { link: example.uploadToken, ...getUpload.example.input },
    output: getUpload.example.output,
  },
});
