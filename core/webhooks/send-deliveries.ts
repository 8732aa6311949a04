import type { AccountId, Instant } from '../../contract/fields.ts';
import { daySeconds } from '../../contract/limits.ts';
import type { AccountStore, KeyStore } from '../accounts/ports.ts';
import { accountState } from '../accounts/suspension.ts';
import { hasExpired, instant, plusSeconds, secondsLeft } from '../instants.ts';
import type { Counters } from '../limits/counters.ts';
import { mayMail } from '../mail-notices.ts';
import type { Addresses } from '../projects/addresses/addresses.ts';
import {
  afterAttempt,
  type Attempted,
  type AttemptResult,
  type Delivery,
  type DeliveryStore,
  hasOwnLine,
  isTooOld,
  lineOfVisitors,
  maxVisitorAttemptsPerHour,
} from './delivery.ts';
import { isAllowedAddress } from './webhook-address.ts';
import { deliveryBody } from './message.ts';
import { signatureHeaders } from './signature.ts';
import {
  isSlow,
  type SlowPlace,
  slowPlace,
  slowUntilAfter,
  waitForSlowPlace,
} from './slow-webhooks.ts';
import type { LaneKey, StartLane, Webhook, WebhookStore } from './webhook.ts';

/** Sends one request to a host that a stranger chose. */
export interface WebhookClient {
  /**
   * Never rejects: a failure is a result without status. Where there is no answer after `slowMilliseconds`, it ends
   * unless `mayGoOn` resolves with true.
   */
  post(
    url: URL,
    request: { headers: Record<string, string>; body: string },
    mayGoOn: () => Promise<boolean>,
  ): Promise<Omit<Attempted, 'at'>>;
}

/** Tells owners of webhooks that were switched off, or that ended with their key: then `since` is null. */
export interface WebhookMailer {
  sendWebhookOff(email: string, webhook: { host: string; since: string | null }): Promise<void>;
}

/** The dependencies of {@link sendLane}. */
export interface SendLaneDeps {
  webhooks: WebhookStore;
  deliveries: DeliveryStore;
  client: WebhookClient;
  accounts: Pick<AccountStore, 'get'>;
  keys: Pick<KeyStore, 'find'>;
  counters: Pick<Counters, 'count' | 'reserve' | 'release'>;
  addresses: Pick<Addresses, 'siteUrl'>;
  webhookMailer: WebhookMailer;
  startLane: StartLane;
  allowsLoopback: boolean;
  onFailure(item: unknown, error: unknown): void;
  now(): Date;
}

/** A sender that was cut off leaves its line to another after this: longer than its function runs. */
export const laneLeaseSeconds = 120;

/** A line that a queue has is passed to it again after this. */
const queuedSeconds = 300;

/** Attempts of one account in an hour, each up to ten seconds of a function. */
const maxAttemptsPerHour = 1000;
const causedByVisitors = new Set<Delivery['type']>([
  'project.opened',
  'project.first_opened',
  'link.exhausted',
  'upload.received',
]);

/** After failures alone for so long a webhook is switched off. */
const failingSeconds = 3 * daySeconds;

/** Passes a line that is due to a sender; false if it is not due any more. */
export async function startDueLane(
  deps: { deliveries: Pick<DeliveryStore, 'postpone'>; startLane: StartLane },
  key: LaneKey,
  now: Date,
): Promise<boolean> {
  const until = instant(plusSeconds(now, queuedSeconds));
  const isDue = await deps.deliveries.postpone(key, now, until);
  if (isDue) await deps.startLane(key);
  return isDue;
}

/**
 * Sends the deliveries of a line in their order, until it is empty, one has to wait, or its turn is over. A crash
 * after an attempt makes that attempt happen again: at least once.
 */
export async function sendLane(
  deps: SendLaneDeps,
  key: LaneKey,
  isLate: () => boolean,
): Promise<void> {
  const now = deps.now();
  const until = instant(plusSeconds(now, laneLeaseSeconds));
  let added = await deps.deliveries.lease(key, now, until);
  while (added !== undefined) {
    const first = await deps.deliveries.first(key);
    if (first === undefined) {
      added = await deps.deliveries.end(key, added);
      continue;
    }
    if (isLate()) return passOn(deps, key);
    const waitsUntil = await sendFirst(deps, first);
    if (waitsUntil !== undefined) return deps.deliveries.release(key, waitsUntil);
  }
}

