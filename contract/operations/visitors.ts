import * as z from 'zod';
import { example } from '../examples.ts';
import { Instant, PathId } from '../fields.ts';
import { operation } from '../operation.ts';

/** Somebody who proved an address (docs/sharing.md). */
const VisitorResource = z.object({
  id: z.string(),
  email: z.string(),
  /** When the address was proved first. */
  since: Instant,
  /** When a browser proved it last. */
  lastProvedAt: Instant,
  /** When the last of their browsers must prove it again. */
  expiresAt: Instant,
});

/** `GET /v1/projects/{projectId}/visitors`: who has proved an address. */
export const listVisitors = operation({
  id: 'listVisitors',
  group: 'share-links',
  route: 'GET /v1/projects/{projectId}/visitors',
  summary:
    'List the people who proved an e-mail address to open the project, in the last 30 days. A page has the latest first. For the next page send `nextCursor` as `cursor`.',
  auth: 'key',
  input: z.object({
    projectId: PathId,
    limit: z.coerce.number().int().min(1).max(1000).default(1000),
    cursor: z
      .string()
      .regex(/^[\w-]{16}$/, 'must be the `nextCursor` of an earlier page')
      .optional(),
  }),
  output: z.object({ visitors: z.array(VisitorResource), nextCursor: z.string().nullable() }),
  errors: ['NOT_FOUND'],
  example: {
    input: { projectId: example.projectId },
    output: {
      visitors: [
        {
          id: 'Yb2Hn5Lw9PmJ4x8Z',
          email: 'anna@example.org',
          since: example.at,
          lastProvedAt: example.at,
          expiresAt: example.later,
        },
      ],
      nextCursor: null,
    },
  },
});

/** `DELETE /v1/projects/{projectId}/visitors/{visitorId}`: ends the access of somebody, in all browsers. */
export const deleteVisitor = operation({
  id: 'deleteVisitor',
  group: 'share-links',
  route: 'DELETE /v1/projects/{projectId}/visitors/{visitorId}',
  summary:
    'End the access of somebody who proved an address, in all of their browsers, from the next request on. They can prove it again, unless you take them off `people` or add them to `deniedPeople`.',
  auth: 'key',
  input: z.object({ projectId: PathId, visitorId: z.string().max(100) }),
  output: z.object({ deleted: z.literal(true) }),
  errors: ['NOT_FOUND'],
  example: {
    input: { projectId: example.projectId, visitorId: 'Yb2Hn5Lw9PmJ4x8Z' },
    output: { deleted: true },
  },
});
