import { addressPlaces } from '../../limits/address-limits.ts';
import type { LimitedPlace } from '../../limits/reserve-places.ts';
import type { RateLimitRule } from '../../limits/sliding-window.ts';

/** Mails for a caller, counted from the first of the window (docs/contract.md, "Limits"). */
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
 * The limits of the two mails of a change of address. They let nobody sign in, so anybody may use them up
 * for an address without an effect on its owner's sign-in. With five tries for a change, thirty mails a
 * month also bound the guesses at a code for an address that somebody does not own.
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
 * Mails with codes for addresses without an account that the whole deployment sends in an hour, as long as the
 * codes for accounts leave room for them. SES sends 50,000 a day for a new account; strangers with many
 * networks must not use them up, or owners could not sign in (decision 0136).
 */
export const mailBudget: RateLimitRule = { limit: 1000, windowSeconds: 3600 };

function perHour({ mailsPerHour }: HourlyMails): RateLimitRule {
  return { limit: mailsPerHour, windowSeconds: 3600, from: 'first' };
}

function perDays(days: number, limit: number): RateLimitRule {
  return { limit, windowSeconds: days * 86_400 };
}
