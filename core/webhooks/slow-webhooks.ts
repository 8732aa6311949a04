import type { AccountId, Instant } from '../../contract/fields.ts';
import { instant, plusSeconds } from '../instants.ts';
import type { Counters } from '../limits/counters.ts';
import { reservePlaces } from '../limits/reserve-places.ts';
import type { AttemptResult } from './delivery.ts';
import type { Webhook } from './webhook.ts';

/** A receiver that takes this long to answer is slow. */
export const slowMilliseconds = 2000;

/** For so long after that. Noted again only in the second half, so that few attempts write it. */
const slowSeconds = 600;

/**
 * Five senders run at once (`lib/workers/queues.ts`), and a slow receiver holds one for up to ten seconds. Those of one
 * account hold at most two, those of all accounts three, so that two are there for receivers that answer. An attempt
 * that nobody expected to be slow needs its place after two seconds, and ends then if there is none.
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

/** Whether each attempt of a webhook needs a place from its beginning. Pure. */
export function isSlow({ slowUntil }: SlowWebhook, now: Date): boolean {
  return slowUntil !== undefined && new Date(slowUntil) > now;
}

/** A place for an attempt at a slow receiver; an answer that comes quickly needs none. */
export interface SlowPlace {
  /** Reserves it, once. False if there is none. */
  reserve(): Promise<boolean>;
  /** Gives it back, if it was reserved. */
  release(): Promise<void>;
}

/** The place that an attempt of an account may come to need. */
export function slowPlace(
  deps: { counters: Pick<Counters, 'reserve' | 'release'>; now(): Date },
  accountId: AccountId,
): SlowPlace {
  const places = [
    { name: 'account', key: `slow-webhooks#${accountId}`, rules: ofAccount },
    { name: 'all', key: 'slow-webhooks', rules: ofAll },
  ];
  let reserving: ReturnType<typeof reservePlaces> | undefined;
  return {
    async reserve() {
      reserving ??= reservePlaces(deps.counters, places, deps.now());
      return (await reserving).reserved;
    },
    async release() {
      const place = await reserving;
      if (place?.reserved === true) await place.release();
    },
  };
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
