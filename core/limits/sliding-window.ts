/** At most `limit` events in any `windowSeconds`; with `from: 'first'`, in each window that begins with its first event. */
export interface RateLimitRule {
  limit: number;
  windowSeconds: number;
  from?: 'any' | 'first';
}

/** Whether a new event is admitted, or how long to wait. */
export type Admission =
  | { admitted: true; times: number[] }
  | { admitted: false; rule: RateLimitRule; retryAfterSeconds: number };

/**
 * Whether one more event fits every rule. Pure: `times` are the earlier events in milliseconds.
 *
 * Exact over any window, not only over calendar minutes: the earlier events themselves are kept,
 * never more than the largest limit of them.
 */
export function admitEvent(
  times: readonly number[],
  rules: readonly RateLimitRule[],
  now: Date,
): Admission {
  const at = now.getTime();
  const blocked = rules
    .map((rule) => ({ rule, waitMs: waitFor(rule, times, at) }))
    .filter(({ waitMs }) => waitMs > 0)
    .sort((a, b) => b.waitMs - a.waitMs)[0];
  if (blocked !== undefined) {
    const retryAfterSeconds = Math.ceil(blocked.waitMs / 1000);
    return { admitted: false, rule: blocked.rule, retryAfterSeconds };
  }
  const longestMs = Math.max(...rules.map((rule) => rule.windowSeconds)) * 1000;
  return { admitted: true, times: [...times.filter((time) => time > at - longestMs), at] };
}

function waitFor(rule: RateLimitRule, times: readonly number[], at: number): number {
  const windowMs = rule.windowSeconds * 1000;
  if (rule.from === 'first') return waitForWindow(rule.limit, windowMs, times, at);
  const inside = times.filter((time) => time > at - windowMs).sort((a, b) => a - b);
  const oldestThatMustLeave = inside[inside.length - rule.limit];
  return oldestThatMustLeave === undefined ? 0 : oldestThatMustLeave + windowMs - at;
}

function waitForWindow(limit: number, windowMs: number, times: readonly number[], at: number) {
  const { count, ends } = openWindow(windowMs, times);
  return at < ends && count >= limit ? ends - at : 0;
}

/** The last window that an event opened: its number of events, and when it ends. */
function openWindow(windowMs: number, times: readonly number[]) {
  let opened = Number.NEGATIVE_INFINITY;
  let count = 0;
  for (const time of times.toSorted((a, b) => a - b)) {
    if (time >= opened + windowMs) {
      opened = time;
      count = 0;
    }
    count += 1;
  }
  return { count, ends: opened + windowMs };
}

/** The state of every rule after these events. */
export function limitStates(
  times: readonly number[],
  rules: readonly RateLimitRule[],
  now: Date,
): LimitState[] {
  const at = now.getTime();
  return rules.map((rule) => {
    const { count, ends } = windowUsage(rule, times, at);
    return {
      limit: rule.limit,
      remaining: Math.max(0, rule.limit - count),
      resetSeconds: Math.max(1, Math.ceil((ends - at) / 1000)),
    };
  });
}

function windowUsage(rule: RateLimitRule, times: readonly number[], at: number) {
  const windowMs = rule.windowSeconds * 1000;
  if (rule.from === 'first') {
    const open = openWindow(windowMs, times);
    return at < open.ends ? open : { count: 0, ends: at };
  }
  const inside = times.filter((time) => time > at - windowMs);
  // When the oldest event leaves the window, one more place is free.
  return { count: inside.length, ends: inside.length === 0 ? at : Math.min(...inside) + windowMs };
}

/** The state of one limit for a caller. */
export interface LimitState {
  limit: number;
  remaining: number;
  /** Whole seconds until more is available; at least 1. */
  resetSeconds: number;
}

/** Records the limits of a request for the headers of its response. */
export function recordLimits(
  caller: { limits?: LimitState[] },
  states: readonly LimitState[],
): void {
  caller.limits?.push(...states);
}

/** The limit with the least left; among equals the one that resets last. */
export function tightestLimit(states: readonly LimitState[]): LimitState | undefined {
  return states.toSorted((a, b) => a.remaining - b.remaining || b.resetSeconds - a.resetSeconds)[0];
}

/**
 * The earliest time, `now` or later, at which one more event fits every rule after all events that
 * are planned already. Pure.
 */
export function nextPlaceAt(
  times: readonly number[],
  rules: readonly RateLimitRule[],
  now: Date,
): Date {
  const free = rules.map(({ limit, windowSeconds }) => {
    const oldestThatMustLeave = times[times.length - limit];
    return oldestThatMustLeave === undefined ? 0 : oldestThatMustLeave + windowSeconds * 1000;
  });
  return new Date(Math.max(now.getTime(), times.at(-1) ?? 0, ...free));
}

/** The planned events with one more; those that no rule counts any more are left out. Pure. */
export function withPlace(
  times: readonly number[],
  rules: readonly RateLimitRule[],
  place: Date,
): number[] {
  return [...times, place.getTime()].slice(-Math.max(...rules.map(({ limit }) => limit)));
}
