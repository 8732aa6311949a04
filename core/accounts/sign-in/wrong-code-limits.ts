import { daySeconds } from '../../../contract/limits.ts';
import type { Caller } from '../../caller.ts';
import { CodedError } from '../../errors.ts';
import { customerKey } from '../../limits/caller-key.ts';
import type { Counters } from '../../limits/counters.ts';
import {
  type LimitedPlace,
  type RateLimitReservation,
  reservePlaces,
} from '../../limits/reserve-places.ts';
import type { RateLimitRule } from '../../limits/sliding-window.ts';
import type { Guesser } from './guess-code.ts';
import { maxWrongCodes } from './sign-in-code.ts';

/** Which of the limits refused a guess. */
export type WrongCodeLimit = 'address' | 'network';

/**
 * The budgets of wrong codes for one e-mail address: for the requester of a code, for everybody else, and
 * a reserve for requesters whose network sent no other wrong code that day.
 */
const shares = ['requesters', 'newcomer', 'others'] as const;
type Share = (typeof shares)[number];

/** Limits for a day, for 30 days and for a year. */
export const rulesFor = (limits: readonly [number, number, number]): readonly RateLimitRule[] =>
  [1, 30, 365].map((days, index) => ({
    limit: limits[index] ?? 0,
    windowSeconds: days * daySeconds,
  }));

/**
 * Wrong codes for one e-mail address, for any number of codes: 25 a day, 40 in 30 days and 100 a
 * year in total. This is enough for two codes a day with five tries each, for requesters and for
 * others. Decision 0033 has the resulting probabilities.
 */
const addressRules: Record<Share, readonly RateLimitRule[]> = {
  requesters: rulesFor([10, 16, 40]),
  newcomer: rulesFor([5, 8, 20]),
  others: rulesFor([10, 16, 40]),
};

/** Wrong codes from one network, for all e-mail addresses. */
const perDay = { limit: 100, windowSeconds: daySeconds };
const networkRules: readonly RateLimitRule[] = [
  perDay,
  { limit: 300, windowSeconds: 30 * daySeconds },
];

/** The e-mail address that somebody guesses a code of, and the address of their network. */
interface GuessOrigin extends Pick<Caller, 'address'> {
  email: string;
  guesser: Guesser;
}

/**
 * Counts a guess against the limits before it is compared.
 *
 * For each wrong code of the reserve, an attacker needs a new network and another mail.
 */
export async function reserveGuess(
  counters: Pick<Counters, 'reserve' | 'release'>,
  { address, email, guesser }: GuessOrigin,
  now: Date,
): Promise<RateLimitReservation<WrongCodeLimit>> {
  const network = networkLimit(customerKey(address));
  const reserve = (share: Share) =>
    reservePlaces(counters, [network, addressLimit(email, share)], now);
  const reservation = await reserve(guesser.kind);
  const [today] = reservation.limits;
  const isNewcomer = guesser.kind === 'requesters' && today?.remaining === perDay.limit - 1;
  return reservation.reserved || !isNewcomer ? reservation : reserve('newcomer');
}

/** Releases the wrong guesses of a network that has now sent the correct code. */
export async function forgiveWrongCodes(
  counters: Pick<Counters, 'release'>,
  { address, email }: Omit<GuessOrigin, 'guesser'>,
  wrongAt: readonly number[],
): Promise<void> {
  const limits = [
    networkLimit(customerKey(address)),
    ...shares.map((share) => addressLimit(email, share)),
  ];
  for (const at of wrongAt) {
    await Promise.all(limits.map(({ key }) => counters.release(key, new Date(at))));
  }
}

function networkLimit(network: string): LimitedPlace<WrongCodeLimit> {
  return { name: 'network', key: `wrong-codes-from#${network}`, rules: networkRules };
}

function addressLimit(email: string, share: Share): LimitedPlace<WrongCodeLimit> {
  return { name: 'address', key: `wrong-codes-of-${share}#${email}`, rules: addressRules[share] };
}

/** The next step when six-digit codes are not compared any more. */
export const longCodeNextStep =
  'Send the long code from the latest e-mail as `attemptToken`, with the same six digits; it works for an hour.';

/** Whether the error tells the person to use the long code rather than a new code. */
export function needsLongCode({ code, body }: CodedError): boolean {
  return code === 'OTP_TOO_MANY_ATTEMPTS' && String(body['nextStep']).includes(longCodeNextStep);
}

/** Five wrong codes came from this network. */
export function codeCancelled(): CodedError {
  return new CodedError('OTP_TOO_MANY_ATTEMPTS', {
    error: `${maxWrongCodes} wrong codes were sent, so the code was cancelled.`,
    retryAfterSeconds: 1,
  });
}

/**
 * The error when a limit over all codes is reached. Others have a separate budget for each address,
 * so a requester can still sign in.
 */
export function wrongCodeLimitReached(
  { kind }: Pick<Guesser, 'kind'>,
  { name, retryAfterSeconds }: { name: WrongCodeLimit; retryAfterSeconds: number },
): CodedError {
  const isShared = name === 'address' && kind === 'others';
  return new CodedError('OTP_TOO_MANY_ATTEMPTS', {
    error: {
      address: 'Too many wrong codes were sent for this e-mail address.',
      network: 'Too many wrong codes came from your network.',
    }[name],
    retryAfterSeconds,
    nextStep: isShared
      ? `Send the \`attemptToken\` that POST /v1/auth/otp/request answered with. Without one: ${longCodeNextStep}`
      : longCodeNextStep,
  });
}
