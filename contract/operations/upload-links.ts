import * as z from 'zod';
import { example, exampleFile } from '../examples.ts';
import {
  DomainId,
  Instant,
  hasOneUploadSource,
  uploadSourceError,
  PathId,
  ProjectId,
  ProjectWarnings,
  ProjectType,
  QueuedUploadId,
  Slug,
  Title,
  uploadFields,
} from '../fields.ts';
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

/**
 * Size of files that always fits into one request: as base64 they are 6 MB, and the form and the event
 * around them must also stay below 6 MiB (AWS Lambda quota).
 */
export const inlineUploadBytes = 4_500_000;

/** API Gateway allows one parameter name per path segment, so `link` is a token in some operations and an id in others. */
const PathToken = z.string().meta({ description: 'The token of the link.' });
const PathLinkId = PathId.meta({
  format: 'uuid',
  description: 'The `id` of the link, as the list returns it.',
});

const link = `https://app.example.com/v1/upload-links/${example.uploadToken}`;

/** `POST /v1/upload-links`: creates a link with which somebody without a key publishes once for the caller. */
export const createUploadLink = operation({
  id: 'createUploadLink',
  group: 'upload-links',
  method: 'POST',
  path: '/v1/upload-links',
  summary:
    'Create an upload link: one upload with it publishes in your name. The answer has a page for a person, a command for curl up to `maxBytes`, and one for a file of any size. With `projectId` (paid plans) the upload becomes a new version of that project, otherwise a new project. The link works once, for 24 hours.',
  auth: 'key',
  paid: false,
  body: 'json',
  input: z
    .strictObject({
      title: Title.optional(),
      projectId: z.uuid().optional(),
      domainId: z.uuid().optional().describe('Custom domain of the new project'),
      notify: z.boolean().optional().describe('Mails the owner when it is used. Example: true'),
    })
    .refine(({ projectId, domainId }) => projectId === undefined || domainId === undefined, {
      path: ['domainId'],
      error: 'must be omitted with `projectId`: a project keeps its domain',
    }),
  output: z.object({
    uploadUrl: z.url(),
    pageUrl: z.url(),
    expiresAt: Instant,
    maxBytes: z.number().int(),
    curl: z.string(),
    curlAnySize: z.string(),
  }),
  envelope: 'data',
  status: 201,
  errors: [
    'FREE_TIER_RESTRICTED',
    'NOT_FOUND',
    'DOMAIN_NOT_READY',
    'PROJECT_LIMIT_REACHED',
    'STORAGE_LIMIT_REACHED',
  ],
  example: {
    input: { title: 'Harbour survey' },
    output: {
      uploadUrl: link,
      pageUrl: `https://app.example.com/upload/${example.uploadToken}`,
      expiresAt: example.later,
      maxBytes: inlineUploadBytes,
      curl: `curl -X PUT -F files=@FILE '${link}'`,
      curlAnySize: `F='FILE' L='${link}'; …`,
    },
  },
});

/** `GET /v1/upload-links`: the account's active links, newest first. */
export const listUploadLinks = operation({
  id: 'listUploadLinks',
  group: 'upload-links',
  method: 'GET',
  path: '/v1/upload-links',
  summary:
    'List your active upload links, newest first, without their tokens; at most 100. A link stops working when the key or connected app that created it is removed, or the browser is signed out.',
  auth: 'key',
  paid: false,
  body: 'none',
  input: z.object({}),
  output: z.object({
    uploadLinks: z.array(
      z.object({
        id: z.uuid(),
        title: z.string().nullable(),
        /** The project that gets a new version; null if the upload creates a project. */
        projectId: z.nullable(ProjectId),
        /** The custom domain of the new project; null for none. */
        domainId: z.nullable(DomainId),
        createdAt: Instant,
        expiresAt: Instant,
        /** The key, browser or app that created the link, with its name. */
        madeBy: z.object({ kind: z.enum(['key', 'session', 'app']), name: z.string() }),
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
          domainId: null,
          createdAt: example.at,
          expiresAt: example.later,
          madeBy: { kind: 'key', name: 'Laptop' },
        },
      ],
    },
  },
});

/** `DELETE /v1/upload-links/{link}`: deletes a link; its token is refused from the next request on. */
export const deleteUploadLink = operation({
  id: 'deleteUploadLink',
  group: 'upload-links',
  method: 'DELETE',
  path: '/v1/upload-links/{link}',
  summary:
    'Delete an upload link by its `id`. Its token is refused from the next request on, even if an upload has begun.',
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

/** `PUT /v1/upload-links/{link}`: uploads and publishes with a link. */
export const publishByLink = operation({
  id: 'publishByLink',
  group: 'upload-links',
  method: 'PUT',
  path: '/v1/upload-links/{link}',
  summary:
    "Publish files or a ZIP with an upload link. No key is needed. Send a form, or one file as the plain body (`curl -T FILE LINK/`). Its name is the last part of the URL, `X-Filename` or `Content-Disposition`, or is chosen by its content. The link works once; a refused upload does not use it up. For more than the link's `maxBytes`, start with POST /v1/upload-links/{link}/uploads.",
  auth: 'none',
  paid: false,
  body: 'upload',
  takesPlainFile: true,
  input: z
    .object({ link: PathToken, ...uploadFields })
    .refine(hasOneUploadSource, uploadSourceError),
  output: z.object({
    projectId: ProjectId,
    url: z.url(),
    title: z.string(),
    type: ProjectType,
    slug: Slug,
    deploymentId: z.string().nullable(),
    expiresAt: z.nullable(Instant),
    uploadId: QueuedUploadId,
    warnings: ProjectWarnings,
  }),
  envelope: 'data',
  status: 200,
  errors: [
    'SECRETS_FOUND',
    'ZIP_MULTIPLE_HTML',
    'ARCHIVE_INVALID',
    'FILE_TYPE_REFUSED',
    'FREE_TIER_RESTRICTED',
    'PROJECT_LIMIT_REACHED',
    'STORAGE_LIMIT_REACHED',
    'UPLOAD_LINK_NOT_FOUND',
    'NOT_FOUND',
    'DOMAIN_NOT_READY',
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

/** `POST /v1/upload-links/{link}/uploads`: starts a large upload with a link. */
export const beginLinkUpload = operation({
  id: 'beginLinkUpload',
  group: 'upload-links',
  method: 'POST',
  path: '/v1/upload-links/{link}/uploads',
  summary:
    'Get signed URLs for a large upload with an upload link. PUT each file to its URL, then PUT the link with `uploadId`.',
  auth: 'none',
  paid: false,
  body: 'json',
  maxJsonBytes: maxUploadRequestBytes,
  input: z
    .strictObject({ link: PathToken, ...uploadRequestFields })
    .refine(hasFilesOrArchive, filesOrArchiveError)
    .meta(filesOrArchiveSchema),
  output: beginUpload.output,
  envelope: 'data',
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
  method: 'GET',
  path: '/v1/upload-links/{link}/uploads/{uploadId}',
  summary: 'Progress of a large upload with an upload link, including after the link is used up.',
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
