import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import { epochSeconds, plusSeconds } from '../../core/instants.ts';
import type { Counters, LimitReader, ReservationResult } from '../../core/limits/counters.ts';
import { admitEvent, type RateLimitRule, limitStates } from '../../core/limits/sliding-window.ts';
import { backOff } from '../../core/back-off.ts';
import { findRow } from './read-rows.ts';
import { update, updated, write } from './writes.ts';

/** The row of a limit that knows when each event was. */
export const EventLog = z.object({
  times: z.array(z.number()),
  revision: z.number(),
  ttl: z.number(),
});
type EventLog = z.infer<typeof EventLog>;

/**
 * A limit allows only a few events, so a writer that keeps losing soon finds that none is allowed
 * any more.
 */
const raceTries = 40;

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
      const { times } = await readEventLog(client, table, key);
      return outcomeOf(times, rules, now);
    },
    async reserve(key, rules, now) {
      for (let tries = 1; tries <= raceTries; tries += 1) {
        const log = await readEventLog(client, table, key);
        const admission = admitEvent(log.times, rules, now);
        if (!admission.admitted) return outcomeOf(log.times, rules, now);
        const next = { ...log, times: admission.times, ttl: windowsEnd(rules, now) };
        if (await writeEventLog(client, table, key, next)) {
          return { reserved: true, limits: limitStates(next.times, rules, now) };
        }
        await backOff(tries);
      }
      throw new Error(`counter ${key} was changed concurrently in ${raceTries} tries`);
    },
    async release(key, reservedAt) {
      for (let tries = 1; tries <= raceTries; tries += 1) {
        const log = await readEventLog(client, table, key);
        const at = log.times.indexOf(reservedAt.getTime());
        if (at < 0) return;
        const next = { ...log, times: log.times.toSpliced(at, 1) };
        if (await writeEventLog(client, table, key, next)) return;
        await backOff(tries);
      }
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

async function readEventLog(
  client: DynamoDBDocumentClient,
  table: string,
  key: string,
): Promise<EventLog> {
  const found = await findRow(client, table, { key }, (row) => EventLog.parse(row));
  return found ?? { times: [], revision: 0, ttl: 0 };
}

/** Writes the log, unless it was changed since it was read. */
function writeEventLog(
  client: DynamoDBDocumentClient,
  table: string,
  key: string,
  { times, revision: seen, ttl }: EventLog,
): Promise<boolean> {
  const change = update(
    table,
    { key },
    {
      set: { times, revision: seen + 1, ttl },
      when: 'attribute_not_exists(revision) OR revision = :seen',
      values: { seen },
    },
  );
  return write(client, change);
}

/** One hour after the end of the longest window, for operators who read the table. */
function windowsEnd(rules: readonly RateLimitRule[], now: Date): number {
  const seconds = Math.max(...rules.map((rule) => rule.windowSeconds));
  return epochSeconds(plusSeconds(now, seconds + 3600));
}
