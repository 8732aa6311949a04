import * as z from 'zod';
import { ChosenEnd, Instant, KeyId, KeyKind, PathId, ProjectId, Title } from '../fields.ts';
import { example } from '../examples.ts';
import { OAuthScope, oauthScopes } from '../oauth/oauth.ts';
import { operation } from '../operation.ts';

/** The permissions of a key; they have the same names as the scopes of connected apps. */
const Permissions = z.array(OAuthScope);

/** The projects that a key may use; null for all of its account, also future ones. */
export const KeyProjects = z.nullable(z.array(ProjectId));

const maxKeyProjects = 20;

/** The permissions of a new key. */
export const NewPermissions = Permissions.min(1)
  .max(oauthScopes.length)
  .refine((sent) => new Set(sent).size === sent.length, 'must name each permission once');

/** The projects of a new key. */
export const NewKeyProjects = z
  .array(ProjectId)
  .min(1)
  .max(maxKeyProjects)
  .refine((sent) => new Set(sent).size === sent.length, 'must name each project once')
  .nullable();

/** `GET /v1/keys`: the account's keys, newest first, without their values. */
export const listKeys = operation({
  id: 'listKeys',
  group: 'accounts',
  route: 'GET /v1/keys',
  summary: 'List your API keys, newest first, without their values. Browser session only.',
  auth: 'session',
  input: z.object({}),
  output: z.object({
    keys: z.array(
      z.object({
        id: KeyId,
        name: z.string(),
        kind: KeyKind,
        /** The first characters, to recognise the key: `sw_live_ab12…`. */
        prefix: z.string(),
        permissions: Permissions,
        projectIds: KeyProjects,
        createdAt: Instant,
        /** Updated at most once an hour. */
        lastUsedAt: z.nullable(Instant),
        /** Null for a key that never expires. A dashboard key stays in the list when it has expired. */
        expiresAt: z.nullable(Instant),
      }),
    ),
  }),
  example: {
    input: {},
    output: {
      keys: [
        {
          id: example.keyId,
          name: 'Laptop',
          kind: 'dashboard',
          prefix: 'sw_live_Q2uJ…',
          permissions: [...oauthScopes],
          projectIds: null,
          createdAt: example.at,
          lastUsedAt: null,
          expiresAt: null,
        },
      ],
    },
  },
});

/** `POST /v1/keys`: creates a key. */
export const createKey = operation({
  id: 'createKey',
  group: 'accounts',
  route: 'POST /v1/keys',
  summary:
    'Create an API key. The key is shown only once. `permissions` limits what it may do; without it the key may do everything that a key can. With `projectIds` it may use these projects alone: it makes no new ones, and sees nothing else of the account. Without `expiresAt` it never expires. Browser session only.',
  auth: 'session',
  body: 'json',
  input: z.strictObject({
    name: Title.max(100),
    permissions: NewPermissions.optional(),
    projectIds: NewKeyProjects.optional(),
    expiresAt: ChosenEnd.nullable().optional(),
  }),
  output: z.object({
    id: KeyId,
    name: z.string(),
    permissions: Permissions,
    projectIds: KeyProjects,
    key: z.string(),
    createdAt: Instant,
    expiresAt: z.nullable(Instant),
  }),
  status: 201,
  errors: ['KEY_LIMIT_REACHED', 'NOT_FOUND'],
  example: {
    input: {
      name: 'Laptop',
      permissions: ['projects:read', 'projects:write'],
      projectIds: [example.projectId],
    },
    output: {
      id: example.keyId,
      name: 'Laptop',
      permissions: ['projects:read', 'projects:write'],
      projectIds: [example.projectId],
      key: example.apiKey,
      createdAt: example.at,
      expiresAt: null,
    },
  },
});

/** `DELETE /v1/keys/{keyId}`: deletes a key of either kind; it is refused from the next request on. */
export const deleteKey = operation({
  id: 'deleteKey',
  group: 'accounts',
  route: 'DELETE /v1/keys/{keyId}',
  summary: 'Delete an API key. It is refused from the next request on. Browser session only.',
  auth: 'session',
  input: z.object({ keyId: PathId }),
  output: z.object({ deleted: z.boolean() }),
  errors: ['NOT_FOUND'],
  example: {
    input: { keyId: example.keyId },
    output: { deleted: true },
  },
});
