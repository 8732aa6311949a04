import type { Account } from './accounts/account.ts';
import type { StoredKey } from './accounts/api-key.ts';
import type { LimitState } from './limits/limit-state.ts';

/** Who is asking: the address that the edge saw, and the request's id for answers and logs. */
export interface Caller {
  address: string;
  requestId: string;
  /** Limits that this request met; the tightest is told in the answer's headers. */
  limits?: LimitState[];
}

/** A caller who sent a key, and the account it belongs to. */
export interface AccountCaller extends Caller {
  account: Account;
  key: StoredKey;
}
