import { isThrottledCall } from '../../adapters/dynamodb/throttled-call.ts';
import { AwsError, isThrottled } from '../../adapters/signed-calls/signed-calls.ts';
import { CodedError } from '../../core/errors.ts';

/** A partition has its throughput again in the next second; a few more let others go first. */
const retryAfterSeconds = 5;

/**
 * The error itself if it is coded. A service that refused too many requests becomes UNAVAILABLE;
 * anything else is a bug, and its caller gets a fixed text with the request id.
 */
export function asCodedError(error: unknown, requestId: string): CodedError {
  if (error instanceof CodedError) return error;
  // The SDK's clients and the small one have errors of their own.
  if (isThrottledCall(error) || (error instanceof AwsError && isThrottled(error))) {
    return new CodedError(
      'UNAVAILABLE',
      {
        error: 'Too many requests reached the same data. Nothing is wrong with yours.',
        retryAfterSeconds,
      },
      { cause: error },
    );
  }
  return new CodedError(
    'INTERNAL',
    { error: 'Something went wrong on our side.', requestId },
    { cause: error },
  );
}
