import { daySeconds } from '../../../contract/limits.ts';
import { CodedError } from '../../errors.ts';
import { secondsLeft } from '../../instants.ts';
import { addressPlaces } from '../../limits/address-limits.ts';
import type { Counters } from '../../limits/counters.ts';
import type { LimitedPlace } from '../../limits/reserve-places.ts';
import type { RateLimitRule } from '../../limits/sliding-window.ts';
import type { AccountStore } from '../ports.ts';

/**
 * Mails that a caller may cause; the window begins with the first mail (docs/contract.md,
 * "Limits").
 */
const perCaller: RateLimitRule[] = [{ limit: 10, windowSeconds: 3600, from: 'first' }];

/** Mails to one address or account, a setting of the installation. */
interface HourlyMails {
  mailsPerHour: number;
}

/** The limits of a mail that lets its reader sign in. No other mail uses them up. */
export function signInMailLimits(
  hourly: HourlyMails,
  callerAddress: string,
  email: string,
): LimitedPlace[] {
  return [
    ...addressPlaces('codes-from', callerAddress, perCaller),
    { name: 'address', key: `codes-to#${email}`, rules: [perHour(hourly)] },
  ];
}

/**
 * The limits of the two mails of a change of address. They are separate from those of sign-in
 * mails, so a stranger who uses them up for an address does not stop its owner from signing in.
 * With five tries for each change, thirty mails a month also limit how often somebody can guess the
 * code of a foreign address.
 */
export function changeMailLimits(
  hourly: HourlyMails,
  callerAddress: string,
  { accountId, to }: { accountId: string; to: string },
): LimitedPlace[] {
  const ofAccount = [perHour(hourly)];
  const toAddress = [...ofAccount, perDays(1, 10), perDays(30, 30)];
  return [
    ...addressPlaces('changes-from', callerAddress, perCaller),
    { name: 'account', key: `changes-of#${accountId}`, rules: ofAccount },
    { name: 'address', key: `changes-to#${to}`, rules: toAddress },
  ];
}

/**
 * Mails with codes that the whole deployment sends in an hour, to sign in and for changes of an
 * address. SES sends 200 messages in 24 hours while an AWS account is in the sandbox, and up to its
 * quota afterwards. Strangers with many networks must not use that up, or owners could not sign in
 * (decision 0136).
 */
export const mailBudget: RateLimitRule = { limit: 1000, windowSeconds: 3600 };

interface MailBudgetDeps {
  counters: Pick<Counters, 'count'>;
  accounts: Pick<AccountStore, 'findByEmail'>;
}

/**
 * Counts mails with codes. When the deployment's hourly mails run short, only addresses with an
 * account get one. Until then, the result does not depend on whether there is an account.
 * @throws CodedError RATE_LIMITED for an address without an account
 */
export async function requireMailBudget(
  { counters, accounts }: MailBudgetDeps,
  { email, mails }: { email: string; mails: number },
  now: Date,
): Promise<void> {
  const { limit, windowSeconds } = mailBudget;
  const sent = await counters.count('mailed-codes', windowSeconds, now, mails);
  if (sent <= limit || (await accounts.findByEmail(email)) !== undefined) return;
  throw new CodedError('RATE_LIMITED', {
    error: 'This service sends no more codes to new addresses for now.',
    retryAfterSeconds: secondsLeft(windowSeconds, now),
  });
}

/**
 * Whether a mail failed because its recipient cannot receive mail, and not because the service
 * failed.
 */
export function isRecipientRefused(error: unknown): boolean {
  return error instanceof CodedError && error.code === 'INVALID_REQUEST';
}

function perHour({ mailsPerHour }: HourlyMails): RateLimitRule {
  return { limit: mailsPerHour, windowSeconds: 3600, from: 'first' };
}

function perDays(days: number, limit: number): RateLimitRule {
  return { limit, windowSeconds: days * daySeconds };
}
