import { CodedError } from '../../errors.ts';

/** The id in a field does not belong to anything of the caller's account. */
export function referenceNotFound(field: string, what: string): CodedError {
  return new CodedError('NOT_FOUND', { error: `${field}: you have no ${what} with this id.` });
}
