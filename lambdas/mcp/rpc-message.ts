import * as z from 'zod';
import { CodedError } from '../../core/errors.ts';
import type { ApiRequest } from '../http/api-request.ts';
import { hasTooManyValues, maxJsonValues } from '../http/json-size.ts';
import { McpRefusal, rpcCodes } from './mcp-refusal.ts';

/** The id of a request, which the answer repeats. MCP does not allow null. */
const RequestId = z.union([z.string().max(1000), z.int()]);
export type RequestId = z.infer<typeof RequestId>;

/** One message of JSON-RPC 2.0, with any method. */
const RpcMessage = z.object({
  jsonrpc: z.literal('2.0'),
  id: RequestId.optional(),
  method: z.string().max(200).optional(),
  params: z.looseObject({}).optional(),
  result: z.unknown().optional(),
  error: z.unknown().optional(),
});
export type RpcMessage = z.infer<typeof RpcMessage>;

/** The edge function sends `application/mcp+json`, so that API Gateway passes the body on as bytes (lib/edge/app-viewer-request.js). */
const jsonTypes = /^application\/(?:mcp\+)?json\s*(?:;|$)/i;

/**
 * Reads the message of a request. Lists of messages are refused: all checks would have to be repeated
 * for each.
 * @throws McpRefusal 415; -32700, -32600
 */
export function readMessage({ body, headers }: Pick<ApiRequest, 'body' | 'headers'>): RpcMessage {
  if (!jsonTypes.test(headers['content-type'] ?? '')) {
    const error = 'The body must be sent as application/json.';
    throw new McpRefusal(new CodedError('UNSUPPORTED_MEDIA_TYPE', { error }));
  }
  if (hasTooManyValues(body)) {
    throw malformed(rpcCodes.invalidRequest, `has more than ${maxJsonValues} values`);
  }
  const value = parseJson(body);
  if (Array.isArray(value)) {
    throw malformed(rpcCodes.invalidRequest, 'is a list of messages; send one message at a time');
  }
  const message = RpcMessage.safeParse(value);
  if (!message.success) throw malformed(rpcCodes.invalidRequest, 'is not a JSON-RPC 2.0 message');
  const { method, result, error } = message.data;
  const isAnswer = result !== undefined || error !== undefined;
  if (isAnswer === (method !== undefined)) {
    const problem = isAnswer ? 'is both a request and a response' : 'has no `method`';
    throw malformed(rpcCodes.invalidRequest, problem);
  }
  if (hasTooManyCheckedValues(message.data)) {
    throw malformed(
      rpcCodes.invalidRequest,
      `has more than ${maxCheckedValues} values, without those inside of the fields of \`arguments\``,
    );
  }
  return message.data;
}

const maxCheckedValues = 10_000;

/**
 * The SDKs' schemas check every value but those inside of a tool's arguments, of which they check the names: thousands
 * of wrong ones would use up time and memory.
 */
function hasTooManyCheckedValues({ params = {}, ...message }: RpcMessage): boolean {
  const { arguments: given, ...others } = params;
  const open: unknown[] = [message, others];
  let parts = Object.keys(given ?? {}).length;
  while (open.length > 0) {
    const value = open.pop();
    if (typeof value !== 'object' || value === null) continue;
    const inside: unknown[] = Object.values(value);
    parts += inside.length;
    if (parts > maxCheckedValues) return true;
    for (const part of inside) open.push(part);
  }
  return parts > maxCheckedValues;
}

function parseJson(body: Buffer): unknown {
  try {
    // Without `fatal`, invalid UTF-8 would silently become other text.
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
    return value;
  } catch {
    throw malformed(rpcCodes.parseError, 'is not valid JSON in UTF-8');
  }
}

function malformed(rpcCode: number, problem: string): McpRefusal {
  const details = [{ path: 'body', message: problem }];
  const error = new CodedError('INVALID_REQUEST', { error: `The body ${problem}.`, details });
  return new McpRefusal(error, { rpcCode });
}
