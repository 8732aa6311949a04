/** An answer as it is repeated: without what belongs to one request alone. */
export interface Answer {
  status: number;
  headers: Record<string, string>;
  /** Of Set-Cookie, which cannot be joined. */
  cookies?: string[] | undefined;
  body: string;
}

/** What a request finds under its key. `mark` tells whether the request there was the same. */
export type Found =
  | { state: 'begun' }
  | { state: 'running'; mark: string; leaseEndsAt: string }
  | { state: 'answered'; mark: string; sealed: Uint8Array };

/** Where answers wait to be repeated; of many who begin at once, one does. */
export interface AnswerStore {
  /** Takes `row` for one request, or tells what is there; a lease that ended is taken over by the same request. */
  begin(row: string, claim: { mark: string; holder: string }, now: Date): Promise<Found>;
  /** What stands in `row`, without taking it; undefined where `begin` would take it. */
  look(row: string, now: Date): Promise<Exclude<Found, { state: 'begun' }> | undefined>;
  /** Keeps the answer for 24 hours from the beginning, unless the row is held by somebody else. */
  keep(row: string, holder: string, sealed: Uint8Array): Promise<void>;
  /** Forgets the request, so that the next one runs. */
  release(row: string, holder: string): Promise<void>;
}

/** Longer than any function runs: whoever still holds a row after it has crashed. */
export const leaseSeconds = 60;

/** How long an answer is repeated (docs/contract.md, "Success and errors"). */
export const keptSeconds = 24 * 3600;
