import type { AccountId, Instant } from '../../contract/fields.ts';
import { instant, plusSeconds } from '../instants.ts';
import type { Counters } from '../limits/counters.ts';
import { type RateLimitReservation, reservePlaces } from '../limits/reserve-places.ts';
import type { AttemptResult } from './delivery.ts';
import type { Webhook } from './webhook.ts';

/** A receiver that takes this long to answer is slow. */
const slowMilliseconds = 2000;

/** For so long after that. Noted again only in the second half, so that few attempts write it. */
const slowSeconds = 600;

/**
 * Five senders run at once (`lib/workers/queues.ts`), and a slow receiver holds one for up to ten seconds. Those of one
 * account hold at most two, those of all accounts three, so that two are always there for receivers that answer.
 * A sender that was cut off gives its place back after this time.
 */
const placeSeconds = 15;
const ofAccount = [{ limit: 2, windowSeconds: placeSeconds }];
const ofAll = [{ limit: 3, windowSeconds: placeSeconds }];

/** Two places make an attempt of ten seconds possible every five seconds: one line after the other comes again. */
const turnSeconds = 5;
/** SQS delays no message for longer. */
const longestWaitSeconds = 900;

type SlowWebhook = Pick<Webhook, 'slowUntil'>;

/** Until when a webhook counts as slow after an attempt. Pure. */
export function slowUntilAfter(
  { slowUntil }: SlowWebhook,
  { milliseconds }: Pick<AttemptResult, 'milliseconds'>,
  now: Date,
): Instant | undefined {
  if (milliseconds < slowMilliseconds) return slowUntil;
  const isNoted =
    slowUntil !== undefined && new Date(slowUntil) > plusSeconds(now, slowSeconds / 2);
  return isNoted ? slowUntil : instant(plusSeconds(now, slowSeconds));
}

/** Reserves a place for an attempt; a webhook that answers quickly needs none. */
export async function reserveSlowPlace(
  counters: Pick<Counters, 'reserve' | 'release'>,
  { slowUntil }: SlowWebhook,
  accountId: AccountId,
  now: Date,
): Promise<Pick<Extract<RateLimitReservation, { reserved: true }>, 'release'> | undefined> {
  if (slowUntil === undefined || new Date(slowUntil) <= now)
    return { release: () => Promise.resolve() };
  const places = [
    { name: 'account', key: `slow-webhooks#${accountId}`, rules: ofAccount },
    { name: 'all', key: 'slow-webhooks', rules: ofAll },
  ];
  const place = await reservePlaces(counters, places, now);
  return place.reserved ? place : undefined;
}

/** For how many seconds a line without a place waits: longer, the more lines of its account wait already. */
export async function waitForSlowPlace(
  counters: Pick<Counters, 'count'>,
  accountId: AccountId,
  now: Date,
): Promise<number> {
  const waiting = await counters.count(`slow-webhooks-waiting#${accountId}`, 60, now);
  return Math.min(longestWaitSeconds, waiting * turnSeconds);
}
