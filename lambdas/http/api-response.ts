import type { APIGatewayProxyResult } from 'aws-lambda';
import { type LimitState, tightestLimit } from '../../core/limits/sliding-window.ts';
import { logger } from '../shared/logger.ts';
import { asCodedError } from '../shared/unexpected-error.ts';
import { planFactsOf } from '../shared/plan-facts.ts';
import { upgradeAddress, withUpgradeAddress } from '../shared/upgrade-address.ts';

/** A JSON response that no cache stores. */
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
      'x-request-id': requestId,
      ...headers,
    },
    body: JSON.stringify(body),
  };
}

/** A response that is a text or bytes. No cache stores it unless its headers say so. */
export function fileResponse(
  status: number,
  file: { mediaType: string; content: string | Uint8Array; headers: Record<string, string> },
  requestId: string,
): APIGatewayProxyResult {
  const { mediaType, content, headers } = file;
  const isText = typeof content === 'string';
  return {
    statusCode: status,
    headers: {
      'content-type': mediaType.startsWith('text/') ? `${mediaType}; charset=utf-8` : mediaType,
      'cache-control': 'no-store',
      'x-request-id': requestId,
      ...headers,
    },
    body: isText ? content : Buffer.from(content).toString('base64'),
    isBase64Encoded: !isText,
  };
}

/** Headers for the strictest limit of a request (draft-ietf-httpapi-ratelimit-headers-03). */
export function limitHeaders(limits: readonly LimitState[]): Record<string, string> {
  const state = tightestLimit(limits);
  if (state === undefined) return {};
  return {
    'ratelimit-limit': String(state.limit),
    'ratelimit-remaining': String(state.remaining),
    'ratelimit-reset': String(state.resetSeconds),
  };
}

/**
 * The only function that turns an error into a response. An unexpected error is logged;
 * `asCodedError` decides what its caller gets.
 */
export function errorResponse(error: unknown, requestId: string): APIGatewayProxyResult {
  const known = asCodedError(error, requestId);
  if (known.status >= 500)
    logger.error('request failed', { requestId, error: known.cause ?? error });
  const nextStep = withUpgradeAddress(String(known.body['nextStep']), upgradeAddress());
  const body: Record<string, unknown> = { ...known.body, nextStep, ...planFactsOf(known) };
  const wait = body['retryAfterSeconds'];
  const headers = typeof wait === 'number' ? { 'retry-after': String(wait) } : undefined;
  return jsonResponse(known.status, body, requestId, headers);
}
