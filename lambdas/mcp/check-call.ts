import * as z from 'zod';
import { bearerChallenge, oauthScopes } from '../../contract/oauth/oauth.ts';
import { toolNames } from '../../contract/tool.ts';
import { CodedError } from '../../core/errors.ts';
import { quoted } from '../../core/content/safe-path.ts';
import { setting } from '../shared/settings.ts';
import { type Agent, requireScope } from './agent.ts';
import { findTool } from './bound-tools.ts';
import { McpRefusal, rpcCodes, wrongCall } from './refusal.ts';
import type { RpcMessage } from './rpc-message.ts';

const ToolCall = z.looseObject({
  name: z.string(),
  arguments: z.record(z.string(), z.unknown()).optional(),
});

/**
 * Refuses what no server of the SDKs is to see: a cursor that is an internal error to them, a stream
 * that Lambda cannot send, a tool that there is not, and one that the connection was not allowed.
 * @throws McpRefusal -32601, -32602; 403 with a challenge (RFC 6750 §3.1)
 */
export function checkCall({ method, params }: RpcMessage, agent: Agent): void {
  if (method === 'subscriptions/listen') {
    const error = 'There is nothing to subscribe to: `subscriptions/listen` is not offered.';
    throw wrongCall(rpcCodes.methodNotFound, error, 'Call tools/list and tools/call.', 404);
  }
  if (method === 'tools/list' && !['string', 'undefined'].includes(typeof params?.['cursor'])) {
    const error = '`cursor` of tools/list is a text; the list has one page.';
    throw wrongCall(rpcCodes.invalidParams, error, 'Call tools/list without a cursor.');
  }
  if (method !== 'tools/call') return;
  const call = ToolCall.safeParse(params);
  if (!call.success) {
    const error = '`params` of tools/call need a `name`, and `arguments` that are an object.';
    throw wrongCall(rpcCodes.invalidParams, error, 'Send both as tools/list describes them.');
  }
  const { name } = call.data;
  const bound = findTool(name);
  if (bound === undefined) {
    const error = `There is no tool ${quoted(name)}.`;
    throw wrongCall(rpcCodes.invalidParams, error, `Call one of ${toolNames.join(', ')}.`);
  }
  challengeScope(() => requireScope(bound.tool, agent), [...agent.scopes, bound.tool.scope]);
}

/** The challenge names what the connection has and what it needs, so that nothing is lost by connecting again. */
function challengeScope(check: () => void, wanted: Agent['scopes']): void {
  try {
    check();
  } catch (error) {
    if (!(error instanceof CodedError)) throw error;
    const scopes = oauthScopes.filter((scope) => wanted.includes(scope));
    const challenge = bearerChallenge(setting('BASE_URL'), { error: 'insufficient_scope', scopes });
    throw new McpRefusal(error, { headers: { 'www-authenticate': challenge } });
  }
}
