/** Something that was done and can be taken back. */
export interface UndoOffer {
  /** What was done, as a sentence. */
  text: string;
  /** Takes it back. Throws the error of the API. */
  run(): Promise<unknown>;
  /** Whose change it was. */
  account: string;
}

let offer: UndoOffer | undefined;
const listeners = new Set<() => void>();

/** Offers to take back the latest change; an earlier offer ends. `undefined` ends it without another. */
export function offerUndo(next: UndoOffer | undefined): void {
  offer = next;
  for (const listener of listeners) listener();
}

/** For `useSyncExternalStore`. */
export const undoStore = {
  subscribe: (listener: () => void): (() => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  snapshot: () => offer,
};
