import type middy from '@middy/core';
import { redactedError } from './redact-secrets.ts';

/** For functions whose failures nothing turns into an answer: Lambda writes those into the log by itself. */
export function redactFailures(): middy.MiddlewareObj<unknown, unknown> {
  return {
    onError: (request) => {
      request.error = redactedError(request.error);
    },
  };
}
