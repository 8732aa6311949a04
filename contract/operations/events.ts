import * as z from 'zod';
import { example } from '../examples.ts';
import { Instant, PathId, ProjectId } from '../fields.ts';
import { operation } from '../operation.ts';

/** What a program can wait for (docs/webhooks.md). */
export const ListedEvent = z.enum([
  'project.opened',
  'project.first_opened',
  'version.published',
  'upload.received',
]);
export type ListedEvent = z.infer<typeof ListedEvent>;

const nextCursor = z.string().describe('Send it as `after` in the next request.');

/** `GET /v1/events`: what happened since the last request, or what happens next. */
export const listEvents = operation({
  id: 'listEvents',
  group: 'webhooks',
  route: 'GET /v1/events',
  summary:
    'What happened to your projects since the previous request, oldest first. With `wait` the answer comes when something happens, or without events after so many seconds.',
  auth: 'key',
  limitedKeys: true,
  paid: true,
  input: z.object({
    after: z
      .string()
      .max(700)
      .optional()
      .describe('`nextCursor` of the previous answer. Without it, events from now on.'),
    wait: z.coerce.number().int().min(0).max(25).default(0).describe('In seconds.'),
    projectId: PathId.optional().describe('One project alone.'),
    linkId: z.string().optional().describe('Opens by this share link of the project alone.'),
    type: z.optional(ListedEvent),
  }),
  output: z.object({
    events: z.array(
      z.object({
        id: z.string().describe('An event may come twice; its id is the same then.'),
        type: ListedEvent,
        timestamp: Instant,
        data: z.looseObject({ title: z.string(), url: z.url(), projectId: ProjectId }),
      }),
    ),
    nextCursor,
  }),
  errors: ['NOT_FOUND'],
  example: {
    input: { after: 'mk3v5k9c.', wait: 25 },
    output: {
      events: [
        {
          id: 'Xn1aN5',
          type: 'version.published',
          timestamp: example.at,
          data: {
            title: 'Calm harbour',
            url: example.url,
            projectId: ProjectId.parse(example.projectId),
            version: 3,
          },
        },
      ],
      nextCursor: 'mk3v5k9c.Xn1aN5',
    },
  },
});
