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

/**
 * In an hour an account may publish as often as it may call in so many minutes, and those who have its upload links,
 * whose uploads cost more, as often as in so many more.
 */
const publications = {
  ofOwner: { minutes: 10, name: 'publications', what: 'publications of one account' },
  ofLinks: { minutes: 3, name: 'publications-by-links', what: 'uploads by links' },
};

/**
 * Refusals that may come when files are stored already, as by pushes at once that expect the same version: these cost
 * as much as a publication.
 */
const comesAfterStoring = new Set<string>([
  'VERSION_CONFLICT',
  'SLUG_TAKEN',
  'PROJECT_LIMIT_REACHED',
  'STORAGE_LIMIT_REACHED',
  'UPLOAD_FAILED',
  'UNAVAILABLE',
]);

/**
 * Counts one publication of an account: a version that is made, or made live. What each writes, with the deliveries
 * to webhooks, and what its removal costs later is many times the price of a request. Uploads by links have a counter
 * of their own: whoever has one must not keep the owner from publishing, nor learn the owner's plan.
 * @returns takes it back after a refusal before anything was stored, and throws the error again
 * @throws CodedError RATE_LIMITED over so many times the plan's `requestsPerMinute` in an hour
 */
export async function countPublication(
  deps: RequestLimitDeps,
  caller: Caller & { account: Account; linkHash?: string | undefined },
): Promise<(error: unknown) => Promise<never>> {
  const now = deps.now();
  const { id } = caller.account;
  const perMinute = deps.plans[effectiveTier(caller.account, now)].requestsPerMinute;
  const isByLink = caller.linkHash !== undefined;
  const { minutes, name, what } = publications[isByLink ? 'ofLinks' : 'ofOwner'];
  const rule = { limit: minutes * perMinute, windowSeconds: 3600 };
  const counted = { key: `${name}#${id}`, rule, what, isUntold: isByLink };
  const isCounted = perMinute !== -1;
  if (isCounted) await countAttempt(deps.counters, caller, counted, now);
  return async (error) => {
    if (isCounted && error instanceof CodedError && !comesAfterStoring.has(error.code)) {
      await deps.counters.count(counted.key, rule.windowSeconds, now, -1);
    }
    throw error;
  };
}
