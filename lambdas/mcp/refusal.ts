import { CodedError } from '../../core/errors.ts';

/** Codes of JSON-RPC 2.0 §5.1; `server` is ours for everything that HTTP's status tells. */
export const rpcCodes = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internal: -32603,
  server: -32000,
} as const;

/** What a refusal's answer has of its own. */
export interface RefusalOptions {
  rpcCode?: number;
  /** Where it is not the code's own. */
  status?: number;
  headers?: Record<string, string>;
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
