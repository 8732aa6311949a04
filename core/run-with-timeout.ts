import { createContext, Script } from 'node:vm';

const call = new Script('work()');
const scope: { work?: () => void } = {};
const context = createContext(scope);
/** When the run around the present one must have ended, on the clock of `performance`. */
let endsAt = Infinity;

/**
 * The result of `work`, or `undefined` if it takes too long or fails. A hostile file can make reading it take for
 * ever, and others wait for the same function. Runs may be nested: the outer limit holds for what is within.
 */
export function runWithTimeout<T>(timeoutMs: number, work: () => T): T | undefined {
  let result: { value: T } | undefined;
  const outer = scope.work;
  const outerEndsAt = endsAt;
  endsAt = Math.min(outerEndsAt, performance.now() + timeoutMs);
  scope.work = () => {
    result = { value: work() };
  };
  try {
    const timeout = Math.max(1, Math.ceil(timeoutMs));
    // Node 20 ends the process where it adds the place to an error while a run around this one is out of time.
    call.runInContext(context, { timeout, displayErrors: false });
  } catch {
    result = undefined;
  } finally {
    scope.work = outer;
    endsAt = outerEndsAt;
  }
  // When a nested run has had its time, Node ends all terminations, also that of the run around it.
  if (performance.now() > outerEndsAt) throw new Error('The run around this one has had its time.');
  return result?.value;
}

/** Time that several pieces of work spend together. */
export interface SharedTime {
  /** As {@link runWithTimeout}, with what is left; `undefined` at once when nothing is. */
  run<T>(work: () => T): T | undefined;
}

/** @param totalMs for all of them */
export function sharedTime(totalMs: number): SharedTime {
  let leftMs = totalMs;
  return {
    run(work) {
      if (leftMs <= 0) return undefined;
      const start = performance.now();
      const result = runWithTimeout(leftMs, work);
      leftMs -= performance.now() - start;
      return result;
    },
  };
}
