import { createContext, Script } from 'node:vm';

const call = new Script('work()');

/**
 * What `work` gives, or `undefined` when it takes longer than this or fails. A file can be made so
 * that finding its words takes for ever; nobody else's page waits for that.
 */
export function within<T>(timeoutMs: number, work: () => T): T | undefined {
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
