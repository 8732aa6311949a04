import type { AccountId, Instant, Tier } from '../../contract/fields.ts';

/** What only an operator may change of an account. */
export interface AccountAdmin {
  /** Throws when there is no such account. */
  setTier(accountId: AccountId, tier: Tier): Promise<void>;
  /** Suspends an account from `at` on, unless it is suspended; one that is being lifted is suspended anew. */
  beginSuspension(accountId: AccountId, at: Instant): Promise<void>;
  /** Begins to lift a suspension; false when the account is not suspended. */
  beginLifting(accountId: AccountId, at: Instant): Promise<boolean>;
  /**
   * Ends a suspension whose lifting began at `liftingAt`, and moves the trial's end; false when
   * somebody began another one since then.
   */
  endSuspension(
    accountId: AccountId,
    liftingAt: Instant,
    trialEndsAt: Instant | null,
  ): Promise<boolean>;
}
