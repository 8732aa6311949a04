import type { APIGatewayProxyResult } from 'aws-lambda';
import { documentClient } from '../../adapters/dynamodb/document-client.ts';
import { idempotencyTable } from '../../adapters/dynamodb/idempotency-table.ts';
import type { Operation } from '../../contract/operation.ts';
import { CodedError } from '../../core/errors.ts';
import type { Answer } from '../../core/idempotency/answer-store.ts';
import { answerOnce } from '../../core/idempotency/answer-once.ts';
import type { ApiRequest } from './api-request.ts';
import { errorResponse } from './api-response.ts';
import { deployedSecret } from '../shared/deployed-secrets.ts';
import { logger } from '../shared/logger.ts';
import { once } from '../shared/once.ts';
import { setting } from '../shared/settings.ts';

const services = once(() => ({
  answers: idempotencyTable(documentClient(), setting('COUNTERS_TABLE')),
  secret: deployedSecret('ORIGIN_SECRET_ARN'),
  now: () => new Date(),
  onFailure: (error: unknown) =>
    logger.error('answer not kept', { error: error instanceof Error ? error : String(error) }),
}));

/**
 * The answer of `work`; for a write with an `Idempotency-Key` the one that its first request got.
 * Refusals before this (who calls, what the body is) come again by themselves and take no key.
 * @throws CodedError INVALID_REQUEST or VALIDATION_FAILED, IDEMPOTENCY_CONFLICT
 */
export async function answerRepeatably(
  { id, method, invalid }: Operation,
  request: ApiRequest,
  { scope, input }: { scope: string; input: object },
  work: () => Promise<APIGatewayProxyResult>,
): Promise<APIGatewayProxyResult> {
  const key = request.headers['idempotency-key'];
  if (key === undefined || method === 'GET') return work();
  if (!/^[\x21-\x7e]{1,255}$/.test(key)) throw malformedKey(invalid);
  const { requestId } = request.caller;
  const deps = { ...services(), remainingMs: () => request.remainingMs() };
  const { answer, replayed } = await answerOnce(deps, { operation: id, scope, key, input }, () =>
    work().then(repeatable, (error: unknown) => repeatable(errorResponse(error, requestId))),
  );
  return {
    statusCode: answer.status,
    headers: {
      ...answer.headers,
      'x-request-id': requestId,
      ...(replayed ? { 'idempotency-replayed': 'true' } : {}),
    },
    ...(answer.cookies !== undefined && { multiValueHeaders: { 'set-cookie': answer.cookies } }),
    body: answer.body,
  };
}

function repeatable({
  statusCode,
  headers = {},
  multiValueHeaders = {},
  body,
}: APIGatewayProxyResult): Answer {
  const cookies = multiValueHeaders['set-cookie']?.map(String);
  const texts = Object.entries(headers).map(([name, value]) => [name, String(value)]);
  return {
    status: statusCode,
    headers: Object.fromEntries(texts),
    ...(cookies !== undefined && { cookies }),
    body,
  };
}

function malformedKey(code: Operation['invalid'] = 'INVALID_REQUEST'): CodedError {
  const message = 'must be 1 to 255 visible ASCII characters';
  return new CodedError(code, {
    error: `Idempotency-Key: ${message}.`,
    details: [{ path: 'Idempotency-Key', message }],
  });
}
