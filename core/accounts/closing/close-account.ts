import { closedAccountDays, daySeconds } from '../../../contract/limits.ts';
import type { Instant } from '../../../contract/fields.ts';
import type { AccountCaller } from '../../caller.ts';
import { CodedError, invalidField } from '../../errors.ts';
import { instant, plusSeconds } from '../../instants.ts';
import { type Account, normaliseEmail } from '../account.ts';
import { countAttempt, type Counters } from '../../limits/counters.ts';
import type { AccountStore } from '../ports.ts';
import { accountSuspended } from '../suspension.ts';
import { newToken } from '../../secret-text.ts';

/** Tells an owner that the account was deleted. */
export interface ClosingNotifier {
  sendClosed(email: string, mail: { restorableUntil: Instant }): Promise<void>;
}

/** The dependencies of {@link closeAccount}. */
export interface CloseAccountDeps {
  counters: Pick<Counters, 'count'>;
  accounts: Pick<AccountStore, 'close'>;
  closingNotifier: ClosingNotifier;
  /** Called when the mail to the owner could not be sent. The account is closed all the same. */
  onFailure(item: unknown, error: unknown): void;
  now(): Date;
}

/**
 * Limited because each deletion sends a mail, and the link in it stops the deletion without a
 * sign-in.
 */
const closings = { rule: { limit: 3, windowSeconds: daySeconds }, what: 'deletions of an account' };

/** Until when a closed account can be restored. */
export function restorableUntil(closedAt: Instant): Instant {
  return instant(plusSeconds(new Date(closedAt), closedAccountDays * daySeconds));
}

/**
 * Closes the caller's account. Every credential is refused from the next request on; maintenance
 * takes its projects offline, and removes everything if nobody signs in within 30 days.
 * @throws CodedError INVALID_REQUEST, ACCOUNT_SUSPENDED, RATE_LIMITED
 */
export async function closeAccount(
  deps: CloseAccountDeps,
  caller: AccountCaller,
  { confirm }: { confirm: string },
) {
  const { account } = caller;
  if (normaliseEmail(confirm) !== account.email) {
    throw invalidField('confirm', 'is not the e-mail address of this account');
  }
  const now = deps.now();
  await countAttempt(deps.counters, caller, { key: `closings#${account.id}`, ...closings }, now);
  const at = instant(now);
  const closing = { at, stopToken: newToken() };
  if (!(await deps.accounts.close(account.id, closing))) throw accountSuspended();
  const outcome = { closed: true as const, restorableUntil: restorableUntil(at) };
  try {
    await deps.closingNotifier.sendClosed(account.email, outcome);
  } catch (error) {
    deps.onFailure({ kind: 'account deletion notice' }, error);
  }
  return outcome;
}

/**
 * Reopens a closed account whose owner signs in. Its projects follow within minutes.
 * @throws CodedError UNAVAILABLE when its removal has begun
 */
export async function reopenAccount(
  { accounts }: { accounts: Pick<AccountStore, 'reopen' | 'findByEmail'> },
  account: Account,
  now: Date,
): Promise<Account> {
  const { id, closedAt, email } = account;
  const isOver = closedAt === undefined || restorableUntil(closedAt) <= instant(now);
  if (isOver || !(await accounts.reopen(id, { closedAt, at: instant(now) }))) {
    throw new CodedError('UNAVAILABLE', {
      error: 'This account is being deleted for good.',
      nextStep: 'Sign in again in an hour; that makes a new account.',
    });
  }
  const reopened = await accounts.findByEmail(email);
  if (reopened === undefined) throw new Error('a reopened account is gone');
  return reopened;
}
