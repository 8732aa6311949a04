import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import { AccountId, Instant } from '../../contract/fields.ts';
import { daySeconds } from '../../contract/limits.ts';
import { DeliveryEvent, DeliveryId } from '../../contract/operations/webhook-deliveries.ts';
import { WebhookId } from '../../contract/operations/webhooks.ts';
import { instant, plusSeconds } from '../instants.ts';
import { timeOrderedId } from '../time-ordered-id.ts';
import { type AccountEvent, type LaneKey, receiversOf, type Webhook } from './webhook.ts';

export { DeliveryId };

/** How a receiver answered an attempt, or why there was no answer. */
export const AttemptResult = z.object({
  at: Instant,
  milliseconds: z.int(),
  status: z.nullable(z.int()),
  /** The first 1,000 bytes of the answer as text, or the reason why there was none. */
  body: z.string(),
});
export type AttemptResult = z.infer<typeof AttemptResult>;

/** One event on its way to one webhook. */
export const Delivery = z.object({
  id: DeliveryId,
  /** The same for each delivery of an event, so that a receiver can leave out what it has. */
  eventId: z.uuid(),
  webhookId: WebhookId,
  accountId: AccountId,
  /** Its line: the project that it is about, or `account`; with `~<id>` or `~visitors` behind it a line of its own. */
  subject: z.string(),
  type: DeliveryEvent,
  /** When it happened. */
  at: Instant,
  /** `data` as JSON. */
  data: z.string(),
  state: z.enum(['waiting', 'delivered', 'failed']),
  createdAt: Instant,
  attempts: z.int(),
  nextAttemptAt: z.nullable(Instant),
  lastAttempt: z.nullable(AttemptResult),
});
export type Delivery = z.infer<typeof Delivery>;

/**
 * Attempts of an account in an hour for what visitors and senders of files cause, who need no account: the rest of its
 * attempts is for everything else.
 */
export const maxVisitorAttemptsPerHour = 800;

/** As many deliveries of a webhook are listed, and of those that wait, as many can be brought forward. */
export const maxListed = 50;

/** Deliveries, each in the line of its webhook and project. */
export interface DeliveryStore {
  /** Adds a delivery at the end of its line, outside of another transaction. */
  add(delivery: Delivery): Promise<void>;
  /** The newest deliveries of a webhook, newest first. */
  list(webhookId: WebhookId, limit: number): Promise<Delivery[]>;
  /** A delivery that has ended. */
  find(webhookId: WebhookId, id: DeliveryId): Promise<Delivery | undefined>;
  /** Makes the line due in which a delivery waits, from its beginning; false if it is not listed among those that wait. */
  bringForward(webhookId: WebhookId, id: DeliveryId, now: Instant): Promise<boolean>;
  /** Postpones a line that is due until then; false if it is not due. */
  postpone(key: LaneKey, now: Date, until: Instant): Promise<boolean>;
  /**
   * Takes a line for one sender until then, and returns how many deliveries were added since it began; nothing if
   * there is no line or another sender has it.
   */
  lease(key: LaneKey, now: Date, until: Instant): Promise<number | undefined>;
  first(key: LaneKey): Promise<Delivery | undefined>;
  /** Notes an attempt after which the delivery waits. */
  update(delivery: Delivery): Promise<void>;
  /** Takes a delivery that is delivered or failed out of its line. */
  finish(delivery: Delivery): Promise<void>;
  /** Moves a delivery that waits to the end of another line of its webhook. */
  move(delivery: Delivery, subject: string): Promise<void>;
  /** Gives a line back that is due again then. */
  release(key: LaneKey, dueAt: Instant): Promise<void>;
  /** Removes an empty line; if more deliveries than `added` were added, does not, and returns how many. */
  end(key: LaneKey, added: number): Promise<number | undefined>;
  /** Removes all lines and deliveries of a webhook. */
  removeAll(webhookId: WebhookId): Promise<void>;
}

/** For so long the deliveries of a webhook are listed. */
export const keptSeconds = 14 * daySeconds;

