import * as z from 'zod';
import { CodedError } from '../../core/errors.ts';
import type { ApiRequest } from '../http/api-request.ts';
import { McpRefusal, rpcCodes } from './refusal.ts';

/** A request's id; MCP allows no null, and it is sent back. */
const RequestId = z.union([z.string().max(1000), z.int()]);
export type RequestId = z.infer<typeof RequestId>;

/** One message of JSON-RPC 2.0, before anything is known of its method. */
const RpcMessage = z.object({
  jsonrpc: z.literal('2.0'),
  id: RequestId.optional(),
  method: z.string().max(200).optional(),
  params: z.looseObject({}).optional(),
  result: z.unknown().optional(),
  error: z.unknown().optional(),
});
export type RpcMessage = z.infer<typeof RpcMessage>;

/** What reaches us as bytes because of its second name never is cut short by escapes (lib/edge/app-viewer-request.js). */
const jsonTypes = /^application\/(?:mcp\+)?json\s*(?:;|$)/i;

/**
 * The one message of a request. Lists are refused: what is checked of one message would have to be
 * checked of each.
 * @throws McpRefusal 415; -32700, -32600
 */
export function readMessage({ body, headers }: Pick<ApiRequest, 'body' | 'headers'>): RpcMessage {
  if (!jsonTypes.test(headers['content-type'] ?? '')) {
    const error = 'The body must be sent as application/json.';
    throw new McpRefusal(new CodedError('UNSUPPORTED_MEDIA_TYPE', { error }));
  }
  const value = parsed(body);
  if (Array.isArray(value)) {
    throw malformed(rpcCodes.invalidRequest, 'is a list of messages; send one message at a time');
  }
  const message = RpcMessage.safeParse(value);
  if (!message.success) throw malformed(rpcCodes.invalidRequest, 'is no JSON-RPC 2.0 message');
  const { method, result, error } = message.data;
  const isAnswer = result !== undefined || error !== undefined;
  if (isAnswer === (method !== undefined)) {
    const problem = isAnswer ? 'is request and answer at once' : 'names no `method`';
    throw malformed(rpcCodes.invalidRequest, problem);
  }
  if (hasTooManyParts(message.data)) {
    throw malformed(rpcCodes.invalidRequest, `has more than ${maxParts} parts beside arguments`);
  }
  return message.data;
}

const maxParts = 10_000;

/** The SDKs' schemas look at every part of what is no argument of a tool: millions of wrong ones take all time and memory. */
function hasTooManyParts({ params = {}, ...message }: RpcMessage): boolean {
  const { arguments: _, ...others } = params;
  const open: unknown[] = [message, others];
  let parts = 0;
  while (open.length > 0) {
    const value = open.pop();
    if (typeof value !== 'object' || value === null) continue;
    const inside: unknown[] = Object.values(value);
    parts += inside.length;
    if (parts > maxParts) return true;
    for (const part of inside) open.push(part);
  }
  return false;
}

function parsed(body: Buffer): unknown {
  try {
    // Bytes that are no UTF-8 would silently become other text.
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
    return value;
  } catch {
    throw malformed(rpcCodes.parseError, 'is no valid JSON in UTF-8');
  }
}

function malformed(rpcCode: number, problem: string): McpRefusal {
  const details = [{ path: 'body', message: problem }];
  const error = new CodedError('INVALID_REQUEST', { error: `The body ${problem}.`, details });
  return new McpRefusal(error, { rpcCode });
}
