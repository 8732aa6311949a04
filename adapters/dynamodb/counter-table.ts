import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import { epochSeconds, plusSeconds } from '../../core/instants.ts';
import type { Counters, LimitReader, ReservationResult } from '../../core/limits/counters.ts';
import { admitEvent, type RateLimitRule, limitStates } from '../../core/limits/sliding-window.ts';
import { changeEventTimes, readEventTimes } from './event-times.ts';
import { update, updated } from './writes.ts';

/** Counters in DynamoDB; rows expire by TTL after their windows. */
export function counterTable(
  client: DynamoDBDocumentClient,
  table: string,
): Counters & LimitReader {
  return {
    async count(key, windowSeconds, now, added = 1) {
      const start = Math.floor(now.getTime() / 1000 / windowSeconds) * windowSeconds;
      const counting = update(
        table,
        { key: `${key}#${start}` },
        {
          add: { events: added },
          set: { ttl: start + 2 * windowSeconds },
        },
      );
      return z.object({ events: z.number() }).parse(await updated(client, counting)).events;
    },
    async peek(key, rules, now) {
      const { times } = await readEventTimes(client, { table, key: { key } });
      return outcomeOf(times, rules, now);
    },
    async reserve(key, rules, now) {
      let outcome: ReservationResult | undefined;
      const isDecided = await changeEventTimes(client, { table, key: { key } }, (times) => {
        const admission = admitEvent(times, rules, now);
        outcome = outcomeOf(times, rules, now);
        if (!admission.admitted) return undefined;
        outcome = { reserved: true, limits: limitStates(admission.times, rules, now) };
        return { times: admission.times, ttl: windowsEnd(rules, now) };
      });
      if (isDecided && outcome !== undefined) return outcome;
      throw new Error(`counter ${key} was changed concurrently in every try`);
    },
    async release(key, reservedAt) {
      await changeEventTimes(client, { table, key: { key } }, (times) => {
        const at = times.indexOf(reservedAt.getTime());
        return at < 0 ? undefined : { times: times.toSpliced(at, 1) };
      });
    },
  };
}

function outcomeOf(
  times: readonly number[],
  rules: readonly RateLimitRule[],
  now: Date,
): ReservationResult {
  const admission = admitEvent(times, rules, now);
  const limits = limitStates(times, rules, now);
  return admission.admitted
    ? { reserved: true, limits }
    : { ...admission, reserved: false, limits };
}

/** One hour after the end of the longest window, for operators who read the table. */
function windowsEnd(rules: readonly RateLimitRule[], now: Date): number {
  const seconds = Math.max(...rules.map((rule) => rule.windowSeconds));
  return epochSeconds(plusSeconds(now, seconds + 3600));
}
