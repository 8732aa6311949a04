import type { Counters, LimitReader, Taken } from './counters.ts';
import type { LimitState } from './limit-state.ts';
import type { Rule } from './sliding-window.ts';

/** What an event is counted under. */
export interface LimitedPlace<Name extends string = string> {
  /** Which of the limits it is, for whoever is refused. */
  name: Name;
  key: string;
  rules: readonly Rule[];
}

/** A place under every limit, until it is kept or released; or the limit that had none. */
export type RateLimitReservation<Name extends string = string> =
  | { reserved: true; limits: LimitState[]; release(): Promise<void> }
  | { reserved: false; name: Name; retryAfterSeconds: number; limits: LimitState[] };

/** Takes a place under each limit, or under none: what was taken is given back when a later one is full. */
export async function reservePlaces<Name extends string>(
  counters: Pick<Counters, 'take' | 'giveBack'>,
  places: readonly LimitedPlace<Name>[],
  now: Date,
): Promise<RateLimitReservation<Name>> {
  const reserved: string[] = [];
  const limits: LimitState[] = [];
  const release = async () => {
    await Promise.all(reserved.map((key) => counters.giveBack(key, now)));
  };
  for (const { name, key, rules } of places) {
    const outcome = await counters.take(key, rules, now);
    limits.push(...outcome.limits);
    if (!outcome.taken) {
      await release();
      return { reserved: false, name, retryAfterSeconds: outcome.retryAfterSeconds, limits };
    }
    reserved.push(key);
  }
  return { reserved: true, limits, release };
}

/** The first limit that has no place now; takes nothing. */
export async function findFullLimit(
  counters: LimitReader,
  places: readonly LimitedPlace[],
  now: Date,
): Promise<Extract<Taken, { taken: false }> | undefined> {
  for (const { key, rules } of places) {
    const outcome = await counters.peek(key, rules, now);
    if (!outcome.taken) return outcome;
  }
  return undefined;
}
