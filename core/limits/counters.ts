import { describeWindow } from '../../contract/limits.ts';
import type { Caller } from '../caller.ts';
import { CodedError } from '../errors.ts';
import { type LimitState, type RateLimitRule, recordLimits } from './sliding-window.ts';
import { type Account, effectiveTier, type Plans } from '../accounts/account.ts';

/** Counts events; exact under concurrency. */
export interface Counters {
  /** Counts an event of `key`, or several, in the current fixed window and returns how many that makes; -1 takes one back. */
  count(key: string, windowSeconds: number, now: Date, events?: number): Promise<number>;
  /** Reserves one place under every rule, or returns how long to wait. */
  reserve(key: string, rules: readonly RateLimitRule[], now: Date): Promise<ReservationResult>;
  /** Releases a place that `reserve` reserved at `reservedAt`. */
  release(key: string, reservedAt: Date): Promise<void>;
}

/** Reads limits without counting an event. */
export interface LimitReader {
  /** The result that `reserve` would return now. */
  peek(key: string, rules: readonly RateLimitRule[], now: Date): Promise<ReservationResult>;
}

/** The result of {@link Counters.reserve}; `limits` is the state of every rule after it. */
export type ReservationResult =
  | { reserved: true; limits: LimitState[] }
  | { reserved: false; rule: RateLimitRule; retryAfterSeconds: number; limits: LimitState[] };

/** An event to count: its key, its limit, and its name in the error. */
export interface CountedEvent {
  key: string;
  rule: RateLimitRule;
  /** As in `At most 30 <what> in a minute`. */
  what: string;
  /** How many events this is; one by default. */
  events?: number | undefined;
  /** The limit is of somebody else: the caller does not learn it. */
  isUntold?: boolean;
}

/**
 * Refuses more than the rule's limit within one clock-aligned window. The headers of the response
 * show how much is left.
 * @throws CodedError RATE_LIMITED
 */
export async function countAttempt(
  counters: Pick<Counters, 'count'>,
  caller: Caller,
  { key, rule, what, events, isUntold = false }: CountedEvent,
  now: Date,
): Promise<void> {
  const attempts = await counters.count(key, rule.windowSeconds, now, events);
  const secondsIn = (now.getTime() / 1000) % rule.windowSeconds;
  const resetSeconds = Math.max(1, Math.ceil(rule.windowSeconds - secondsIn));
  const remaining = Math.max(0, rule.limit - attempts);
  if (!isUntold) recordLimits(caller, [{ limit: rule.limit, remaining, resetSeconds }]);
  if (attempts <= rule.limit) return;
  const window = describeWindow(rule.windowSeconds);
  throw new CodedError('RATE_LIMITED', {
    error: isUntold
      ? `There were too many ${what} in ${window}.`
      : `At most ${rule.limit} ${what} in ${window}.`,
    retryAfterSeconds: resetSeconds,
  });
}

/** Dependencies of {@link countRequest}. */
export interface RequestLimitDeps {
  counters: Pick<Counters, 'count'>;
  plans: Plans;
  now(): Date;
}

/**
 * Counts one request of an account, with any of its keys, in the current clock minute.
 * @throws CodedError RATE_LIMITED over the plan's `requestsPerMinute`
 */
export async function countRequest(
  deps: RequestLimitDeps,
  caller: Caller & { account: Account },
): Promise<void> {
  const now = deps.now();
  const { id } = caller.account;
  const limit = deps.plans[effectiveTier(caller.account, now)].requestsPerMinute;
  if (limit === -1) return;
  const rule = { limit, windowSeconds: 60 };
  const counted = { key: `requests#${id}`, rule, what: 'requests of one account' };
  await countAttempt(deps.counters, caller, counted, now);
}
