import type { APIGatewayProxyResult } from 'aws-lambda';
import { neededPermissions, type Operation } from '../../contract/operation.ts';
import { CodedError } from '../../core/errors.ts';
import type { StoredResponse } from '../../core/idempotency/response-store.ts';
import { runIdempotent } from '../../core/idempotency/run-idempotent.ts';
import type { ApiRequest } from './api-request.ts';
import { errorResponse } from './api-response.ts';
import { idempotencyServices } from '../shared/idempotency-services.ts';

/**
 * Returns the response of `work`. A repeated write with the same `Idempotency-Key` gets the stored response.
 * Errors before this point (credential, malformed body) are not stored: repeating the request repeats them.
 * @throws CodedError INVALID_REQUEST or VALIDATION_FAILED, IDEMPOTENCY_CONFLICT
 */
export async function respondIdempotently(
  operation: Operation,
  request: ApiRequest,
  { scope, input }: { scope: string; input: object },
  work: () => Promise<APIGatewayProxyResult>,
): Promise<APIGatewayProxyResult> {
  const { id, method, invalid } = operation;
  const key = request.headers['idempotency-key'];
  if (key === undefined || method === 'GET') return work();
  if (!/^[\x21-\x7e]{1,255}$/.test(key)) throw malformedKey(invalid);
  const { requestId } = request.caller;
  const deps = { ...idempotencyServices(), remainingMs: () => request.remainingMs() };
  const { response, replayed } = await runIdempotent(
    deps,
    { operation: id, scope, key, input, changesNothing: changesNothing(operation) },
    () =>
      work().then(toStoredResponse, (error: unknown) =>
        toStoredResponse(errorResponse(error, requestId)),
      ),
  );
  return {
    statusCode: response.status,
    headers: {
      ...response.headers,
      'x-request-id': requestId,
      ...(replayed ? { 'idempotency-replayed': 'true' } : {}),
    },
    ...(response.cookies !== undefined && {
      multiValueHeaders: { 'set-cookie': response.cookies },
    }),
    body: response.body,
  };
}

/** Whether the operation only reads, perhaps with paths in its body. */
function changesNothing(operation: Operation): boolean {
  const { auth } = operation;
  const needed = neededPermissions(operation);
  return auth === 'key' && needed.every((permission) => permission.endsWith(':read'));
}

function toStoredResponse({
  statusCode,
  headers = {},
  multiValueHeaders = {},
  body,
}: APIGatewayProxyResult): StoredResponse {
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
