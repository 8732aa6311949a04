import type { ErrorBody, SecretFinding } from '../../../contract/errors.ts';
import type * as z from 'zod';

type Body = Partial<z.output<typeof ErrorBody>>;

/** A refused request, as the API describes it. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly code: string;
  readonly nextStep: string | undefined;
  /** The pages of a ZIP that has several, with `ZIP_MULTIPLE_HTML`. */
  readonly htmlPaths: readonly string[];
  /** The first keys in the files, and how many there are, with `SECRETS_FOUND`. */
  readonly keys: { findings: readonly SecretFinding[]; count: number } | undefined;

  /** Whether a ZIP has a password, with `ARCHIVE_INVALID`. */
  readonly isEncrypted: boolean;

  /** How long to wait before the same request is sent again, and since when (milliseconds since 1970). */
  readonly retryAfterSeconds: number | undefined;
  readonly receivedAt = Date.now();

  /** How often a code can still be entered, with `OTP_INVALID`. */
  readonly attemptsLeft: number | undefined;

  /** Until when an account can be restored, with `ACCOUNT_CLOSED`. */
  readonly restorableUntil: string | undefined;

  /** The fields that were refused, with `INVALID_REQUEST` and `VALIDATION_FAILED`. */
  readonly details: readonly { path: string; message: string }[];

  constructor(status: number, body: Body) {
    super(body.error ?? `The service answered ${status}.`);
    this.status = status;
    this.code = body.code ?? 'UNKNOWN';
    this.nextStep = body.nextStep;
    this.htmlPaths = 'htmlPaths' in body && Array.isArray(body.htmlPaths) ? body.htmlPaths : [];
    this.keys =
      'findings' in body && Array.isArray(body.findings) && typeof body.count === 'number'
        ? { findings: body.findings, count: body.count }
        : undefined;
    this.isEncrypted = 'isEncrypted' in body && body.isEncrypted === true;
    this.retryAfterSeconds = numberOf(body, 'retryAfterSeconds');
    this.attemptsLeft = numberOf(body, 'attemptsLeft');
    this.restorableUntil = 'restorableUntil' in body ? String(body.restorableUntil) : undefined;
    this.details = 'details' in body && Array.isArray(body.details) ? body.details : [];
  }
}

function numberOf(body: Body, field: string): number | undefined {
  const value = body[field];
  return typeof value === 'number' ? value : undefined;
}

/** No response: the network, or the service, cannot be reached. */
export class OfflineError extends Error {
  override readonly name = 'OfflineError';
}

/** In this browser, another account is signed in than the one that an upload is of. */
export class OtherAccountError extends Error {
  override readonly name = 'OtherAccountError';
}

/** Whether the same can be sent again after a known time. */
export function isRateLimited(error: unknown): error is ApiError & { retryAfterSeconds: number } {
  return (
    error instanceof ApiError &&
    error.code === 'RATE_LIMITED' &&
    error.retryAfterSeconds !== undefined
  );
}

/** Whether this browser is not signed in any more. A code that is wrong or too old says nothing about that. */
export function isSignedOut(error: unknown): boolean {
  return error instanceof ApiError && error.status === 401 && !error.code.startsWith('OTP_');
}

/** Whether something is not there, or not any more. */
export function isMissing(error: unknown): boolean {
  return error instanceof ApiError && error.status === 404;
}
