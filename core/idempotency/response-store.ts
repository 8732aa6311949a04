/** A response for replay, without the headers that belong to a single request. */
export interface StoredResponse {
  status: number;
  headers: Record<string, string>;
  /** Values of Set-Cookie, which cannot be joined into one header. */
  cookies?: string[] | undefined;
  body: string;
}

/** The state that a request finds for its key. `mark` is the fingerprint of the stored request. */
export type StoredState =
  | { state: 'begun' }
  | { state: 'running'; mark: string; leaseEndsAt: string }
  | { state: 'answered'; mark: string; sealed: Uint8Array };

/** Stores responses for replay. Of several concurrent requests with one key, exactly one runs. */
export interface ResponseStore {
  /**
   * Reserves `row` for one request, or returns its state. The same request takes over a lease that
   * has ended.
   */
  begin(row: string, claim: { mark: string; holder: string }, now: Date): Promise<StoredState>;
  /** Reads `row` without reserving it; undefined where `begin` would reserve it. */
  peek(row: string, now: Date): Promise<Exclude<StoredState, { state: 'begun' }> | undefined>;
  /** Stores the response until 24 hours after `begin`, unless another holder has the row. */
  keep(row: string, holder: string, sealed: Uint8Array): Promise<void>;
  /** Deletes the reservation, so that the next request runs. */
  release(row: string, holder: string): Promise<void>;
}

/** Longer than any function runs: a holder that still has a row after this time has crashed. */
export const leaseSeconds = 60;
