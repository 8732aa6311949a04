/** The local cloud's clock: real time plus an offset. */
export interface Clock {
  now(): Date;
  /** Milliseconds ahead of real time. */
  readonly offsetMs: number;
}

/** A clock that can be moved forwards, shared by all workers and services. */
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
