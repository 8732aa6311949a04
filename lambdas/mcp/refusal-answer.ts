import type { APIGatewayProxyResult } from 'aws-lambda';
import { CodedError } from '../../core/errors.ts';
import { jsonResponse } from '../http/api-response.ts';
import { McpRefusal, type RefusalOptions, rpcCodes } from './refusal.ts';
import type { RequestId } from './rpc-message.ts';
import { faultOf } from './tool-error.ts';

/** Any error as the JSON-RPC error that leaves; `id` is null until it is known. */
export function refusalAnswer(
  error: unknown,
  { id, requestId }: { id: RequestId | null; requestId: string },
): APIGatewayProxyResult {
  const { rpcCode, status, headers } = moreOf(error);
  const cause = error instanceof McpRefusal ? error.error : error;
  const { error: problem, nextStep, data } = faultOf(cause, { tool: 'none', requestId });
  const message = `${problem} ${nextStep}`;
  const wait = data['retryAfterSeconds'];
  const body = {
    jsonrpc: '2.0',
    id,
    error: { code: rpcCode, message, data: { ...data, nextStep } },
  };
  return jsonResponse(status, body, requestId, {
    ...(typeof wait === 'number' ? { 'retry-after': String(wait) } : {}),
    ...headers,
  });
}

function moreOf(error: unknown): Required<RefusalOptions> {
  if (error instanceof McpRefusal) {
    return { rpcCode: rpcCodes.server, status: error.error.status, headers: {}, ...error.more };
  }
  const isOurs = error instanceof CodedError;
  const rpcCode = isOurs ? rpcCodes.server : rpcCodes.internal;
  return { rpcCode, status: isOurs ? error.status : 500, headers: {} };
}
