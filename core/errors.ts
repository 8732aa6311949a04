import { type ErrorCode, type ErrorExtra, errorCatalogue } from '../contract/errors.ts';

type Fields<C extends ErrorCode> = { error: string; nextStep?: string } & ErrorExtra<C>;

/**
 * An expected refusal: one code of the catalogue, a sentence for people, and the code's own fields.
 * Leaving out a field that the code needs does not compile.
 */
export class CodedError<C extends ErrorCode = ErrorCode> extends Error {
  override readonly name = 'CodedError';
  readonly code: C;
  readonly fields: Fields<C>;

  constructor(code: C, fields: Fields<C>, options?: ErrorOptions) {
    super(fields.error, options);
    this.code = code;
    this.fields = fields;
  }

  get status(): number {
    return errorCatalogue[this.code].status;
  }

  /** The body of the response: `{status:"error", error, code, nextStep, …}`. */
  get body(): Record<string, unknown> {
    const { error, nextStep = errorCatalogue[this.code].nextStep, ...extra } = this.fields;
    return { status: 'error', error, code: this.code, nextStep, ...extra };
  }
}

interface InvalidFieldOptions {
  code?: 'INVALID_REQUEST' | 'VALIDATION_FAILED';
  nextStep?: string;
}

/** Refuses one field of a request. `problem` goes on from the field's name, and has no full stop. */
export function invalidField(
  path: string,
  problem: string,
  { code = 'INVALID_REQUEST', ...more }: InvalidFieldOptions = {},
): CodedError {
  const details = [{ path, message: problem }];
  return new CodedError(code, { error: `${path}: ${problem}.`, details, ...more });
}
