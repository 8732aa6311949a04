import * as z from 'zod';
import { example } from '../examples.ts';
import { DomainId, Instant, PathId, ProjectId, Title } from '../fields.ts';
import { FileRequest, ReceivedUpload, requestFields } from '../file-request.ts';
import { operation } from '../operation.ts';

/**
 * Size of files that always fits into one request: as base64 they are 6 MB, and the form and the event
 * around them must also stay below 6 MiB (AWS Lambda quota).
 */
export const inlineUploadBytes = 4_500_000;

/** API Gateway allows one parameter name per path segment, so `link` is a token in some operations and an id in others. */
const PathLinkId = PathId.meta({
  format: 'uuid',
  description: 'The `id` of the link, as the list returns it.',
});

/** Whether the input for a new link makes it a file request. */
export function isFileRequest(input: object): boolean {
  const sent = new Map(Object.entries(input));
  return Object.keys(requestFields).some((name) => sent.get(name) !== undefined);
}

const exampleArrival = {
  number: 1,
  receivedAt: example.at,
  files: [{ path: 'report.pdf', size: 48_213 }],
  fileCount: 1,
  bytes: 48_213,
};

const link = `https://app.example.com/v1/upload-links/${example.uploadToken}`;

/** `POST /v1/upload-links`: creates a link with which somebody without a key publishes once for the caller. */
export const createUploadLink = operation({
  id: 'createUploadLink',
  group: 'upload-links',
  route: 'POST /v1/upload-links',
  summary:
    'Create an upload link: one upload with it publishes in your name. The answer has a page for a person, a command for curl up to `maxBytes`, and one for a file of any size. With `projectId` (paid plans) the upload becomes a new version of that project, otherwise a new project. The link works once, for 24 hours. With one of the fields from `message` to `into` it is a file request: it takes `maxUploads` uploads until `closesAt`, each a project of your own or a folder of the project `into`, and answers senders with a receipt.',
  auth: 'key',
  body: 'json',
  input: z
    .strictObject({
      title: Title.optional(),
      projectId: z.uuid().optional(),
      domainId: z.uuid().optional().describe('Custom domain of the new project'),
      notify: z.boolean().optional().describe('Mails the owner when it is used. Example: true'),
      ...requestFields,
    })
    .refine(
      ({ projectId, into = projectId, domainId }) => into === undefined || domainId === undefined,
      {
        path: ['domainId'],
        error: 'must be omitted with `projectId` and `into`: a project keeps its domain',
      },
    ),
  output: z.object({
    uploadUrl: z.url(),
    pageUrl: z.url(),
    expiresAt: Instant,
    maxBytes: z.number().int(),
    curl: z.string(),
    curlAnySize: z.string(),
  }),
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
  route: 'GET /v1/upload-links',
  summary:
    'List your active upload links, newest first, without their tokens; at most 100. File requests stay in the list for 30 days after they closed. A link stops working when the key or connected app that created it is removed, or the browser is signed out.',
  auth: 'key',
  input: z.object({}),
  output: z.object({
    uploadLinks: z.array(
      z.object({
        id: z.uuid(),
        title: z.string().nullable(),
        /** The project that gets new versions; null if the upload creates a project. */
        projectId: z.nullable(ProjectId),
        /** The custom domain of the new project; null for none. */
        domainId: z.nullable(DomainId),
        createdAt: Instant,
        expiresAt: Instant,
        /** The key, browser or app that created the link, with its name. */
        madeBy: z.object({ kind: z.enum(['key', 'session', 'app']), name: z.string() }),
        request: FileRequest.extend({ received: z.int(), isOpen: z.boolean() })
          .optional()
          .describe('Only for a file request: what it asks for, and how many uploads it got.'),
      }),
    ),
  }),
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

/** `GET /v1/upload-links/{link}/uploads`: what arrived by a file request. */
export const listSenders = operation({
  id: 'listSenders',
  group: 'upload-links',
  route: 'GET /v1/upload-links/{link}/uploads',
  summary:
    'List the uploads that a file request got, newest first: who sent them, and which files. For the next page send `nextCursor` as `cursor`.',
  auth: 'key',
  input: z.object({
    link: PathLinkId,
    limit: z.coerce.number().int().min(1).max(100).default(100),
    cursor: z
      .string()
      .regex(/^[1-9]\d{0,8}$/, 'must be the `nextCursor` of an earlier page')
      .optional(),
  }),
  output: z.object({ senders: z.array(ReceivedUpload), nextCursor: z.string().nullable() }),
  errors: ['NOT_FOUND'],
  example: {
    input: { link: example.uploadLinkId },
    output: {
      senders: [
        {
          ...exampleArrival,
          senderName: 'Anna',
          senderEmail: example.email,
          projectId: example.projectId,
        },
      ],
      nextCursor: null,
    },
  },
});

/** `DELETE /v1/upload-links/{link}`: deletes a link; its token is refused from the next request on. */
export const deleteUploadLink = operation({
  id: 'deleteUploadLink',
  group: 'upload-links',
  route: 'DELETE /v1/upload-links/{link}',
  summary:
    'Delete an upload link by its `id`. Its token is refused from the next request on, even if an upload has begun.',
  auth: 'key',
  input: z.object({ link: PathLinkId }),
  output: z.object({ deleted: z.boolean() }),
  errors: ['NOT_FOUND'],
  example: { input: { link: example.uploadLinkId }, output: { deleted: true } },
});
