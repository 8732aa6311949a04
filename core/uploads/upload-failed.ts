import type { Caller } from '../caller.ts';
import { CodedError } from '../errors.ts';

/**
 * Runs work that stores an upload. An unexpected error becomes UPLOAD_FAILED: nothing was kept.
 * @throws CodedError UPLOAD_FAILED
 */
export async function mapToUploadFailed<T>(
  { requestId }: Pick<Caller, 'requestId'>,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    if (cause instanceof CodedError) throw cause;
    const error = 'The upload could not be stored.';
    throw new CodedError('UPLOAD_FAILED', { error, requestId }, { cause });
  }
}
