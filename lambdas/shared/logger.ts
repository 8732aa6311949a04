import type middy from '@middy/core';
import { Logger } from '@aws-lambda-powertools/logger';
import { redactedError, redactField } from './redact-secrets.ts';

/** Logs JSON lines with the function's name, the request id and the X-Ray trace, without secrets. */
export const logger = new Logger({ jsonReplacerFn: redactField });

/** Logs a step that failed and that the next sweep completes. */
export function logDeferredCleanup(item: unknown, error: unknown): void {
  logger.error('left to the next sweep', {
    item,
    error: error instanceof Error ? error : String(error),
  });
}

/** Redacts errors that a function throws: Lambda logs those itself. */
export function redactFailures(): middy.MiddlewareObj<unknown, unknown> {
  return {
    onError: (request) => {
      request.error = redactedError(request.error);
    },
  };
}
