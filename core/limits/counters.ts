import { CodedError } from '../errors.ts';
import type { Rule } from './sliding-window.ts';

/** Where events are counted; exact when many count at once. */
export interface Counters {
  /** Counts one event of `key` in the current fixed window and returns how many that makes. */
  count(key: string, windowSeconds: number, now: Date): Promise<number>;
  /** Takes one place under every rule, or says how long to wait; a place taken is seen by all. */
  take(key: string, rules: readonly Rule[], now: Date): Promise<Taken>;
  /** Gives back a place that `take` gave at `takenAt`. */
  giveBack(key: string, takenAt: Date): Promise<void>;
}

/** The answer of {@link Counters.take}. */
export type Taken = { taken: true } | { taken: false; rule: Rule; retryAfterSeconds: number };

/**
 * Refuses more than `rule.limit` tries of `key` within one clock-aligned window.
 * @throws CodedError RATE_LIMITED
 */
export async function countAttempt(
  counters: Counters,
  key: string,
  rule: Rule,
  now: Date,
): Promise<void> {
  const attempts = await counters.count(key, rule.windowSeconds, now);
  if (attempts <= rule.limit) return;
  const secondsIn = (now.getTime() / 1000) % rule.windowSeconds;
  throw new CodedError('RATE_LIMITED', {
    error: `At most ${rule.limit} tries in ${spell(rule.windowSeconds)} from one address.`,
    retryAfterSeconds: Math.max(1, Math.ceil(rule.windowSeconds - secondsIn)),
  });
}

/** A window's length in words: `a minute`, `an hour`, `90 seconds`. */
export function spell(seconds: number): string {
  if (seconds === 60) return 'a minute';
  if (seconds === 3600) return 'an hour';
  return `${seconds} seconds`;
}
