import type { APIGatewayProxyResult } from 'aws-lambda';
import { CodedError } from '../../core/errors.ts';
import { type LimitState, tightest } from '../../core/limits/limit-state.ts';
import { logger } from '../shared/logger.ts';

/** A JSON answer; never stored by anybody on the way. */
export function jsonResponse(
  status: number,
  body: unknown,
  requestId: string,
  headers: Record<string, string> = {},
): APIGatewayProxyResult {
  return {
    statusCode: status,
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'x-request-id': requestId,
      ...headers,
    },
    body: JSON.stringify(body),
  };
}

/** The tightest of the limits that a request met (draft-ietf-httpapi-ratelimit-headers-03). */
export function limitHeaders(limits: readonly LimitState[]): Record<string, string> {
  const state = tightest(limits);
  if (state === undefined) return {};
  return {
    'ratelimit-limit': String(state.limit),
    'ratelimit-remaining': String(state.remaining),
    'ratelimit-reset': String(state.resetSeconds),
  };
}

/**
 * The only place that turns an error into an answer. What is not one of our own refusals is a
 * bug: it is logged whole and leaves as a fixed text with the request's id.
 */
export function errorResponse(error: unknown, requestId: string): APIGatewayProxyResult {
  const known = error instanceof CodedError ? error : unexpected(error, requestId);
  if (known.status >= 500)
    logger.error('request failed', { requestId, error: known.cause ?? error });
  const { body } = known;
  const wait = body['retryAfterSeconds'];
  const headers = typeof wait === 'number' ? { 'retry-after': String(wait) } : undefined;
  return jsonResponse(known.status, body, requestId, headers);
}

function unexpected(cause: unknown, requestId: string): CodedError {
  return new CodedError(
    'INTERNAL',
    { error: 'Something went wrong on our side.', requestId },
    { cause },
  );
}
