import { closedAccountDays } from '../../contract/limits.ts';
import type { AccountId } from '../../contract/fields.ts';
import { CodedError } from '../errors.ts';
import type { Account } from './account.ts';

/** Whether an account may act: `lifting` while an operator ends its suspension, which still counts as suspended. */
export type AccountState = 'active' | 'suspended' | 'lifting';

/** The state that an account must have for a write to succeed. */
export interface AccountGuard {
  accountId: AccountId;
  expects: AccountState;
}

/** The state of an account, from the fields of its row. */
export function accountState({
  suspendedAt,
  liftingAt,
}: Pick<Account, 'suspendedAt' | 'liftingAt'>): AccountState {
  if (suspendedAt === undefined) return 'active';
  return liftingAt === undefined ? 'suspended' : 'lifting';
}

/**
 * Refuses a suspended account, for every kind of authentication.
 * @throws CodedError ACCOUNT_SUSPENDED
 */
export function requireActive(
  account: Pick<Account, 'suspendedAt' | 'suspensionReason' | 'liftingAt' | 'closedAt'>,
): void {
  if (accountState(account) === 'active') return;
  if (account.closedAt === undefined) throw accountSuspended(account.suspensionReason);
  throw new CodedError('ACCOUNT_SUSPENDED', {
    error: 'This account was deleted by its owner.',
    nextStep: `Sign in with a code within ${closedAccountDays} days of that to restore everything.`,
  });
}

/** The error for a suspended account, with the operator's reason if there is one. */
export function accountSuspended(reason?: string): CodedError {
  const why = reason === undefined ? '.' : `: ${reason}`;
  return new CodedError('ACCOUNT_SUSPENDED', { error: `This account is suspended${why}` });
}
