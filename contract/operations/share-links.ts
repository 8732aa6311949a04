import * as z from 'zod';
import { example } from '../examples.ts';
import {
  ChosenEnd,
  EmailAddress,
  Instant,
  Notify,
  PathId,
  SettingWarning,
  Title,
} from '../fields.ts';
import { operation } from '../operation.ts';

/** The id by which an owner manages a share link; its token, which is secret, cannot be computed from it. */
const PathLinkId = z.string().max(100);

/** What an owner chooses for a link. The same fields create and change one. */
const choices = {
  name: Title.max(100).describe(
    'Who it is for. Statistics name the link by it; visitors never see it.',
  ),
  recipients: z
    .array(EmailAddress)
    .max(20)
    .describe('A note of who gets the link. Nothing is sent to them.'),
  expiresAt: ChosenEnd.nullable(),
  maxOpens: z
    .int()
    .min(1)
    .max(1_000_000)
    .nullable()
    .describe(
      'How often people may open it. What one browser views within 30 minutes is one open.',
    ),
  password: z.string().min(1).max(255).nullable(),
  notify: Notify.describe('Mails the owner when it is opened.'),
  downloads: z.boolean().describe('False hides the download buttons and refuses the ZIP.'),
  version: z
    .int()
    .positive()
    .nullable()
    .describe('Shows this kept version instead of the live one.'),
};
const { name, ...others } = choices;
const optional = z.object(others).partial().shape;

const Count = z.int().nonnegative();

/** A share link as its owner sees it (docs/sharing.md). */
const ShareLinkResource = z.object({
  id: z.string(),
  name: z.string(),
  recipients: z.array(z.string()),
  state: z.enum(['active', 'expired', 'used-up']),
  createdAt: Instant,
  expiresAt: z.nullable(Instant),
  maxOpens: Count.nullable(),
  usedOpens: Count.describe('How many of `maxOpens` are used up; 0 without `maxOpens`.'),
  hasPassword: z.boolean(),
  notify: Notify,
  downloads: z.boolean(),
  version: z.int().nullable(),
  opens: Count.describe('Opens by people, as in the analytics: each page that was seen counts.'),
  firstOpenedAt: z.nullable(Instant),
  lastOpenedAt: z.nullable(Instant),
});

const exampleLink: z.input<typeof ShareLinkResource> = {
  id: 'Yb2Hn5Lw9PmJ4x8Z',
  name: 'Anna, Example Ltd',
  recipients: ['anna@example.org'],
  state: 'active',
  createdAt: example.at,
  expiresAt: example.later,
  maxOpens: 5,
  usedOpens: 0,
  hasPassword: false,
  notify: 'off',
  downloads: true,
  version: null,
  opens: 0,
  firstOpenedAt: null,
  lastOpenedAt: null,
};

/** `POST /v1/projects/{projectId}/links`: an address of its own for one reader or group. */
export const createShareLink = operation({
  id: 'createShareLink',
  group: 'share-links',
  route: 'POST /v1/projects/{projectId}/links',
  summary:
    'Create a share link: an address that opens the project whatever its `access`, until it expires, is used up or is deleted. `url` is shown only once.',
  auth: 'key',
  body: 'json',
  input: z.strictObject({ projectId: PathId, name, ...optional }),
  output: z.object({
    ...ShareLinkResource.shape,
    url: z.url(),
    warnings: z.array(SettingWarning).optional(),
  }),
  status: 201,
  errors: ['NOT_FOUND', 'UPLOAD_INCOMPLETE', 'LINK_LIMIT_REACHED'],
  example: {
    input: { projectId: example.projectId, name: exampleLink.name, maxOpens: 5 },
    output: { ...exampleLink, url: `${example.url}/_slipway/share/${example.uploadToken}` },
  },
});

/** `GET /v1/projects/{projectId}/links`: all share links of a project, with their opens. */
export const listShareLinks = operation({
  id: 'listShareLinks',
  group: 'share-links',
  route: 'GET /v1/projects/{projectId}/links',
  summary:
    'List the share links of a project with their opens, newest first. Tokens are not shown.',
  auth: 'key',
  input: z.object({ projectId: PathId }),
  output: z.object({ links: z.array(ShareLinkResource) }),
  errors: ['NOT_FOUND'],
  example: { input: { projectId: example.projectId }, output: { links: [exampleLink] } },
});

/** `PATCH /v1/projects/{projectId}/links/{linkId}`: changes a link, whose address stays the same. */
export const updateShareLink = operation({
  id: 'updateShareLink',
  group: 'share-links',
  route: 'PATCH /v1/projects/{projectId}/links/{linkId}',
  summary:
    'Change a share link. Its address stays the same. Fields that are not sent keep their values; it holds from the next request. Another password also ends the access of browsers that entered the earlier one.',
  auth: 'key',
  body: 'json',
  invalid: 'VALIDATION_FAILED',
  input: z.strictObject({
    projectId: PathId,
    linkId: PathLinkId,
    name: name.optional(),
    ...optional,
  }),
  output: z.object({ updated: z.literal(true), warnings: z.array(SettingWarning).optional() }),
  errors: ['NOT_FOUND'],
  example: {
    input: { projectId: example.projectId, linkId: exampleLink.id, maxOpens: 10 },
    output: { updated: true },
  },
});

/** `DELETE /v1/projects/{projectId}/links/{linkId}`: ends a link and all access by it. */
export const deleteShareLink = operation({
  id: 'deleteShareLink',
  group: 'share-links',
  route: 'DELETE /v1/projects/{projectId}/links/{linkId}',
  summary:
    'Delete a share link. It opens nothing from the next request on, also in browsers that opened it before. Its opens stay in the analytics.',
  auth: 'key',
  input: z.object({ projectId: PathId, linkId: PathLinkId }),
  output: z.object({ deleted: z.literal(true) }),
  errors: ['NOT_FOUND'],
  example: {
    input: { projectId: example.projectId, linkId: exampleLink.id },
    output: { deleted: true },
  },
});
