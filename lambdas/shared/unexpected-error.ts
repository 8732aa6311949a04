import { type ServiceFailure, serviceFailure } from '../../adapters/failures/service-failure.ts';
import { CodedError } from '../../core/errors.ts';
import { BusyProject } from '../../core/projects/change/busy-project.ts';

/**
 * A throttled partition has its throughput again in the next second; a few more seconds spread the
 * retries.
 */
const retryAfterSeconds = 5;

const errors: Record<ServiceFailure, string> = {
  throttled: 'Too many requests reached the same data. Nothing is wrong with yours.',
  unavailable: 'Our storage gives no answer at the moment. Nothing is wrong with your request.',
};

/**
 * Repeating needs care: a write without an answer may have happened, as may a write before a
 * throttled read.
 */
const nextStep =
  'Wait `retryAfterSeconds`, then send the same request again. If it changes something, read first whether the change was made.';

/**
 * The error itself if it is coded. A service that refused too many requests or gave no answer becomes
 * UNAVAILABLE; anything else is a bug, and its caller gets a fixed text with the request id.
 */
export function asCodedError(error: unknown, requestId: string): CodedError {
  if (error instanceof CodedError) return error;
  if (error instanceof BusyProject) return error.refusal;
  const failure = serviceFailure(error);
  if (failure !== undefined) {
    const fields = { error: errors[failure], nextStep, retryAfterSeconds };
    return new CodedError('UNAVAILABLE', fields, { cause: error });
  }
  return new CodedError(
    'INTERNAL',
    { error: 'Something went wrong on our side.', requestId },
    { cause: error },
  );
}
