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
  newDelivery,
  subjectOf,
} from './delivery.ts';
import { requireWebhook } from './manage-webhooks.ts';
import type { WebhookStore } from './webhook.ts';

/** The dependencies for looking at deliveries and causing some. */
interface DeliveryDeps {
  webhooks: Pick<WebhookStore, 'list'>;
  deliveries: Pick<DeliveryStore, 'add' | 'list' | 'find'>;
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
  const deliveries = await deps.deliveries.list(id, 50);
  return { deliveries: deliveries.map(describeDelivery) };
}

/**
 * Sends an event once more, with the same id.
 * @throws CodedError NOT_FOUND, RATE_LIMITED
 */
export async function redeliver(
  deps: DeliveryDeps,
  caller: AccountCaller,
  { webhookId, deliveryId }: { webhookId: string; deliveryId: string },
) {
  const webhook = await requireWebhook(deps, caller, webhookId);
  const { data: id } = DeliveryId.safeParse(deliveryId);
  const found = id && (await deps.deliveries.find(webhook.id, id));
  if (found !== undefined) return send(deps, caller, found);
  throw new CodedError('NOT_FOUND', {
    error: 'This webhook has no delivery with this id that has ended.',
    nextStep: 'List its deliveries. One in the state `waiting` is sent again by itself.',
  });
}

/** The stream of the table starts its line, or the sweep, a minute later at most. */
async function send(deps: DeliveryDeps, caller: AccountCaller, what: Delivery) {
  const accountId = caller.account.id;
  const counted = { key: `webhook-tests#${accountId}`, rule: testLimit, what: 'tests and repeats' };
  await countAttempt(deps.counters, caller, counted, deps.now());
  const delivery = atOnce(what, deps.now());
  await deps.deliveries.add(delivery);
  return { deliveryId: delivery.id };
}

function describeDelivery(delivery: Delivery) {
  const { id, eventId, type, at, state, attempts, nextAttemptAt, lastAttempt } = delivery;
  const subject = subjectOf(delivery);
  const projectId = subject === 'account' ? null : ProjectId.parse(subject);
  return { id, eventId, type, projectId, at, state, attempts, nextAttemptAt, lastAttempt };
}
