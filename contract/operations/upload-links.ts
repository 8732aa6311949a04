import * as z from 'zod';
import { example, exampleFile } from '../examples.ts';
import {
  Instant,
  isOneUpload,
  oneUpload,
  PathId,
  ProjectId,
  ProjectType,
  Slug,
  uploadFields,
} from '../fields.ts';
import { operation } from '../operation.ts';
import {
  announcementFields,
  beginUpload,
  getUpload,
  isOneAnnouncement,
  maxAnnouncementBytes,
  oneAnnouncement,
} from './uploads.ts';

/**
 * The files that one request surely takes: as base64 they are 6 MB, and the form and the event
 * around them have to fit under 6 MiB as well (AWS Lambda quota).
 */
export const inlineUploadBytes = 4_500_000;

/** API Gateway has one name for a part of a path, whatever the method: a token here, an id there. */
const PathToken = z.string().meta({ description: 'The token of the link.' });
const PathLinkId = PathId.meta({
  format: 'uuid',
  description: 'The `id` of the link in the list.',
});

const link = `https://app.example.com/v1/upload-links/${example.uploadToken}`;

/** `POST /v1/upload-links`: lets somebody without a key publish once in the caller's name. */
export const createUploadLink = operation({
  id: 'createUploadLink',
  group: 'upload-links',
  method: 'POST',
  path: '/v1/upload-links',
  summary:
    'Make a link for one upload that publishes in your name: a page for a person and a PUT for curl. With `projectId` (paid plans) it becomes a new version of that project, else a new project. The link works once, for 24 hours.',
  auth: 'key',
  paid: false,
  body: 'json',
  input: z.strictObject({
    title: z.string().trim().min(1).max(255).optional(),
    projectId: z.uuid().optional(),
  }),
  output: z.object({
    uploadUrl: z.url(),
    pageUrl: z.url(),
    expiresAt: Instant,
    maxBytes: z.number().int(),
    curl: z.string(),
  }),
  envelope: 'data',
  status: 201,
  errors: ['FREE_TIER_RESTRICTED', 'NOT_FOUND'],
  example: {
    input: { title: 'Harbour survey' },
    output: {
      uploadUrl: link,
      pageUrl: `https://app.example.com/upload/${example.uploadToken}`,
      expiresAt: example.later,
      maxBytes: inlineUploadBytes,
      curl: `curl -X PUT -F files=@FILE '${link}'`,
    },
  },
});

/** `GET /v1/upload-links`: the account's links that work, newest first. */
export const listUploadLinks = operation({
  id: 'listUploadLinks',
  group: 'upload-links',
  method: 'GET',
  path: '/v1/upload-links',
  summary:
    'Your upload links that work, newest first, without their tokens: at most 100. A link ends with the key or the connected app that made it.',
  auth: 'key',
  paid: false,
  body: 'none',
  input: z.object({}),
  output: z.object({
    uploadLinks: z.array(
      z.object({
        id: z.uuid(),
        title: z.string().nullable(),
        /** The project that gets a new version; null where a new one is made. */
        projectId: ProjectId.nullable(),
        createdAt: Instant,
        expiresAt: Instant,
        /** The name of the key, or of the app as it calls itself. */
        madeBy: z.object({ kind: z.enum(['key', 'app']), name: z.string() }),
      }),
    ),
  }),
  envelope: 'data',
  status: 200,
  errors: [],
  example: {
    input: {},
    output: {
      uploadLinks: [
        {
          id: example.uploadLinkId,
          title: 'Harbour survey',
          projectId: null,
          createdAt: example.at,
          expiresAt: example.later,
          madeBy: { kind: 'key', name: 'Laptop' },
        },
      ],
    },
  },
});

/** `DELETE /v1/upload-links/{link}`: takes a link away; the next request with its token is refused. */
export const deleteUploadLink = operation({
  id: 'deleteUploadLink',
  group: 'upload-links',
  method: 'DELETE',
  path: '/v1/upload-links/{link}',
  summary:
    'Take an upload link away by its `id`; its token is refused from the next request on, also where an upload has begun.',
  auth: 'key',
  paid: false,
  body: 'none',
  input: z.object({ link: PathLinkId }),
  output: z.object({ deleted: z.boolean() }),
  envelope: 'data',
  status: 200,
  errors: ['NOT_FOUND'],
  example: { input: { link: example.uploadLinkId }, output: { deleted: true } },
});

/** `PUT /v1/upload-links/{link}`: the upload, which publishes. */
export const publishByLink = operation({
  id: 'publishByLink',
  group: 'upload-links',
  method: 'PUT',
  path: '/v1/upload-links/{link}',
  summary:
    "Publish files or a ZIP with an upload link, once; it needs no key. A refused upload leaves the link as it was. Over the link's `maxBytes`, begin with POST /v1/upload-links/{link}/uploads.",
  auth: 'none',
  paid: false,
  body: 'upload',
  input: z.object({ link: PathToken, ...uploadFields }).refine(isOneUpload, oneUpload),
  output: z.object({
    projectId: ProjectId,
    url: z.url(),
    title: z.string(),
    type: ProjectType,
    slug: Slug,
    deploymentId: z.string().nullable(),
    expiresAt: Instant.nullable(),
  }),
  envelope: 'data',
  status: 200,
  errors: [
    'ZIP_MULTIPLE_HTML',
    'ARCHIVE_INVALID',
    'FILE_TYPE_REFUSED',
    'FREE_TIER_RESTRICTED',
    'PROJECT_LIMIT_REACHED',
    'STORAGE_LIMIT_REACHED',
    'UPLOAD_LINK_NOT_FOUND',
    'NOT_FOUND',
    'SLUG_TAKEN',
    'UPLOAD_INCOMPLETE',
    'UPLOAD_FAILED',
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

/** `POST /v1/upload-links/{link}/uploads`: what is too large for one request, straight into storage. */
export const beginLinkUpload = operation({
  id: 'beginLinkUpload',
  group: 'upload-links',
  method: 'POST',
  path: '/v1/upload-links/{link}/uploads',
  summary:
    'Get signed URLs for a large upload with an upload link: PUT each file there, then PUT the link with `uploadId`.',
  auth: 'none',
  paid: false,
  body: 'json',
  maxJsonBytes: maxAnnouncementBytes,
  input: z
    .strictObject({ link: PathToken, ...announcementFields })
    .refine(isOneAnnouncement, oneAnnouncement),
  output: beginUpload.output,
  envelope: 'data',
  status: 201,
  errors: [
    'FILE_TYPE_REFUSED',
    'TOO_MANY_FILES',
    'STORAGE_LIMIT_REACHED',
    'FREE_TIER_RESTRICTED',
    'UPLOAD_LINK_NOT_FOUND',
  ],
  example: {
    input: { link: example.uploadToken, ...beginUpload.example.input },
    output: beginUpload.example.output,
  },
});

/** `GET /v1/upload-links/{link}/uploads/{uploadId}`: how far such an upload is. */
export const getLinkUpload = operation({
  id: 'getLinkUpload',
  group: 'upload-links',
  method: 'GET',
  path: '/v1/upload-links/{link}/uploads/{uploadId}',
  summary: 'How far a large upload with an upload link is, also after it has used the link up.',
  auth: 'none',
  paid: false,
  body: 'none',
  input: z.object({ link: PathToken, ...getUpload.input.shape }),
  output: getUpload.output,
  envelope: 'data',
  status: 200,
  errors: ['UPLOAD_LINK_NOT_FOUND', 'NOT_FOUND'],
  example: {
    input: { link: example.uploadToken, ...getUpload.example.input },
    output: getUpload.example.output,
  },
});
