/** What takes no longer, in milliseconds, is not counted. Ordinary texts take less. */
export const quickMs = 100;
/** Time that may be used at once after a rest, in milliseconds, and the part of the time that passes which is added to it. */
const savedMs = 1000;
const share = 0.1;
/** The gate has ten seconds for a request: reading a large text, and showing it as code after all, take some of them. */
export const mostSettingMs = 6000;

/** The time that is left in this process for setting texts which take long. */
export interface SettingTime {
  /** What one text may take, in milliseconds. Behind that it is shown as it is written. */
  mostMs: number;
  /** Whether a text may take as long as it needs. */
  isLeft(): boolean;
  /** Runs a piece of work, and counts what it takes beyond {@link quickMs}. */
  count<T>(work: () => T): T;
}

/**
 * Lets texts that take long to set have a tenth of the time of a function, however many are viewed. The last one may
 * take more than what is left; then the next ones have to wait the longer.
 *
 * Setting a file of half a megabyte takes seconds, and an address can be written in many ways that the edge does not
 * know: without a limit, one visitor with some views a second would keep the functions of a small AWS account busy.
 * @param clock milliseconds of a clock that nobody sets
 */
export function settingTime(
  clock: () => number = () => performance.now(),
  mostMs = mostSettingMs,
): SettingTime {
  let leftMs = savedMs;
  let seenAt = clock();
  const update = (spentMs: number) => {
    const at = clock();
    leftMs = Math.min(savedMs, leftMs + (at - seenAt) * share) - spentMs;
    seenAt = at;
  };
  return {
    mostMs,
    isLeft() {
      update(0);
      return leftMs > 0;
    },
    count(work) {
      const begunAt = clock();
      try {
        return work();
      } finally {
        update(Math.max(0, clock() - begunAt - quickMs));
      }
    },
  };
}
