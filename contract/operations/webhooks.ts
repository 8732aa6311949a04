import * as z from 'zod';
import { example } from '../examples.ts';
import { Instant, PathId, ProjectId } from '../fields.ts';
import { operation } from '../operation.ts';

export const WebhookId = z.uuid().brand<'WebhookId'>();
export type WebhookId = z.infer<typeof WebhookId>;

/** What a webhook can be told of (docs/webhooks.md). */
export const WebhookEvent = z.enum([
  'version.published',
  'project.opened',
  'project.first_opened',
  'upload.received',
  'link.exhausted',
  'project.expiring',
  'project.taken_down',
  'domain.failed',
  'quota.near',
]);
export type WebhookEvent = z.infer<typeof WebhookEvent>;

/** Events of the account, which a webhook for one project does not get. */
export const accountEvents: readonly WebhookEvent[] = ['domain.failed', 'quota.near'];

/** The form of the body: that of Standard Webhooks, or a message that a chat program shows. */
export const WebhookFormat = z.enum(['standard', 'slack', 'discord', 'teams']);
export type WebhookFormat = z.infer<typeof WebhookFormat>;

const choices = {
  url: z
    .string()
    .max(2000)
    .pipe(z.url({ protocol: /^https?$/ }))
    .meta({ format: 'uri' })
    .describe('Where events are sent: an `https` address with a name that is on the internet.'),
  events: z.array(WebhookEvent).min(1).max(20),
  format: WebhookFormat.describe(
    'The form of the body. Default: that of the program which the address belongs to, else `standard`.',
  ),
};

/** A webhook as its owner sees it: without its secret. */
const WebhookResource = z.object({
  id: WebhookId,
  url: z.string(),
  events: z.array(WebhookEvent),
  projectId: z.nullable(ProjectId),
  format: WebhookFormat,
  enabled: z.boolean(),
  failingSince: z
    .nullable(Instant)
    .describe('Since when no attempt succeeded. After three days the webhook is switched off.'),
  createdAt: Instant,
});

const NewSecret = z
  .string()
  .describe('Checks the signature of deliveries. It is shown only in this answer.');

const exampleWebhook = {
  id: example.keyId,
  url: 'https://hooks.example.org/slipway',
  events: ['version.published'],
  projectId: null,
  format: 'standard',
  enabled: true,
  failingSince: null,
  createdAt: example.at,
} satisfies z.input<typeof WebhookResource>;
const exampleSecret = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD';

/** `POST /v1/webhooks`: an address that gets events. */
export const createWebhook = operation({
  id: 'createWebhook',
  group: 'webhooks',
  route: 'POST /v1/webhooks',
  summary:
    'Send events of the account, or with `projectId` of one project, to an address of yours. `secret` is shown only once.',
  auth: 'key',
  body: 'json',
  input: z.strictObject({
    url: choices.url,
    events: choices.events,
    projectId: z.optional(ProjectId),
    format: choices.format.optional(),
  }),
  output: z.object({ ...WebhookResource.shape, secret: NewSecret }),
  status: 201,
  errors: ['NOT_FOUND', 'WEBHOOK_LIMIT_REACHED'],
  example: {
    input: { url: exampleWebhook.url, events: exampleWebhook.events },
    output: { ...exampleWebhook, secret: exampleSecret },
  },
});

/** `GET /v1/webhooks`: the account's webhooks. */
export const listWebhooks = operation({
  id: 'listWebhooks',
  group: 'webhooks',
  route: 'GET /v1/webhooks',
  summary: 'List your webhooks, newest first. Secrets are not shown.',
  auth: 'key',
  // Whoever has the address of a chat program can post there, so keys that only read do not see it.
  permissions: ['projects:write'],
  limitedKeys: true,
  input: z.object({}),
  output: z.object({ webhooks: z.array(WebhookResource) }),
  example: { input: {}, output: { webhooks: [exampleWebhook] } },
});

/** `PATCH /v1/webhooks/{webhookId}`: another address, other events, off or on. */
export const updateWebhook = operation({
  id: 'updateWebhook',
  group: 'webhooks',
  route: 'PATCH /v1/webhooks/{webhookId}',
  summary:
    'Change a webhook. Fields that are not sent keep their values. Switched off, it gets no events; what happens meanwhile is not sent later.',
  auth: 'key',
  limitedKeys: true,
  body: 'json',
  invalid: 'VALIDATION_FAILED',
  input: z.strictObject({
    webhookId: PathId,
    url: choices.url.optional(),
    events: choices.events.optional(),
    format: choices.format.optional(),
    enabled: z.boolean().optional(),
  }),
  output: WebhookResource,
  errors: ['NOT_FOUND'],
  example: {
    input: { webhookId: exampleWebhook.id, enabled: true },
    output: exampleWebhook,
  },
});

/** `DELETE /v1/webhooks/{webhookId}`: sends nothing from now on, also what waits. */
export const deleteWebhook = operation({
  id: 'deleteWebhook',
  group: 'webhooks',
  route: 'DELETE /v1/webhooks/{webhookId}',
  summary: 'Delete a webhook. Events that wait are not sent.',
  auth: 'key',
  limitedKeys: true,
  input: z.object({ webhookId: PathId }),
  output: z.object({ deleted: z.literal(true) }),
  errors: ['NOT_FOUND'],
  example: { input: { webhookId: exampleWebhook.id }, output: { deleted: true } },
});

/** `POST /v1/webhooks/{webhookId}/rotate-secret`: a new secret, beside the former one for a day. */
export const rotateWebhookSecret = operation({
  id: 'rotateWebhookSecret',
  group: 'webhooks',
  route: 'POST /v1/webhooks/{webhookId}/rotate-secret',
  summary:
    'Get a new secret. For 24 hours each delivery is signed with both, so that your program can change in between.',
  auth: 'key',
  limitedKeys: true,
  input: z.object({ webhookId: PathId }),
  output: z.object({ secret: NewSecret, formerUntil: Instant }),
  errors: ['NOT_FOUND'],
  example: {
    input: { webhookId: exampleWebhook.id },
    output: { secret: exampleSecret, formerUntil: example.later },
  },
});
