import { asCodedError } from '../shared/unexpected-error.ts';
import { rpcCodes } from './mcp-refusal.ts';
import { describeToolError } from './tool-result.ts';

/** An error in the form that both SDKs send as it is: code, message and data of JSON-RPC. */
class ResourceError extends Error {
  override readonly name = 'ResourceError';
  readonly code: number;
  readonly data: Record<string, unknown>;

  constructor(code: number, message: string, data: Record<string, unknown>) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

/** The JSON-RPC error for a resource that cannot be listed, read or completed; it says what to do next. */
export function resourceError(error: unknown, requestId: string): Error {
  const { status } = asCodedError(error, requestId);
  const described = describeToolError(error, { tool: 'resources', requestId });
  const { error: problem, nextStep, data } = described;
  const rpcCode = status >= 500 ? rpcCodes.internal : rpcCodes.invalidParams;
  return new ResourceError(rpcCode, `${problem} ${nextStep}`, { ...data, nextStep });
}
