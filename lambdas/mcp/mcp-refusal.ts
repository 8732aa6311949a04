import { CodedError } from '../../core/errors.ts';
import type { APIGatewayProxyResult } from 'aws-lambda';
import { jsonResponse } from '../http/api-response.ts';
import { asCodedError } from '../shared/unexpected-error.ts';
import { describeToolError } from './tool-result.ts';

/** Codes of JSON-RPC 2.0 §5.1. `server` is used for errors that the HTTP status describes. */
export const rpcCodes = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internal: -32603,
  server: -32000,
} as const;

/** Options of the response to a refused message. */
export interface RefusalOptions {
  rpcCode?: number;
  /** Default: the status of the error code. */
  status?: number;
  headers?: Record<string, string>;
  /** More fields of the error's `data`. */
  data?: Record<string, string>;
}

/** A message that is refused before a tool is called. */
export class McpRefusal extends Error {
  override readonly name = 'McpRefusal';
  readonly error: CodedError;
  readonly more: RefusalOptions;

  constructor(error: CodedError, more: RefusalOptions = {}) {
    super(error.message);
    this.error = error;
    this.more = more;
  }
}

/** The error for a wrong method or wrong parameters. The HTTP status is 200 unless given. */
export function invalidCall(
  rpcCode: number,
  error: string,
  nextStep: string,
  status = 200,
): McpRefusal {
  const details = [{ path: 'params', message: error }];
  const coded = new CodedError('INVALID_REQUEST', { error, nextStep, details });
  return new McpRefusal(coded, { rpcCode, status });
}

/** The JSON-RPC error response for any error; `id` is null until it is known. */
export function refusalResponse(
  error: unknown,
  { id, requestId }: { id: string | number | null; requestId: string },
): APIGatewayProxyResult {
  const { rpcCode, status, headers, data: more } = optionsOf(error, requestId);
  const cause = error instanceof McpRefusal ? error.error : error;
  const { error: problem, nextStep, data } = describeToolError(cause, { tool: 'none', requestId });
  const message = `${problem} ${nextStep}`;
  const wait = data['retryAfterSeconds'];
  const body = {
    jsonrpc: '2.0',
    id,
    error: { code: rpcCode, message, data: { ...data, ...more, nextStep } },
  };
  return jsonResponse(status, body, requestId, {
    ...(typeof wait === 'number' ? { 'retry-after': String(wait) } : {}),
    ...headers,
  });
}

function optionsOf(error: unknown, requestId: string): Required<RefusalOptions> {
  if (error instanceof McpRefusal) {
    const { status } = error.error;
    return { rpcCode: rpcCodes.server, status, headers: {}, data: {}, ...error.more };
  }
  const { code, status } = asCodedError(error, requestId);
  const rpcCode = code === 'INTERNAL' ? rpcCodes.internal : rpcCodes.server;
  return { rpcCode, status, headers: {}, data: {} };
}
