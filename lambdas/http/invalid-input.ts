import type * as z from 'zod';
import type { Operation } from '../../contract/operation.ts';
import { CodedError } from '../../core/errors.ts';

/** The error code with which an operation refuses malformed input. */
export type InvalidCode = Operation['invalid'];

interface InvalidField {
  path: string;
  message: string;
}

/** Maximum number of fields that an error lists. */
const maxFields = 50;
const maxNameLength = 100;

/** An error about the body as a whole; `problem` completes the sentence "The body …". */
export function invalidBody(code: InvalidCode, problem: string): CodedError {
  const details = [{ path: 'body', message: problem }];
  return new CodedError(code ?? 'INVALID_REQUEST', { error: `The body ${problem}.`, details });
}

/** An error about fields; its sentence names the first one. */
export function invalidInput(code: InvalidCode, fields: readonly InvalidField[]): CodedError {
  const details = fields.slice(0, maxFields);
  const [first] = details;
  const error =
    first === undefined ? 'The request is not valid.' : `${first.path}: ${first.message}`;
  return new CodedError(code ?? 'INVALID_REQUEST', { error, details });
}

/** The invalid fields of a failed schema check. */
export function invalidFieldsOf(issues: readonly z.core.$ZodIssue[]): InvalidField[] {
  return issues.flatMap((issue) => {
    const path = issue.path.join('.');
    if (issue.code === 'unrecognized_keys') return issue.keys.map(unknownField);
    return [{ path: path || 'body', message: issue.message }];
  });
}

/** The error for a field that the operation does not have. */
export function unknownField(name: string): InvalidField {
  return { path: name.slice(0, maxNameLength), message: 'is not a field of this operation' };
}
