import type { Caller } from '../../caller.ts';
import { CodedError } from '../../errors.ts';
import { networkKey } from '../../limits/caller-key.ts';
import type { Counters } from '../../limits/counters.ts';
import {
  type LimitedPlace,
  type RateLimitReservation,
  reservePlaces,
} from '../../limits/reserve-places.ts';
import type { Rule } from '../../limits/sliding-window.ts';
import type { Guesser } from './guess-code.ts';
import { maxWrongByRequester } from './sign-in-code.ts';

/** Which of the limits refused a guess. */
export type WrongCodeLimit = 'address' | 'network';

/**
 * The shares of the wrong codes for one address: of whoever requested a code, of everybody else, and
 * a reserve for requesters from whose network no other wrong code came that day.
 */
type Share = Guesser['kind'] | 'newcomer';

/** How many there may be in a day, in 30 days and in a year. */
const rulesFor = (limits: readonly [number, number, number]): readonly Rule[] =>
  [1, 30, 365].map((days, index) => ({
    limit: limits[index] ?? 0,
    windowSeconds: days * 86_400,
  }));

/**
 * Wrong codes for one address, whatever the number of codes: 20 a day, 40 in 30 days and 100 a year
 * in all. Decision 0033 has the odds that these numbers leave.
 */
const addressRules: Record<Share, readonly Rule[]> = {
  requester: rulesFor([10, 20, 50]),
  newcomer: rulesFor([5, 10, 25]),
  others: rulesFor([5, 10, 25]),
};

/** Wrong codes from one network, whatever the addresses. */
const perDay = { limit: 100, windowSeconds: 86_400 };
const networkRules: readonly Rule[] = [perDay, { limit: 300, windowSeconds: 30 * 86_400 }];

/** Somebody's guess at a code of an address. */
interface GuessOrigin extends Pick<Caller, 'address'> {
  email: string;
  guesser: Guesser;
}

/**
 * Takes the places that a guess needs before it is compared.
 *
 * The reserve costs whoever attacks a new network, and a mail of its own, for each wrong code.
 */
export async function reserveGuess(
  counters: Pick<Counters, 'take' | 'giveBack'>,
  { address, email, guesser }: GuessOrigin,
  now: Date,
): Promise<RateLimitReservation<WrongCodeLimit>> {
  const network = networkLimit(address);
  const reserve = (share: Share) =>
    reservePlaces(counters, [network, addressLimit(email, share)], now);
  const reservation = await reserve(guesser.kind);
  const [today] = reservation.limits;
  const isNewcomer = guesser.kind === 'requester' && today?.remaining === perDay.limit - 1;
  return reservation.reserved || !isNewcomer ? reservation : reserve('newcomer');
}

/** Gives back the places of wrong codes of a requester who has proved now to read the mail. */
export async function forgiveWrongCodes(
  counters: Pick<Counters, 'giveBack'>,
  { address, email }: Omit<GuessOrigin, 'guesser'>,
  wrongAt: readonly number[],
): Promise<void> {
  const limits = [
    networkLimit(address),
    addressLimit(email, 'requester'),
    addressLimit(email, 'newcomer'),
  ];
  for (const at of wrongAt) {
    await Promise.all(limits.map(({ key }) => counters.giveBack(key, new Date(at))));
  }
}

function networkLimit(address: string): LimitedPlace<WrongCodeLimit> {
  return { name: 'network', key: `wrong-codes-from#${networkKey(address)}`, rules: networkRules };
}

function addressLimit(email: string, share: Share): LimitedPlace<WrongCodeLimit> {
  return { name: 'address', key: `wrong-codes-of-${share}#${email}`, rules: addressRules[share] };
}

/** What to do where no more six digits are compared. */
export const useLongCode =
  'Send the long code from the latest e-mail as `attemptToken`, with the same six digits; it works for an hour.';

/** Whether a refused guess leaves the long code as the way in, rather than a new code. */
export function needsLongCode({ code, body }: CodedError): boolean {
  return code === 'OTP_TOO_MANY_ATTEMPTS' && String(body['nextStep']).includes(useLongCode);
}

/** Five wrong codes came from where the code was requested. */
export function codeCancelled(): CodedError {
  return new CodedError('OTP_TOO_MANY_ATTEMPTS', {
    error: `${maxWrongByRequester} wrong codes were sent, so the code was cancelled.`,
    retryAfterSeconds: 1,
  });
}

/** Others have used up what this code leaves to them; who requested it is not concerned. */
export function othersUsedUp(retryAfterSeconds: number): CodedError {
  return new CodedError('OTP_TOO_MANY_ATTEMPTS', {
    error: 'Too many wrong codes came from clients that did not request this code.',
    retryAfterSeconds,
    nextStep: `Send the \`attemptToken\` that POST /v1/auth/otp/request answered with. Without one: ${useLongCode}`,
  });
}

/** One of the limits across codes is full. */
export function limitFull(name: WrongCodeLimit, retryAfterSeconds: number): CodedError {
  return new CodedError('OTP_TOO_MANY_ATTEMPTS', {
    error: {
      address: 'Too many wrong codes were sent for this e-mail address.',
      network: 'Too many wrong codes came from your network.',
    }[name],
    retryAfterSeconds,
    nextStep: useLongCode,
  });
}
