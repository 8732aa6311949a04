/** The local cloud's clock: real time plus what tests have moved it by. */
export interface Clock {
  now(): Date;
  /** Milliseconds that the clock runs ahead of real time. */
  readonly offsetMs: number;
}

/** A clock that can be moved forwards; every worker and service of the local cloud reads it. */
export function movableClock(onMove: (offsetMs: number) => void = () => undefined) {
  let offsetMs = 0;
  return {
    now: () => new Date(Date.now() + offsetMs),
    get offsetMs() {
      return offsetMs;
    },
    advance(ms: number): void {
      offsetMs += ms;
      onMove(offsetMs);
    },
  };
}
