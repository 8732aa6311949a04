import type { APIGatewayProxyResult } from 'aws-lambda';
import { CodedError } from '../../core/errors.ts';
import { jsonResponse } from '../runtime/api-response.ts';
import type { RequestId } from './rpc-message.ts';
import { faultOf } from './tool-error.ts';

/** Codes of JSON-RPC 2.0 §5.1; `server` is ours for everything that HTTP's status tells. */
export const rpcCodes = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internal: -32603,
  server: -32000,
} as const;

interface More {
  rpcCode?: number;
  /** Where it is not the code's own. */
  status?: number;
  headers?: Record<string, string>;
}

/** A message that is refused before a tool is called. */
export class McpRefusal extends Error {
  override readonly name = 'McpRefusal';
  readonly error: CodedError;
  readonly more: More;

  constructor(error: CodedError, more: More = {}) {
    super(error.message);
    this.error = error;
    this.more = more;
  }
}

/** A message whose method or parameters are wrong; told in the answer to the call, not in HTTP's status. */
export function wrongCall(
  rpcCode: number,
  error: string,
  nextStep: string,
  status = 200,
): McpRefusal {
  const details = [{ path: 'params', message: error }];
  const coded = new CodedError('INVALID_REQUEST', { error, nextStep, details });
  return new McpRefusal(coded, { rpcCode, status });
}

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

function moreOf(error: unknown): Required<More> {
  if (error instanceof McpRefusal) {
    return { rpcCode: rpcCodes.server, status: error.error.status, headers: {}, ...error.more };
  }
  const isOurs = error instanceof CodedError;
  const rpcCode = isOurs ? rpcCodes.server : rpcCodes.internal;
  return { rpcCode, status: isOurs ? error.status : 500, headers: {} };
}
