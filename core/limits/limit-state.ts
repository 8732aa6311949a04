/** How much of one limit is left to a caller. */
export interface LimitState {
  limit: number;
  remaining: number;
  /** Until more is left than now; a whole number, never 0. */
  resetSeconds: number;
}

/** Notes limits that this request met, so that its answer can tell of them. */
export function noteLimits(caller: { limits?: LimitState[] }, states: readonly LimitState[]): void {
  caller.limits?.push(...states);
}

/** The limit of which the least is left; of equals the one that lasts longest. */
export function tightest(states: readonly LimitState[]): LimitState | undefined {
  return states.toSorted((a, b) => a.remaining - b.remaining || b.resetSeconds - a.resetSeconds)[0];
}