/** The longest time between attempts. */
const longestWaitSeconds = 21_600;
/** Seconds between attempts; the tenth is 23 hours after the first, and the last unless its owner asks for more. */
const waits = [60, 300, 900, 3600, 7200, 14_400, 14_400, longestWaitSeconds];

/** A delivery is given up when it is older than this. */
const giveUpSeconds = daySeconds;

/** Strangers make as many of these as they like: nothing else waits behind them. */
const ofVisitors: ReadonlySet<DeliveryEvent> = new Set(['project.opened', 'project.first_opened']);

/** The line of what visitors of a project cause. */
export const lineOfVisitors = ({ subject }: Pick<Delivery, 'subject'>) => `${subject}~visitors`;

/**
 * A new delivery of an event to a webhook. The events of a project sort by their time.
 * @param place of the event among those of one change
 */
export function newDelivery(
  { id: webhookId }: Pick<Webhook, 'id'>,
  event: Omit<AccountEvent, 'type'> & { type: DeliveryEvent },
  place = 0,
): Delivery {
  const { type, at, accountId, projectId, data } = event;
  const subject = projectId ?? 'account';
  const line = ofVisitors.has(type) ? lineOfVisitors({ subject }) : subject;
  const known = { webhookId, accountId, subject: line, type, at, data: JSON.stringify(data) };
  return { ...known, eventId: randomUUID(), ...unsent(at, place) };
}

/** The deliveries of events that happen at once, to the webhooks that want them. */
export function deliveriesOf(
  webhooks: readonly Webhook[],
  events: readonly AccountEvent[],
): Delivery[] {
  return events.flatMap((event, place) =>
    receiversOf(webhooks, event).map((one) => newDelivery(one, event, place)),
  );
}

/** A test, or the same event once more: somebody waits for it, so it stands behind nothing that its receiver refused. */
export function atOnce(delivery: Delivery, now: Date): Delivery {
  const again = unsent(instant(now));
  return { ...delivery, ...again, subject: `${subjectOf(delivery)}~${again.id}` };
}

/** The project that a delivery is about, or `account`. */
export function subjectOf({ subject }: Pick<Delivery, 'subject'>): string {
  return subject.split('~', 1)[0] ?? subject;
}

/** Whether a delivery stands in another line than that of its project. */
export function hasOwnLine({ subject }: Pick<Delivery, 'subject'>): boolean {
  return subject.includes('~');
}

function unsent(createdAt: Instant, place = 0) {
  return {
    id: DeliveryId.parse(timeOrderedId(plusSeconds(new Date(createdAt), place / 1000))),
    state: 'waiting' as const,
    createdAt,
    attempts: 0,
    nextAttemptAt: createdAt,
    lastAttempt: null,
  };
}

/** The result of an attempt, and for how long its receiver asks to be left alone (RFC 9110, `Retry-After`). */
export interface Attempted extends AttemptResult {
  retryAfterSeconds?: number;
}

/** The delivery after an attempt: it arrived, waits for the next attempt, or is given up. Pure. */
export function afterAttempt(delivery: Delivery, attempted: Attempted, now: Date): Delivery {
  const { retryAfterSeconds = 0, ...result } = attempted;
  const attempts = delivery.attempts + 1;
  const noted = { ...delivery, attempts, lastAttempt: result };
  if (result.status !== null && result.status >= 200 && result.status < 300) {
    return { ...noted, state: 'delivered', nextAttemptAt: null };
  }
  const asked = Math.min(retryAfterSeconds, longestWaitSeconds);
  const next = plusSeconds(now, Math.max(waits[attempts - 1] ?? longestWaitSeconds, asked));
  return isTooOld(delivery, next)
    ? { ...noted, state: 'failed', nextAttemptAt: null }
    : { ...noted, nextAttemptAt: instant(next) };
}

/** Whether a delivery is given up at that time. Pure. */
export function isTooOld({ createdAt }: Pick<Delivery, 'createdAt'>, at: Date): boolean {
  return plusSeconds(new Date(createdAt), giveUpSeconds) <= at;
}
