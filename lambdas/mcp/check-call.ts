import * as z from 'zod';
import { bearerChallenge, oauthScopes } from '../../contract/oauth/oauth.ts';
import { tools } from '../../contract/tools.ts';
import { CodedError } from '../../core/errors.ts';
import { quoted } from '../../core/content/safe-path.ts';
import { setting } from '../shared/settings.ts';
import { type Agent, isKey, requireScope } from './admit.ts';
import { findTool } from './tools/bound-tools.ts';
import { McpRefusal, rpcCodes, invalidCall } from './mcp-refusal.ts';
import type { RpcMessage } from './rpc-message.ts';

const ToolCall = z.looseObject({
  name: z.string(),
  arguments: z.record(z.string(), z.unknown()).optional(),
});

/** Methods that read the content of an agent's projects. */
const readingMethods = new Set(['resources/list', 'resources/read', 'completion/complete']);

/**
 * Refuses messages before the SDKs see them: a cursor, which they answer with an internal error; a
 * stream, which Lambda cannot send; an unknown tool; and a tool whose scope the connection lacks.
 * @throws McpRefusal -32601, -32602; 403 with a challenge (RFC 6750 §3.1)
 */
export function checkCall({ method, params }: RpcMessage, agent: Agent): void {
  if (method === 'subscriptions/listen') {
    const error = '`subscriptions/listen` is not supported.';
    throw invalidCall(rpcCodes.methodNotFound, error, 'Use tools/list and tools/call.', 404);
  }
  if (method === 'tools/list' && !['string', 'undefined'].includes(typeof params?.['cursor'])) {
    const error = '`cursor` of tools/list must be a string. The list has one page.';
    throw invalidCall(rpcCodes.invalidParams, error, 'Call tools/list without a cursor.');
  }
  if (method !== undefined && readingMethods.has(method) && !isKey(agent)) {
    const need = { name: method, scope: 'projects:read' } as const;
    requireScopeWithChallenge(() => requireScope(need, agent), [...agent.scopes, need.scope]);
  }
  if (method !== 'tools/call') return;
  const call = ToolCall.safeParse(params);
  if (!call.success) {
    const error = '`params` of tools/call must have a `name`. `arguments` must be an object.';
    throw invalidCall(
      rpcCodes.invalidParams,
      error,
      'Send `name` and `arguments` as tools/list describes them.',
    );
  }
  const { name } = call.data;
  const bound = findTool(name);
  if (bound === undefined) {
    const error = `The tool ${quoted(name)} does not exist.`;
    const names = tools.map((tool) => tool.name).join(', ');
    throw invalidCall(rpcCodes.invalidParams, error, `Call one of ${names}.`);
  }
  // A challenge makes clients request more scopes, which a key cannot get, so a key gets an error
  // from the tool instead.
  if (isKey(agent)) return;
  requireScopeWithChallenge(
    () => requireScope(bound.tool, agent),
    [...agent.scopes, bound.tool.scope],
  );
}

/** The challenge names the scopes that the connection has and the scope that it needs, so that connecting again keeps the former. */
function requireScopeWithChallenge(check: () => void, neededScopes: Agent['scopes']): void {
  try {
    check();
  } catch (error) {
    if (!(error instanceof CodedError)) throw error;
    const scopes = oauthScopes.filter((scope) => neededScopes.includes(scope));
    const reason = 'insufficient_scope';
    const challenge = bearerChallenge(setting('BASE_URL'), { error: reason, scopes });
    throw new McpRefusal(error, {
      headers: { 'www-authenticate': challenge },
      data: { error: reason, scope: scopes.join(' ') },
    });
  }
}
