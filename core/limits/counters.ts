import type { Caller } from '../caller.ts';
import { CodedError } from '../errors.ts';
import { type LimitState, noteLimits } from './limit-state.ts';
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

/** Looks at limits without using them up. */
export interface LimitReader {
  /** What `take` would answer now. */
  peek(key: string, rules: readonly Rule[], now: Date): Promise<Taken>;
}

/** The answer of {@link Counters.take}; `limits` is how every rule stands after it. */
export type Taken =
  | { taken: true; limits: LimitState[] }
  | { taken: false; rule: Rule; retryAfterSeconds: number; limits: LimitState[] };

/** What is counted: its key, how often it may be in one window, and what to call it. */
export interface Counted {
  key: string;
  rule: Rule;
  /** As in `At most 30 <what> in a minute`. */
  what: string;
}

/**
 * Refuses more than the rule's limit within one clock-aligned window; the caller's answer tells how
 * much is left.
 * @throws CodedError RATE_LIMITED
 */
export async function countAttempt(
  counters: Pick<Counters, 'count'>,
  caller: Caller,
  { key, rule, what }: Counted,
  now: Date,
): Promise<void> {
  const attempts = await counters.count(key, rule.windowSeconds, now);
  const secondsIn = (now.getTime() / 1000) % rule.windowSeconds;
  const resetSeconds = Math.max(1, Math.ceil(rule.windowSeconds - secondsIn));
  const remaining = Math.max(0, rule.limit - attempts);
  noteLimits(caller, [{ limit: rule.limit, remaining, resetSeconds }]);
  if (attempts <= rule.limit) return;
  throw new CodedError('RATE_LIMITED', {
    error: `At most ${rule.limit} ${what} in ${spell(rule.windowSeconds)}.`,
    retryAfterSeconds: resetSeconds,
  });
}

/** A window's length in words: `a minute`, `an hour`, `90 seconds`. */
export function spell(seconds: number): string {
  if (seconds === 60) return 'a minute';
  if (seconds === 3600) return 'an hour';
  return `${seconds} seconds`;
}
