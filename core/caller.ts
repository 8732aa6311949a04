import type { Account } from './accounts/account.ts';
import type { StoredKey } from './accounts/api-key.ts';

/** Who is asking: the address that the edge saw, and the request's id for answers and logs. */
export interface Caller {
  address: string;
  requestId: string;
}

/** A caller who may have sent a key. */
export interface MaybeAccountCaller extends Caller {
  account?: Account | undefined;
}

/** A caller who sent a key, and the account it belongs to. */
export interface AccountCaller extends Caller {
  account: Account;
  key: StoredKey;
}
