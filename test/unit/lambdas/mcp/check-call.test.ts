import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { OAuthScope } from '../../../../contract/oauth/oauth.ts';
import { tools } from '../../../../contract/tools.ts';
import type { Agent } from '../../../../lambdas/mcp/admit.ts';
import { boundTools, findTool } from '../../../../lambdas/mcp/tools/bound-tools.ts';
import { checkCall } from '../../../../lambdas/mcp/check-call.ts';
import { McpRefusal, refusalResponse } from '../../../../lambdas/mcp/mcp-refusal.ts';
import type { RpcMessage } from '../../../../lambdas/mcp/rpc-message.ts';

beforeAll(() => {
  process.env['BASE_URL'] = 'https://app.example';
});
afterAll(() => {
  delete process.env['BASE_URL'];
});

const agent = (...scopes: OAuthScope[]) =>
  ({ caller: { requestId: 'request-1', credential: { kind: 'app' } }, scopes }) as unknown as Agent;
const aCall = (name: string): RpcMessage => ({
  jsonrpc: '2.0',
  id: 7,
  method: 'tools/call',
  params: { name, arguments: {} },
});

function refusalOf(message: RpcMessage, by: Agent): McpRefusal {
  try {
    checkCall(message, by);
  } catch (error) {
    if (error instanceof McpRefusal) return error;
    throw error;
  }
  throw new Error('it was let through');
}

describe('a connected app', () => {
  test.each(tools.map(({ name, scope }) => [name, scope] as const))(
    'may call %s with %s and not with the other scopes',
    async (name, scope) => {
      const all: OAuthScope[] = ['projects:read', 'projects:write', 'account:read'];
      expect(() => checkCall(aCall(name), agent(scope))).not.toThrow();
      const others = all.filter((one) => one !== scope);
      const refusal = refusalOf(aCall(name), agent(...others));
      const answer = refusalResponse(refusal, { id: 7, requestId: 'request-1' });
      expect(answer.statusCode).toBe(403);
      expect(answer.headers?.['www-authenticate']).toBe(
        'Bearer error="insufficient_scope", resource_metadata="https://app.example/.well-known/oauth-protected-resource/mcp", scope="projects:read projects:write account:read"',
      );
      const { id, error } = JSON.parse(answer.body);
      expect([id, error.code, error.data.code]).toEqual([7, -32000, 'FORBIDDEN']);
      expect(error.data).toMatchObject({
        error: 'insufficient_scope',
        scope: 'projects:read projects:write account:read',
      });
      expect(error.message).toContain(`needs the scope \`${scope}\``);
      expect(error.message).toContain(`allow \`${scope}\``);
      // Whatever let it pass before: the tool itself looks as well.
      const result = await boundTools
        .find(({ tool }) => tool.name === name)
        ?.call(agent(...others), {});
      expect(result?.isError).toBe(true);
      expect(JSON.stringify(result)).toContain(`needs the scope`);
    },
  );

  test('gets the scopes that it has and needs, and nothing else', () => {
    const { headers } = refusalOf(aCall('delete_project'), agent('projects:read')).more;
    expect(headers?.['www-authenticate']).toContain('scope="projects:read projects:write"');
  });

  test('may list tools with any scope', () => {
    expect(() => checkCall({ jsonrpc: '2.0', id: 1, method: 'tools/list' }, agent())).not.toThrow();
  });
});

test('an API key with fewer permissions gets an error of the tool, which it can read', async () => {
  const credential = { kind: 'key', keyHash: 'x' } as const;
  const caller = { requestId: 'request-1', credential } as unknown as Agent['caller'];
  const reader: Agent = { caller, scopes: ['projects:read'], remainingMs: () => 1000 };
  expect(() => checkCall(aCall('publish_site'), reader)).not.toThrow();
  const result = await findTool('publish_site')?.call(reader, {});
  expect(result?.isError).toBe(true);
  expect(JSON.stringify(result)).toMatch(
    /permission `projects:write`; this API key has `projects:read`/,
  );
});

test.each([7, null, {}, []])('a list of tools from %j on is refused in our words', (cursor) => {
  const list: RpcMessage = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: { cursor } };
  expect(refusalOf(list, agent()).more).toMatchObject({ rpcCode: -32602, status: 200 });
});

describe('names of tools', () => {
  test.each(['', 'toString', '__proto__', 'Publish_site', 'publish_site '])(
    '%j is none',
    (name) => {
      expect(findTool(name)).toBeUndefined();
      expect(refusalOf(aCall(name), agent('projects:write')).more).toMatchObject({
        rpcCode: -32602,
        status: 200,
      });
    },
  );
});
