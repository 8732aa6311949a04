import type { SessionCaller } from '../../caller.ts';
import { CodedError, invalidField } from '../../errors.ts';
import type { Counters } from '../../limits/counters.ts';
import { reservePlaces } from '../../limits/reserve-places.ts';
import { recordLimits } from '../../limits/sliding-window.ts';
import type { RotatingSecret } from '../../secrets/rotating-secret.ts';
import { normaliseEmail } from '../account.ts';
import type { AccountStore } from '../ports.ts';
import { mayMoveTo, type SignUpDeps } from '../sign-in/invitation.ts';
import { changeMailLimits, isRecipientRefused, requireMailBudget } from '../sign-in/mail-limits.ts';
import {
  type EmailChange,
  emailChangeCodes,
  type EmailChangeStore,
  newEmailChange,
} from './email-change.ts';

/** Mails of a change of address. */
export interface EmailChangeMailer {
  /** To the current address: the code, and the requested new address. */
  sendCurrentCode(email: string, mail: { digits: string; newEmail: string }): Promise<void>;
  /** To the new address. */
  sendNewCode(email: string, mail: { digits: string }): Promise<void>;
  /** To a new address that has an account already: says so, instead of sending a code. */
  sendAddressInUse(email: string): Promise<void>;
  /** To the former address, after the change. */
  sendChanged(email: string, mail: { newEmail: string }): Promise<void>;
}

/** The dependencies of `requestEmailChange`. */
export interface RequestEmailChangeDeps extends SignUpDeps {
  accounts: Pick<AccountStore, 'get' | 'findByEmail'>;
  emailChanges: Pick<EmailChangeStore, 'put'>;
  counters: Pick<Counters, 'reserve' | 'release' | 'count'>;
  emailChangeMailer: EmailChangeMailer;
  codeSecret: RotatingSecret;
  /** Mails that one e-mail address gets in an hour for one purpose, a setting of the installation. */
  mailsPerHour: number;
  now(): Date;
}

/**
 * Mails both codes, and then makes them valid for this session; they replace those of an earlier
 * change. A mail that the new address refuses still counts towards the limits of the caller, so
 * that nobody can try without end.
 *
 * Only the mailbox of the new address learns whether it has an account: the response does not
 * depend on it.
 * @throws CodedError INVALID_REQUEST, RATE_LIMITED
 */
export async function requestEmailChange(
  deps: RequestEmailChangeDeps,
  caller: Omit<SessionCaller, 'credential'>,
  input: { email: string },
) {
  const { account } = caller;
  const now = deps.now();
  const to = normaliseEmail(input.email);
  if (to === account.email)
    throw invalidField('email', 'is the e-mail address that this account has');
  if (!(await mayMoveTo(deps, to, now))) {
    throw invalidField('email', 'is of a domain that this service does not accept');
  }
  const change = newEmailChange(deps.codeSecret, { from: account.email, to }, now);
  const reservation = await reservePlaces(
    deps.counters,
    changeMailLimits(deps, caller.address, { accountId: account.id, to }),
    now,
  );
  recordLimits(caller, reservation.limits);
  if (!reservation.reserved) {
    throw new CodedError('RATE_LIMITED', {
      error: 'Too many e-mails were sent for changes of an e-mail address.',
      retryAfterSeconds: reservation.retryAfterSeconds,
    });
  }
  try {
    // One to the present address and one to the new one.
    await requireMailBudget(deps, { email: to, mails: 2 }, now);
    await mailCodes(deps, change);
  } catch (error) {
    if (!isRecipientRefused(error)) await reservation.release();
    throw error;
  }
  await deps.emailChanges.put(caller.session, change);
  return { currentEmail: change.from, newEmail: to, expiresAt: change.expiresAt };
}

async function mailCodes(deps: RequestEmailChangeDeps, change: EmailChange): Promise<void> {
  const { emailChangeMailer: mailer } = deps;
  const codes = emailChangeCodes(deps.codeSecret, change);
  const isInUse = (await deps.accounts.findByEmail(change.to)) !== undefined;
  // The new address first: if it refuses the mail, the current address gets none.
  await (isInUse
    ? mailer.sendAddressInUse(change.to)
    : mailer.sendNewCode(change.to, { digits: codes.new }));
  await mailer.sendCurrentCode(change.from, { digits: codes.current, newEmail: change.to });
}
