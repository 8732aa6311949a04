import * as z from 'zod';
import { example } from '../examples.ts';
import { Instant, PathId, ProjectId } from '../fields.ts';
import { operation } from '../operation.ts';
import { WebhookEvent } from './webhooks.ts';

/** A delivery's id; sorted by it, deliveries are sorted by age. */
export const DeliveryId = z.uuid().brand<'DeliveryId'>();
export type DeliveryId = z.infer<typeof DeliveryId>;

/** The type of a delivery: an event, or the test that its owner asked for. */
export const DeliveryEvent = z.enum([...WebhookEvent.options, 'webhook.test']);
export type DeliveryEvent = z.infer<typeof DeliveryEvent>;

/** `POST /v1/webhooks/{webhookId}/test`: sends a test. */
export const testWebhook = operation({
  id: 'testWebhook',
  group: 'webhooks',
  route: 'POST /v1/webhooks/{webhookId}/test',
  summary:
    'Send the event `webhook.test`, with a signature like the others. GET /v1/webhooks/{webhookId}/deliveries shows a moment later what your program answered.',
  auth: 'key',
  limitedKeys: true,
  input: z.object({ webhookId: PathId }),
  output: z.object({ deliveryId: DeliveryId }),
  status: 201,
  errors: ['NOT_FOUND'],
  example: {
    input: { webhookId: example.keyId },
    output: { deliveryId: example.uploadLinkId },
  },
});

const DeliveryResource = z.object({
  id: DeliveryId,
  eventId: z.uuid().describe('The header `webhook-id`: the same for each delivery of an event.'),
  type: DeliveryEvent,
  projectId: z.nullable(ProjectId),
  /** When it happened. */
  at: Instant,
  state: z.enum(['waiting', 'delivered', 'failed']),
  attempts: z.int(),
  nextAttemptAt: z.nullable(Instant),
  lastAttempt: z
    .nullable(
      z.object({
        at: Instant,
        milliseconds: z.int(),
        status: z.nullable(z.int()).describe('Null if there was no answer.'),
        body: z.string().describe('The beginning of the answer, or why there was none.'),
      }),
    )
    .describe('What your program answered to the latest attempt.'),
});

/** `GET /v1/webhooks/{webhookId}/deliveries`: what was sent lately, and how it went. */
export const listDeliveries = operation({
  id: 'listDeliveries',
  group: 'webhooks',
  route: 'GET /v1/webhooks/{webhookId}/deliveries',
  summary: 'List up to 50 deliveries of a webhook from the last 14 days, newest first.',
  auth: 'key',
  // An answer of a receiver may say what only its owner should read.
  permissions: ['projects:write'],
  limitedKeys: true,
  input: z.object({ webhookId: PathId }),
  output: z.object({ deliveries: z.array(DeliveryResource) }),
  errors: ['NOT_FOUND'],
  example: {
    input: { webhookId: example.keyId },
    output: {
      deliveries: [
        {
          id: example.uploadLinkId,
          eventId: example.uploadId,
          type: 'version.published',
          projectId: example.projectId,
          at: example.at,
          state: 'delivered',
          attempts: 1,
          nextAttemptAt: null,
          lastAttempt: { at: example.at, milliseconds: 120, status: 204, body: '' },
        },
      ],
    },
  },
});

/** `POST /v1/webhooks/{webhookId}/deliveries/{deliveryId}/redeliver`: sends it once more, or now. */
export const redeliver = operation({
  id: 'redeliver',
  group: 'webhooks',
  route: 'POST /v1/webhooks/{webhookId}/deliveries/{deliveryId}/redeliver',
  summary:
    'Send an event once more, as a new delivery with the same `webhook-id`. One in the state `waiting` is sent within a minute instead, after those of its project that wait before it.',
  auth: 'key',
  limitedKeys: true,
  input: z.object({ webhookId: PathId, deliveryId: PathId }),
  output: z.object({ deliveryId: DeliveryId }),
  status: 201,
  errors: ['NOT_FOUND'],
  example: {
    input: { webhookId: example.keyId, deliveryId: example.uploadLinkId },
    output: { deliveryId: example.uploadLinkId },
  },
});
