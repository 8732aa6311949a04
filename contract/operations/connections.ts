import * as z from 'zod';
import { example } from '../examples.ts';
import { Instant, PathId } from '../fields.ts';
import { OAuthScope } from '../oauth/oauth.ts';
import { operation } from '../operation.ts';

/** `GET /v1/connections`: the apps that may act for the account, newest first. */
export const listConnections = operation({
  id: 'listConnections',
  group: 'accounts',
  route: 'GET /v1/connections',
  summary:
    'List the apps that are connected to your account with OAuth, newest first. Browser session only.',
  auth: 'session',
  input: z.object({}),
  output: z.object({
    connections: z.array(
      z.object({
        id: z.uuid(),
        /** The name that the app gave itself; not verified. */
        clientName: z.string(),
        /** Host to which the authorization response was sent. */
        redirectHost: z.string(),
        scopes: z.array(OAuthScope),
        createdAt: Instant,
        /** Updated at most once an hour. */
        lastUsedAt: z.nullable(Instant),
      }),
    ),
  }),
  example: {
    input: {},
    output: {
      connections: [
        {
          id: example.connectionId,
          clientName: 'Claude',
          redirectHost: 'claude.ai',
          scopes: ['projects:read', 'projects:write', 'account:read'],
          createdAt: example.at,
          lastUsedAt: null,
        },
      ],
    },
  },
});

/** `DELETE /v1/connections/{connectionId}`: disconnects an app; its tokens are refused from the next request on. */
export const deleteConnection = operation({
  id: 'deleteConnection',
  group: 'accounts',
  route: 'DELETE /v1/connections/{connectionId}',
  summary:
    'Disconnect an app. Its tokens are refused from the next request on. Browser session only.',
  auth: 'session',
  input: z.object({ connectionId: PathId }),
  output: z.object({ deleted: z.boolean() }),
  errors: ['NOT_FOUND'],
  example: {
    input: { connectionId: example.connectionId },
    output: { deleted: true },
  },
});
