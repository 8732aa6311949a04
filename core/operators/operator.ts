import { type Account, normaliseEmail } from '../accounts/account.ts';
import type { SessionCaller } from '../caller.ts';
import { CodedError } from '../errors.ts';

/** Whether an account is named in the setting `operators`. */
export function isOperator(
  operators: readonly string[],
  { email }: Pick<Account, 'email'>,
): boolean {
  return operators.some((one) => normaliseEmail(one) === email);
}

/**
 * Refuses everybody but operators, with the answer for an address that does not exist.
 * @throws CodedError NOT_FOUND
 */
export function requireOperator(
  operators: readonly string[],
  { account }: Pick<SessionCaller, 'account'>,
): void {
  if (isOperator(operators, account)) return;
  throw new CodedError('NOT_FOUND', { error: 'There is nothing at this method and path.' });
}
