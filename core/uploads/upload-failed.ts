import type { Caller } from '../caller.ts';
import { CodedError } from '../errors.ts';
import { refuseBusy } from '../projects/change/busy-project.ts';

/**
 * Runs work that stores an upload. An unexpected error becomes UPLOAD_FAILED: nothing was kept.
 * @throws CodedError UPLOAD_FAILED, UNAVAILABLE
 */
export async function mapToUploadFailed<T>(
  { requestId }: Pick<Caller, 'requestId'>,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await refuseBusy(work);
  } catch (cause) {
    if (cause instanceof CodedError) throw cause;
    const error = 'The upload could not be stored.';
    throw new CodedError('UPLOAD_FAILED', { error, requestId }, { cause });
  }
}
