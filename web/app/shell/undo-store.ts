/** Something that was done and can be taken back. */
export interface UndoOffer {
  /** What was done, as a sentence. */
  text: string;
  /** Takes it back. Throws the error of the API. */
  run(): Promise<unknown>;
  /** Whose change it was. */
  account: string;
  /** What it changed. */
  projectIds: readonly string[];
}

/** Two changes may have the same text. */
type NumberedOffer = UndoOffer & { number: number };

let offer: NumberedOffer | undefined;
let latest = 0;
const listeners = new Set<() => void>();

function show(next: NumberedOffer | undefined): void {
  offer = next;
  for (const listener of listeners) listener();
}

/** Offers to take the latest change back; an earlier offer ends. */
export function offerUndo(next: UndoOffer): void {
  latest += 1;
  show({ ...next, number: latest });
}

/** Ends an offer, unless a later one has taken its place. */
export function endUndo({ number }: Pick<NumberedOffer, 'number'>): void {
  if (offer?.number === number) show(undefined);
}

/** Ends an offer of a project that has changed since. */
export function endUndoOf(projectId: string): void {
  if (offer?.projectIds.includes(projectId) === true) show(undefined);
}

/** For `useSyncExternalStore`. */
export const undoStore = {
  subscribe: (listener: () => void): (() => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  snapshot: () => offer,
};
