import { callerKey } from '../../limits/caller-key.ts';
import type { LimitedPlace } from '../../limits/reserve-places.ts';
import type { RateLimitRule } from '../../limits/sliding-window.ts';

/** Mails for a caller, counted from the first of the window (docs/contract.md, "Limits"). */
const perCaller: RateLimitRule[] = [{ limit: 10, windowSeconds: 3600, from: 'first' }];

/** The limits of mails with codes, for a caller and for each of the addresses that get one. */
export function mailLimits(
  { mailsPerHour }: { mailsPerHour: number },
  callerAddress: string,
  emails: readonly string[],
): LimitedPlace[] {
  const perAddress: RateLimitRule[] = [{ limit: mailsPerHour, windowSeconds: 3600, from: 'first' }];
  return [
    { name: 'caller', key: `codes-from#${callerKey(callerAddress)}`, rules: perCaller },
    ...emails.map((email) => ({ name: 'address', key: `codes-to#${email}`, rules: perAddress })),
  ];
}
