import type { Instant } from '../contract/fields.ts';
import { daySeconds } from '../contract/limits.ts';
import { CodedError } from './errors.ts';
import { instant, plusSeconds } from './instants.ts';

/** The latest expiry that somebody may choose, from now. */
const longestSeconds = 3653 * daySeconds;

/**
 * The instant that was sent as `expiresAt`, in UTC.
 * @param code of the error, which differs between operations
 * @throws CodedError with `code` when it is not in the future, or more than ten years away
 */
export function chosenEnd(
  sent: string,
  now: Date,
  code: 'INVALID_REQUEST' | 'VALIDATION_FAILED' = 'INVALID_REQUEST',
): Instant {
  const end = new Date(sent);
  if (end > now && end <= plusSeconds(now, longestSeconds)) return instant(end);
  const message = 'must be in the future and at most ten years away';
  throw new CodedError(code, {
    error: `expiresAt: ${message}.`,
    details: [{ path: 'expiresAt', message }],
    nextStep: 'Send a later `expiresAt`, for example 2027-03-31T18:00:00Z, or leave it out.',
  });
}
