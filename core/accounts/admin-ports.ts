import type { AccountId, Tier } from '../../contract/fields.ts';

/** What only an operator may change of an account. */
export interface AccountAdmin {
  /** Throws when there is no such account. */
  setTier(accountId: AccountId, tier: Tier): Promise<void>;
}
