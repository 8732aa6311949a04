import type { Counters, LimitReader, ReservationResult } from './counters.ts';
import type { LimitState, RateLimitRule } from './sliding-window.ts';

/** One limit that an event counts toward. */
export interface LimitedPlace<Name extends string = string> {
  name: Name;
  key: string;
  rules: readonly RateLimitRule[];
}

/** A place under every limit, which can be released; or the limit that was full. */
export type RateLimitReservation<Name extends string = string> =
  | { reserved: true; limits: LimitState[]; release(): Promise<void> }
  | {
      reserved: false;
      name: Name;
      rule: RateLimitRule;
      retryAfterSeconds: number;
      limits: LimitState[];
    };

/** Reserves a place under each limit, or under none: if a later limit is full, earlier places are released. */
export async function reservePlaces<Name extends string>(
  counters: Pick<Counters, 'reserve' | 'release'>,
  places: readonly LimitedPlace<Name>[],
  now: Date,
): Promise<RateLimitReservation<Name>> {
  const reserved: string[] = [];
  const limits: LimitState[] = [];
  const release = async () => {
    await Promise.all(reserved.map((key) => counters.release(key, now)));
  };
  for (const { name, key, rules } of places) {
    const outcome = await counters.reserve(key, rules, now);
    limits.push(...outcome.limits);
    if (!outcome.reserved) {
      await release();
      return { ...outcome, name, limits };
    }
    reserved.push(key);
  }
  return { reserved: true, limits, release };
}

/** The first limit that is full now. Reserves nothing. */
export async function findFullLimit(
  counters: LimitReader,
  places: readonly LimitedPlace[],
  now: Date,
): Promise<Extract<ReservationResult, { reserved: false }> | undefined> {
  for (const { key, rules } of places) {
    const outcome = await counters.peek(key, rules, now);
    if (!outcome.reserved) return outcome;
  }
  return undefined;
}
