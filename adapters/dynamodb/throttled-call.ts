import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';

/** How DynamoDB and S3 say that a partition had too many requests (`SlowDown` is S3's). */
const throttlingNames = new Set([
  'ProvisionedThroughputExceededException',
  'RequestLimitExceeded',
  'SlowDown',
  'ThrottlingException',
]);

/** The reasons of a cancelled transaction that mean the same. */
const throttlingReasons = new Set(['ProvisionedThroughputExceeded', 'ThrottlingError']);

/** Whether a transaction was cancelled because a partition had too many requests. */
export function isThrottledTransaction({
  CancellationReasons = [],
}: {
  CancellationReasons?: readonly { Code?: string | undefined }[] | undefined;
}): boolean {
  return CancellationReasons.some(({ Code = '' }) => throttlingReasons.has(Code));
}

/** Whether a call was refused because a partition had too many requests, also after all retries. */
export function isThrottledCall(error: unknown): boolean {
  if (error instanceof TransactionCanceledException) return isThrottledTransaction(error);
  return error instanceof Error && throttlingNames.has(error.name);
}
