/** Where the time comes from, in milliseconds. */
export interface Timers {
  now(): number;
  /** Returns what stops it. */
  after(delayMs: number, call: () => void): () => void;
}

const browserTimers: Timers = {
  now: () => performance.now(),
  after(delayMs, call) {
    const timer = setTimeout(call, delayMs);
    return () => clearTimeout(timer);
  },
};

/**
 * The time that something may work. The time in which it waits for others is not counted, so that
 * a slow network ends nothing.
 */
export class WorkDeadline {
  readonly #expire: () => void;
  readonly #timers: Timers;
  #leftMs: number;
  #waits = 0;
  #stop: (() => void) | undefined;
  #startedAt = 0;
  #isOver = false;

  /** @param expire is called once, when it has worked for so many seconds */
  constructor(seconds: number, expire: () => void, timers = browserTimers) {
    this.#leftMs = seconds * 1000;
    this.#expire = expire;
    this.#timers = timers;
    // The time counts from the first `proceed`.
    this.wait();
  }

  /** Every call needs one of `proceed` afterwards. */
  wait(): void {
    this.#waits += 1;
    if (this.#stop === undefined) return;
    this.#stop();
    this.#stop = undefined;
    this.#leftMs -= this.#timers.now() - this.#startedAt;
  }

  /** What was waited for is there. */
  proceed(): void {
    this.#waits -= 1;
    if (this.#waits > 0 || this.#isOver) return;
    this.#startedAt = this.#timers.now();
    this.#stop = this.#timers.after(this.#leftMs, () => {
      this.#isOver = true;
      this.#expire();
    });
  }

  /** Stops the clock: the work is done. */
  end(): void {
    this.#isOver = true;
    this.#stop?.();
  }
}
