import { AwsError } from '../signed-calls/aws-error.ts';

/**
 * Timeouts for an SDK client whose calls are small: each attempt ends after some seconds. Without
 * them, a call on a dead connection would wait until the function is stopped.
 */
export const awsDeadlines = {
  maxAttempts: 2,
  requestHandler: {
    connectionTimeout: 1000,
    requestTimeout: 4000,
    throwOnRequestTimeout: true,
  },
};

/**
 * Why a valid call of an AWS service failed: the service had too many requests (`throttled`), or it
 * failed or did not answer in time (`unavailable`).
 */
export type ServiceFailure = 'throttled' | 'unavailable';

/** Error codes of services that had too many requests (`SlowDown` is S3's, with status 503). */
const throttlingCodes = new Set([
  'ProvisionedThroughputExceededException',
  'RequestLimitExceeded',
  'RequestThrottled',
  'SlowDown',
  'ThrottlingException',
]);

/** The same as reasons of a cancelled transaction. */
const throttlingReasons = new Set(['ProvisionedThroughputExceeded', 'ThrottlingError']);

/** Node's codes for no connection, no answer in time, and a connection that broke off. */
const networkCodes = new Set([
  'EAI_AGAIN',
  'ECONNABORTED',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EPIPE',
  'ERR_STREAM_PREMATURE_CLOSE',
  'ETIMEDOUT',
]);

/** The SDK's name for a call without an answer, and S3's codes for a request that stopped midway. */
const timeoutCodes = new Set(['TimeoutError', 'RequestTimeout', 'RequestTimeoutException']);

/**
 * Classifies the error of a call after all its retries; `undefined` for any other error, which is a
 * fault of ours. Knows the errors of the SDK, of our small client (`signed-calls`) and of Node,
 * also as the cause of another error.
 */
export function serviceFailure(error: unknown): ServiceFailure | undefined {
  if (!(error instanceof Error)) return undefined;
  const { name, code, status, reasons } = describeCall(error);
  if (throttlingCodes.has(name) || throttlingCodes.has(code) || status === 429) return 'throttled';
  if (name === 'TransactionCanceledException')
    return isThrottledTransaction({ CancellationReasons: reasons }) ? 'throttled' : undefined;
  if (timeoutCodes.has(name) || timeoutCodes.has(code) || networkCodes.has(code))
    return 'unavailable';
  if (status !== undefined) return status >= 500 ? 'unavailable' : undefined;
  return serviceFailure(error.cause);
}

/**
 * The facts about a call in errors of the SDK, of the small client and of Node; `status` is that of
 * the response.
 */
function describeCall(error: Error): {
  name: string;
  code: string;
  status: number | undefined;
  reasons: { Code: string }[];
} {
  const { name } = error;
  const code = textOf(error, 'code');
  if (error instanceof AwsError) return { name, code, status: error.status, reasons: [] };
  const status = valueOf(valueOf(error, '$metadata'), 'httpStatusCode');
  const reasons = valueOf(error, 'CancellationReasons');
  return {
    name,
    code,
    status: typeof status === 'number' ? status : undefined,
    reasons: Array.isArray(reasons) ? reasons.map((one) => ({ Code: textOf(one, 'Code') })) : [],
  };
}

function valueOf(thing: unknown, name: string): unknown {
  return typeof thing === 'object' && thing !== null ? Reflect.get(thing, name) : undefined;
}

function textOf(thing: unknown, name: string): string {
  const value = valueOf(thing, name);
  return typeof value === 'string' ? value : '';
}

/** Whether a transaction was cancelled because a partition had too many requests. */
export function isThrottledTransaction({
  CancellationReasons = [],
}: {
  CancellationReasons?: readonly { Code?: string | undefined }[] | undefined;
}): boolean {
  return CancellationReasons.some(({ Code = '' }) => throttlingReasons.has(Code));
}

/** Whether a service's error code means that it had too many requests. */
export function isThrottlingCode(code: string): boolean {
  return throttlingCodes.has(code);
}
