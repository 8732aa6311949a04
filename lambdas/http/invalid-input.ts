import type * as z from 'zod';
import type { Operation } from '../../contract/operation.ts';
import { CodedError } from '../../core/errors.ts';

/** The code under which an operation refuses malformed input. */
export type InvalidCode = Operation['invalid'];

/** What is wrong with one field. */
interface WrongField {
  path: string;
  message: string;
}

/** An answer names no more than this, however much is wrong. */
const maxFields = 50;
const maxNameLength = 100;

/** A refusal of a body as a whole. */
export function invalidBody(code: InvalidCode, problem: string): CodedError {
  const details = [{ path: 'body', message: problem }];
  return new CodedError(code ?? 'INVALID_REQUEST', { error: `The body ${problem}.`, details });
}

/** A refusal of fields; its sentence tells the first. */
export function invalidInput(code: InvalidCode, fields: readonly WrongField[]): CodedError {
  const details = fields.slice(0, maxFields);
  const [first] = details;
  const error =
    first === undefined ? 'The request is not valid.' : `${first.path}: ${first.message}`;
  return new CodedError(code ?? 'INVALID_REQUEST', { error, details });
}

/** The fields that a schema found wrong. */
export function fieldsOf(issues: readonly z.core.$ZodIssue[]): WrongField[] {
  return issues.flatMap((issue) => {
    const path = issue.path.join('.');
    if (issue.code === 'unrecognized_keys') return issue.keys.map(unknownField);
    return [{ path: path || 'body', message: issue.message }];
  });
}

/** A field that the operation does not have. */
export function unknownField(name: string): WrongField {
  return { path: name.slice(0, maxNameLength), message: 'is not a field of this operation' };
}
