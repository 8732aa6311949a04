import { expect, test } from '@jest/globals';
import { failureOf } from '../../../cli/refusals.ts';
import { errorCatalogue, type ErrorCode, errorCodes } from '../../../contract/errors.ts';
import { ApiError } from '../../../web/app/api/api-error.ts';

/** What the command advises when the service answers with a code. */
function adviceFor(code: ErrorCode): string | undefined {
  const { status, nextStep } = errorCatalogue[code];
  const error = new ApiError(status, { error: 'No.', code, nextStep });
  return failureOf(error, new AbortController().signal).next;
}

test.each(errorCodes)('the advice for %s names no request and no field', (code) => {
  expect(adviceFor(code) ?? '').not.toMatch(/`|\/v1\/|\b(?:GET|POST|PUT|PATCH|DELETE)\b|Bearer/);
});

test('every refusal has advice, except those that only other programs get', () => {
  const others = ['SESSION_MISSING', 'ACCOUNT_CLOSED', 'OTP_EXPIRED', 'OTP_TOO_MANY_ATTEMPTS'];
  const ofPages = ['KEY_LIMIT_REACHED', 'CLAIM_NOT_FOUND', 'ALREADY_CLAIMED', 'FORMAT_NOT_OFFERED'];
  // These two say how long to wait.
  const waiting = ['IDEMPOTENCY_CONFLICT', 'RATE_LIMITED'];
  const without = errorCodes.filter((code) => adviceFor(code) === undefined);
  expect(without.toSorted()).toEqual([...others, ...ofPages, ...waiting].toSorted());
});

test('what is wrong is said once', () => {
  const said = 'Add example.com instead: it includes www.';
  const of = (error: string) => {
    const details = [{ path: 'domain', message: said }];
    const refused = new ApiError(422, { error, code: 'VALIDATION_FAILED', details });
    return failureOf(refused, new AbortController().signal).message;
  };
  expect([of(said), of('Wrong.')]).toEqual([said, `Wrong.\ndomain: ${said}`]);
});
