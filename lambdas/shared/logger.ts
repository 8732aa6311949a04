import type middy from '@middy/core';
import { Logger } from '@aws-lambda-powertools/logger';
import { redactedError, redactField } from './redact-secrets.ts';
import { sourcePositions } from './source-positions.ts';

/** Logs JSON lines with the function's name, the request id and the X-Ray trace, without secrets; errors with the lines of our sources. */
export const logger = new Logger({ jsonReplacerFn: loggedField });

/** A replacer for `JSON.stringify`: the value to log under this name. The logger turns errors into objects first. */
function loggedField(name: string, value: unknown): unknown {
  if (typeof value !== 'string') return value;
  if (name === 'stack') return redactField(name, sourcePositions(value));
  // Leaves out the logger's own `location`, a line of the bundle; the stack has the source line.
  if (name === 'location' && value.endsWith('.mjs', value.lastIndexOf(':'))) return undefined;
  return redactField(name, value);
}

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
