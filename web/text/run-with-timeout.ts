import { createContext, Script } from 'node:vm';

const call = new Script('work()');

/**
 * The result of `work`, or `undefined` if it takes too long or fails. A hostile file can make
 * highlighting take for ever, and other visitors must not wait for it.
 */
export function runWithTimeout<T>(timeoutMs: number, work: () => T): T | undefined {
  let result: { value: T } | undefined;
  const context = createContext({
    work: () => {
      result = { value: work() };
    },
  });
  try {
    call.runInContext(context, { timeout: timeoutMs });
  } catch {
    return undefined;
  }
  return result?.value;
}
