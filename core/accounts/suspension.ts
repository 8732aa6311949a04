import type { AccountId } from '../../contract/fields.ts';
import { CodedError } from '../errors.ts';
import type { Account } from './account.ts';

/** How an account stands: free to act, suspended, or on its way back. */
export type AccountState = 'active' | 'suspended' | 'lifting';

/** The state that an account has to be in when something is written in its name. */
export interface AccountGuard {
  accountId: AccountId;
  expects: AccountState;
}

/** How an account stands, as its row says. */
export function stateOf({
  suspendedAt,
  liftingAt,
}: Pick<Account, 'suspendedAt' | 'liftingAt'>): AccountState {
  if (suspendedAt === undefined) return 'active';
  return liftingAt === undefined ? 'suspended' : 'lifting';
}

/**
 * Refuses an account that is suspended, whatever proved it.
 * @throws CodedError ACCOUNT_SUSPENDED
 */
export function requireActive(account: Pick<Account, 'suspendedAt' | 'liftingAt'>): void {
  if (stateOf(account) !== 'active') throw accountSuspended();
}

/** The one refusal of an account that is suspended. */
export function accountSuspended(): CodedError {
  return new CodedError('ACCOUNT_SUSPENDED', { error: 'This account is suspended.' });
}
