import type { Instant } from '../contract/fields.ts';
import { daySeconds } from '../contract/limits.ts';
import { invalidField } from './errors.ts';
import { instant, plusSeconds } from './instants.ts';

/** The latest expiry that somebody may choose, from now. */
const longestSeconds = 3653 * daySeconds;

/** An end that may be chosen: its field, and how far away it may be. */
interface EndField {
  path: string;
  longestSeconds: number;
  /** The same in words. */
  longest: string;
  example: string;
}

const expiresAt: EndField = {
  path: 'expiresAt',
  longestSeconds,
  longest: 'ten years',
  example: '2027-03-31T18:00:00Z',
};

/**
 * The instant that was sent as `expiresAt`, or as another field, in UTC.
 * @param code of the error, which differs between operations
 * @throws CodedError with `code` when it is not in the future, or further away than the field allows
 */
export function chosenEnd(
  sent: string,
  now: Date,
  code: 'INVALID_REQUEST' | 'VALIDATION_FAILED' = 'INVALID_REQUEST',
  { path, longestSeconds: most, longest, example }: EndField = expiresAt,
): Instant {
  const end = new Date(sent);
  if (end > now && end <= plusSeconds(now, most)) return instant(end);
  const message = `must be in the future and at most ${longest} away`;
  const nextStep = `Send a later \`${path}\`, for example ${example}, or leave it out.`;
  throw invalidField(path, message, { code, nextStep });
}
