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

/** Logs whatever was thrown, with its stack if it has one. */
export function logError(message: string, error: unknown, fields: object = {}): void {
  logger.error(message, { ...fields, error: error instanceof Error ? error : String(error) });
}

/** Logs a step that failed and that the next sweep completes. */
export function logDeferredCleanup(item: unknown, error: unknown): void {
  logError('left to the next sweep', error, { item });
}

/** Redacts errors that a function throws: Lambda logs those itself. */
export function redactFailures(): middy.MiddlewareObj<unknown, unknown> {
  return {
    onError: (request) => {
      request.error = redactedError(request.error);
    },
  };
}
