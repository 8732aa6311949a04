import { daySeconds } from '../../contract/limits.ts';
import type { MaybeAccountCaller } from '../caller.ts';
import { CodedError } from '../errors.ts';
import { secondsLeft } from '../instants.ts';
import type { Counters } from './counters.ts';

/** Responses of at most this many bytes are not counted: they hardly add to the cost of a request. */
export const freeAnswerBytes = 64 * 1024;
/**
 * The bytes of all larger responses to one account in a day (UTC). At $0.09 a gigabyte they cost
 * less than 40 cents.
 */
const maxBytesOfDay = 4 * 1024 ** 3;

/**
 * Counts the bytes of a large response of the API or the MCP endpoint before it is sent. Files that
 * owners download by their links are counted elsewhere (`own-file-response.ts`).
 * @throws CodedError RATE_LIMITED
 */
export async function countAnswer(
  { counters, now }: { counters: Pick<Counters, 'count'>; now: () => Date },
  { account }: Pick<MaybeAccountCaller, 'account'>,
  bytes: number,
): Promise<void> {
  if (account === undefined || bytes <= freeAnswerBytes) return;
  const at = now();
  const sent = await counters.count(`answered-bytes#${account.id}`, daySeconds, at, bytes);
  if (sent <= maxBytesOfDay) return;
  throw new CodedError('RATE_LIMITED', {
    error: 'The large answers of today to this account have reached 4 GB.',
    nextStep:
      'Read the files at the address of the project, or send the same request again after 00:00 UTC.',
    retryAfterSeconds: secondsLeft(daySeconds, at),
  });
}
