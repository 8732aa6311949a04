import { ProjectId } from '../../contract/fields.ts';
import type { AccountCaller } from '../caller.ts';
import { CodedError } from '../errors.ts';
import { instant } from '../instants.ts';
import { countAttempt, type Counters } from '../limits/counters.ts';
import {
  atOnce,
  type Delivery,
  DeliveryId,
  type DeliveryStore,
  maxListed,
  newDelivery,
  subjectOf,
} from './delivery.ts';
import { requireWebhook } from './manage-webhooks.ts';
import type { WebhookStore } from './webhook.ts';

interface DeliveryDeps {
  webhooks: Pick<WebhookStore, 'list'>;
  deliveries: Pick<DeliveryStore, 'add' | 'list' | 'find' | 'bringForward'>;
  counters: Pick<Counters, 'count'>;
  now(): Date;
}

/** Tests and repeated deliveries, which somebody causes without a change. */
const testLimit = { limit: 60, windowSeconds: 3600 };

/**
 * Sends a test to a webhook, also to one that is switched off.
 * @throws CodedError NOT_FOUND, RATE_LIMITED
 */
export async function testWebhook(
  deps: DeliveryDeps,
  caller: AccountCaller,
  { webhookId }: { webhookId: string },
) {
  const webhook = await requireWebhook(deps, caller, webhookId);
  const accountId = caller.account.id;
  const at = instant(deps.now());
  const event = { type: 'webhook.test', at, accountId, projectId: null, data: {} } as const;
  return send(deps, caller, newDelivery(webhook, event));
}

/**
 * The latest deliveries of a webhook.
 * @throws CodedError NOT_FOUND
 */
export async function listDeliveries(
  deps: DeliveryDeps,
  caller: AccountCaller,
  { webhookId }: { webhookId: string },
) {
  const { id } = await requireWebhook(deps, caller, webhookId);
  const deliveries = await deps.deliveries.list(id, maxListed);
  return { deliveries: deliveries.map(describeDelivery) };
}

/**
 * Sends an event once more, with the same id. One that still waits is not repeated: its line is sent now, from its
 * beginning, so that the events of its project keep their order.
 * @throws CodedError NOT_FOUND, RATE_LIMITED
 */
export async function redeliver(
  deps: DeliveryDeps,
  caller: AccountCaller,
  { webhookId, deliveryId }: { webhookId: string; deliveryId: string },
) {
  const webhook = await requireWebhook(deps, caller, webhookId);
  const { data: id } = DeliveryId.safeParse(deliveryId);
  const ended = id && (await deps.deliveries.find(webhook.id, id));
  if (ended !== undefined) return send(deps, caller, ended);
  await countCaused(deps, caller);
  if (id && (await deps.deliveries.bringForward(webhook.id, id, instant(deps.now()))))
    return { deliveryId: id };
  throw new CodedError('NOT_FOUND', {
    error: 'This webhook has no delivery with this id.',
    nextStep: 'List its deliveries.',
  });
}

/** The stream of the table starts its line, or the sweep, a minute later at most. */
async function send(deps: DeliveryDeps, caller: AccountCaller, what: Delivery) {
  await countCaused(deps, caller);
  const delivery = atOnce(what, deps.now());
  await deps.deliveries.add(delivery);
  return { deliveryId: delivery.id };
}

/** @throws CodedError RATE_LIMITED */
async function countCaused(deps: DeliveryDeps, caller: AccountCaller): Promise<void> {
  const key = `webhook-tests#${caller.account.id}`;
  const counted = { key, rule: testLimit, what: 'tests and repeats' };
  await countAttempt(deps.counters, caller, counted, deps.now());
}

function describeDelivery(delivery: Delivery) {
  const { id, eventId, type, at, state, attempts, nextAttemptAt, lastAttempt } = delivery;
  const subject = subjectOf(delivery);
  const projectId = subject === 'account' ? null : ProjectId.parse(subject);
  return { id, eventId, type, projectId, at, state, attempts, nextAttemptAt, lastAttempt };
}