/** Lets other lines take their turn, and goes on with this one behind them. */
async function passOn(deps: SendLaneDeps, key: LaneKey): Promise<void> {
  await deps.deliveries.release(key, instant(plusSeconds(deps.now(), queuedSeconds)));
  await deps.startLane(key);
}

/** Sends the first delivery of a line. Until when it waits; nothing if the next one may be sent. */
async function sendFirst(deps: SendLaneDeps, delivery: Delivery) {
  const { deliveries } = deps;
  const now = deps.now();
  if (delivery.nextAttemptAt !== null && new Date(delivery.nextAttemptAt) > now)
    return delivery.nextAttemptAt;
  const all = await deps.webhooks.list(delivery.accountId);
  const webhook = all.find(({ id }) => id === delivery.webhookId);
  const isOver = webhook === undefined || isEnded(webhook, delivery, now);
  if (isOver || !(await isActive(deps, delivery)) || !(await hasLiveKey(deps, webhook, delivery))) {
    await deliveries.finish({ ...delivery, state: 'failed', nextAttemptAt: null });
    return undefined;
  }
  const place = slowPlace(deps, delivery.accountId);
  if (isSlow(webhook, now) && !(await place.reserve())) return comeAgain(deps, delivery, now);
  try {
    if (!(await countVisitors(deps, delivery, now))) {
      if (!hasOwnLine(delivery)) return await deliveries.move(delivery, lineOfVisitors(delivery));
      return instant(plusSeconds(now, secondsLeft(3600, now)));
    }
    if (!(await countDelivery(deps, delivery, now)))
      return instant(plusSeconds(now, secondsLeft(3600, now)));
    return await sendCounted(deps, webhook, { delivery, place });
  } finally {
    await place.release();
  }
}

/** Passes a line without a place to its queue again; the sweep has it too, if that message is lost. */
async function comeAgain(deps: SendLaneDeps, delivery: Delivery, now: Date): Promise<Instant> {
  const seconds = await waitForSlowPlace(deps.counters, delivery.accountId, now);
  await deps.startLane(delivery, seconds);
  return instant(plusSeconds(now, seconds + queuedSeconds));
}

/** A delivery that is sent, and the place that it holds or may need. */
interface Attempt {
  delivery: Delivery;
  place: SlowPlace;
}

/** Sends a delivery. Until when it waits; nothing if the next one may be sent. */
async function sendCounted(deps: SendLaneDeps, webhook: Webhook, started: Attempt) {
  const { deliveries } = deps;
  const { delivery } = started;
  const result = await attempt(deps, webhook, started);
  const after = afterAttempt(delivery, result, deps.now());
  await (after.state === 'waiting' ? deliveries.update(after) : deliveries.finish(after));
  await noteResult(deps, webhook, { ...after, result });
  return after.nextAttemptAt ?? undefined;
}

/** Counts an attempt that visitors caused; false if the account has had those of the hour. */
async function countVisitors(
  { counters }: Pick<SendLaneDeps, 'counters'>,
  { accountId, type }: Delivery,
  now: Date,
): Promise<boolean> {
  if (!causedByVisitors.has(type)) return true;
  const key = `webhooks#${accountId}#visitors`;
  return (await counters.count(key, 3600, now)) <= maxVisitorAttemptsPerHour;
}

/** Counts an attempt; false if the account has had those of the hour. */
async function countDelivery(
  { counters }: Pick<SendLaneDeps, 'counters'>,
  { accountId }: Delivery,
  now: Date,
): Promise<boolean> {
  return (await counters.count(`webhooks#${accountId}`, 3600, now)) <= maxAttemptsPerHour;
}

/** A suspended account, or one that its owner deleted, sends nothing; what happens meanwhile is not sent later. */
async function isActive(
  { accounts }: Pick<SendLaneDeps, 'accounts'>,
  { accountId }: Delivery,
): Promise<boolean> {
  const account = await accounts.get(accountId);
  return account !== undefined && accountState(account) === 'active';
}

