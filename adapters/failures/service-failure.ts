import { AwsError } from '../signed-calls/aws-error.ts';

/**
 * Configures an SDK client whose calls are small: each attempt ends after some seconds. Without it, a call
 * whose connection falls silent waits until the function is stopped.
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
 * Why a service of AWS did not do its work, although nothing is wrong with the call: it had too many
 * (`throttled`), or it failed or gave no answer in time (`unavailable`).
 */
export type ServiceFailure = 'throttled' | 'unavailable';

/** How services say that they had too many requests (`SlowDown` is S3's, with status 503). */
const throttlingCodes = new Set([
  'ProvisionedThroughputExceededException',
  'RequestLimitExceeded',
  'RequestThrottled',
  'SlowDown',
  'ThrottlingException',
]);

/** The reasons of a cancelled transaction that mean the same. */
const throttlingReasons = new Set(['ProvisionedThroughputExceeded', 'ThrottlingError']);

/** No connection, no answer in time, or an answer that broke off: Node's codes. */
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

/** The name that the SDK gives a call without an answer; S3's code for a request that stopped midway. */
const timeoutCodes = new Set(['TimeoutError', 'RequestTimeout', 'RequestTimeoutException']);

/**
 * Classifies an error of a call, after all its retries; `undefined` for every other error, which is a
 * fault of ours. Reads the errors of the SDK, of the small client, and of Node, also as the cause of
 * another error.
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

/** What the SDK's errors, the small client's and Node's say about a call; `status` is of its response. */
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

/** Whether a service's name for an error means that it had too many requests. */
export function isThrottlingCode(code: string): boolean {
  return throttlingCodes.has(code);
}
