/** The calls that wait until somebody has signed in again, each with what it is told. */
let waiting: ((isSignedIn: boolean) => void)[] = [];
const listeners = new Set<() => void>();

function tellListeners(): void {
  for (const listener of listeners) listener();
}

/**
 * Asks to sign in again, over the page that is open. Many calls may wait for the same answer.
 * @returns whether somebody did; at once `false` where no view of an account is open
 */
export function signInAgain(): Promise<boolean> {
  if (listeners.size === 0) return Promise.resolve(false);
  return new Promise((resolve) => {
    waiting.push(resolve);
    tellListeners();
  });
}

/** Ends the question. The calls that waited for it go on, or fail. */
export function endQuestion(isSignedIn: boolean): void {
  const told = waiting;
  waiting = [];
  for (const tell of told) tell(isSignedIn);
  tellListeners();
}

/** Whether the question is open, for `useSyncExternalStore`. */
export const sessionEnd = {
  subscribe: (listener: () => void): (() => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  snapshot: () => waiting.length > 0,
};