/** Whether the key of a webhook still works; if not, the webhook is removed. */
async function hasLiveKey(
  deps: SendLaneDeps,
  { id, url, keyHash }: Webhook,
  { accountId }: Delivery,
): Promise<boolean> {
  if (keyHash === undefined) return true;
  const key = await deps.keys.find(keyHash);
  if (key?.accountId === accountId && !hasExpired(key, deps.now())) return true;
  const isRemoved = await deps.webhooks.change(accountId, (all) => {
    const others = all.filter((one) => one.id !== id || one.keyHash !== keyHash);
    return others.length < all.length ? { next: others, result: true } : { result: false };
  });
  if (isRemoved) await mailOwner(deps, accountId, { url, since: null });
  return false;
}

/** A test reaches a webhook that is switched off. What is too old was waiting behind others. */
function isEnded({ enabled }: Webhook, delivery: Delivery, now: Date): boolean {
  return (!enabled && delivery.type !== 'webhook.test') || isTooOld(delivery, now);
}

async function attempt(
  deps: SendLaneDeps,
  { url, secrets, format }: Webhook,
  { delivery, place }: Attempt,
): Promise<Attempted> {
  const now = deps.now();
  const target = new URL(url);
  const at = instant(now);
  if (!isAllowedAddress(target, deps.allowsLoopback)) {
    return { at, milliseconds: 0, status: null, body: 'this address is not allowed' };
  }
  const body = deliveryBody(delivery, format, (host) => deps.addresses.siteUrl(host));
  const headers = signatureHeaders(secrets, { id: delivery.eventId, body }, now);
  return { at, ...(await deps.client.post(target, { headers, body }, () => place.reserve())) };
}

/** Notes since when a webhook fails and until when it is slow, and switches it off after three days, or when its receiver says that it is gone. */
async function noteResult(
  deps: SendLaneDeps,
  known: Webhook,
  { accountId, state, result }: Delivery & { result: AttemptResult },
): Promise<void> {
  const { id } = known;
  const now = deps.now();
  const isAsSlow = slowUntilAfter(known, result, now) === known.slowUntil;
  if (state === 'delivered' && known.failingSince === null && isAsSlow) return;
  const offSince = await deps.webhooks.change(accountId, (all) => {
    // What its former address answers says nothing of the new one.
    const found = all.find((one) => one.id === id && one.url === known.url);
    const next = found && afterResult(found, { ...result, state }, now);
    if (next === undefined) return { result: undefined };
    const isSwitchedOff = found?.enabled === true && !next.enabled;
    return {
      next: all.map((one) => (one.id === id ? next : one)),
      result: isSwitchedOff
        ? { url: next.url, since: next.failingSince ?? instant(now) }
        : undefined,
    };
  });
  if (offSince !== undefined) await mailOwner(deps, accountId, offSince);
}

/** The webhook after an attempt; nothing if that changes nothing of it. Pure. */
function afterResult(
  webhook: Webhook,
  result: AttemptResult & Pick<Delivery, 'state'>,
  now: Date,
): Webhook | undefined {
  const failingSince = result.state === 'delivered' ? null : (webhook.failingSince ?? instant(now));
  const slowUntil = slowUntilAfter(webhook, result, now);
  const isOver =
    failingSince !== null && plusSeconds(new Date(failingSince), failingSeconds) <= now;
  const enabled = webhook.enabled && !isOver && !isGone(webhook, result);
  const isSame = failingSince === webhook.failingSince && slowUntil === webhook.slowUntil;
  if (isSame && enabled === webhook.enabled) return undefined;
  return { ...webhook, failingSince, slowUntil, enabled };
}

/** Whether a receiver says that it is no more. Chats answer 404 then, and Discord asks to be left alone after it. */
function isGone({ format }: Webhook, { status }: Pick<AttemptResult, 'status'>): boolean {
  return status === 410 || (status === 404 && format !== 'standard');
}

async function mailOwner(
  deps: SendLaneDeps,
  accountId: AccountId,
  { url, since }: { url: string; since: Instant | null },
): Promise<void> {
  const account = await deps.accounts.get(accountId);
  if (account === undefined || !(await mayMail(deps, accountId, deps.now()))) return;
  await deps.webhookMailer
    .sendWebhookOff(account.email, { host: new URL(url).host, since })
    .catch((error: unknown) => deps.onFailure({ kind: 'webhook-mail', accountId }, error));
}
