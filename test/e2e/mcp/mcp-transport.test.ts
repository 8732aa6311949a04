import { tools } from '../../../contract/tools.ts';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { signIn } from '../../fixtures/accounts/accounts.ts';
import { type Answer, ask, baseUrl, isLocal } from '../../fixtures/clouds/client.ts';
import { postMcp, rpc } from '../../fixtures/agents/mcp.ts';
import { expectNoInsides } from '../../fixtures/clouds/refusals.ts';

// The codes are read from the local inbox.
const local = isLocal ? describe : describe.skip;

let key = '';
beforeAll(async () => {
  if (isLocal) key = await signIn();
});

const envelope = {
  _meta: {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'tests', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  },
};
const modern = (method: string, params: object = {}, name?: string) =>
  postMcp(rpc(method, { ...params, ...envelope }), {
    apiKey: key,
    headers: {
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': method,
      ...(name === undefined ? {} : { 'mcp-name': name }),
    },
  });

function expectRpcError(answer: Answer, status: number, code: number, id: unknown = null): void {
  expect({ status: answer.status, body: answer.text }).toMatchObject({ status });
  expect(answer.headers['content-type']).toMatch(/^application\/json/);
  expect(answer.headers['access-control-allow-origin']).toBe('*');
  expect(answer.json).toMatchObject({
    jsonrpc: '2.0',
    id,
    error: { code, message: expect.stringMatching(/\S/) },
  });
  expectNoInsides(answer.text);
}

local('GET and DELETE /mcp', () => {
  test.each(['GET', 'DELETE'])(
    '%s is refused immediately, for every caller, with a pointer to POST',
    async (method) => {
      const startedAt = Date.now();
      const answer = await ask(`${baseUrl}/mcp`, {
        method,
        headers: { accept: 'text/event-stream' },
      });
      expectRpcError(answer, 405, -32000);
      expect(answer.headers['allow']).toBe('POST');
      expect(Date.now() - startedAt).toBeLessThan(10_000);
    },
  );
});

local('who may call', () => {
  test.each([
    'https://evil.example',
    'https://claude.ai.evil.example',
    'http://claude.ai',
    'https://localhost.evil.example',
    'http://127.0.0.1.evil.example:8080',
    'http://127.0.0.1:8080@evil.example',
    'null',
  ])('a page of %s is refused, even with a valid key', async (origin) => {
    expectRpcError(await postMcp(rpc('ping'), { apiKey: key, headers: { origin } }), 403, -32000);
  });

  test.each([
    baseUrl,
    'http://localhost',
    'http://localhost:6274',
    'http://127.0.0.1:33418',
    'https://claude.ai',
    'https://claude.com',
    'https://chatgpt.com',
    'https://cursor.com',
    'https://vscode.dev',
  ])('a page of %s may call', async (origin) => {
    const answer = await postMcp(rpc('ping'), { apiKey: key, headers: { origin } });
    expect([answer.status, answer.json.result]).toEqual([200, {}]);
    expect(answer.headers['access-control-allow-origin']).toBe('*');
    expect(answer.headers['access-control-expose-headers']).toContain('WWW-Authenticate');
  });
});

local('what is no message', () => {
  test.each<[string, unknown, number]>([
    ['a text', 'hello', -32700],
    ['nothing', '', -32700],
    ['half of an object', '{"jsonrpc":"2.0"', -32700],
    ['a list', [rpc('ping')], -32600],
    ['an empty list', [], -32600],
    ['a number', 7, -32600],
    ['null', 'null', -32600],
    ['no version', { id: 1, method: 'ping' }, -32600],
    ['another version', { jsonrpc: '1.0', id: 1, method: 'ping' }, -32600],
    ['no method', { jsonrpc: '2.0', id: 1 }, -32600],
    ['a method that is no text', { jsonrpc: '2.0', id: 1, method: 7 }, -32600],
    ['null as id', { jsonrpc: '2.0', id: null, method: 'ping' }, -32600],
    ['an object as id', { jsonrpc: '2.0', id: {}, method: 'ping' }, -32600],
    ['params that are a list', { jsonrpc: '2.0', id: 1, method: 'ping', params: [] }, -32600],
  ])('%s is refused with its code', async (_, body, code) => {
    expectRpcError(await postMcp(body, { apiKey: key }), 400, code);
  });

  test('a batch is refused even if each of its calls is valid', async () => {
    const call = rpc('tools/call', { name: 'get_account', arguments: {} });
    const answer = await postMcp([call, call], { apiKey: key });
    expectRpcError(answer, 400, -32600);
    expect(answer.text).toContain('one message at a time');
  });

  test('another content type is refused', async () => {
    const headers = { 'content-type': 'text/plain' };
    expectRpcError(await postMcp(rpc('ping'), { apiKey: key, headers }), 415, -32000);
  });

  test('more than 4 MB is refused with the tool for large files; 4 MB are accepted', async () => {
    const call = (bytes: number) => {
      const around = JSON.stringify(rpc('ping', { text: '' })).length;
      return postMcp(rpc('ping', { text: 'x'.repeat(bytes - around) }), { apiKey: key });
    };
    const megabytes = 4 * 1024 * 1024;
    expect((await call(megabytes)).json.result).toEqual({});
    const refused = await call(megabytes + 1);
    expectRpcError(refused, 413, -32000);
    expect(refused.json.error.message).toContain('create_upload_link');
  });

  test('deep nesting causes no 5xx', async () => {
    const deep = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_account","arguments":{"a":${'['.repeat(50_000)}${']'.repeat(50_000)}}}}`;
    const answer = await postMcp(deep, { apiKey: key });
    expect([answer.status, answer.json.result.isError]).toEqual([200, true]);
  });
});

local('the protocol up to 2025-11-25', () => {
  test.each(['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'])(
    'starts with %s and continues without a session',
    async (protocolVersion) => {
      const hello = {
        protocolVersion,
        capabilities: {},
        clientInfo: { name: 'tests', version: '1' },
      };
      const answer = await postMcp(rpc('initialize', hello), { apiKey: key });
      expect(answer.json.result).toMatchObject({
        protocolVersion,
        capabilities: { tools: { listChanged: false } },
        serverInfo: { name: 'slipway', title: 'Slipway', websiteUrl: baseUrl },
        instructions: expect.stringContaining('publish_site'),
      });
      expect(answer.headers['mcp-session-id']).toBeUndefined();
      const begun = { jsonrpc: '2.0', method: 'notifications/initialized' };
      const headers = { 'mcp-protocol-version': protocolVersion, 'mcp-session-id': 'whatever' };
      const told = await postMcp(begun, { apiKey: key, headers });
      expect([told.status, told.text]).toEqual([202, '']);
      const list = await postMcp(rpc('tools/list', {}), { apiKey: key, headers });
      expect(list.json.result.tools).toHaveLength(tools.length);
    },
  );

  test('an unknown version is answered with the newest supported one', async () => {
    const hello = {
      protocolVersion: '1999-01-01',
      capabilities: {},
      clientInfo: { name: 'a', version: '1' },
    };
    const answer = await postMcp(rpc('initialize', hello), { apiKey: key });
    expect(answer.json.result.protocolVersion).toBe('2025-11-25');
  });

  test.each(['*/*', 'application/json', 'text/event-stream', 'text/html'])(
    'tools are listed without a handshake, with Accept: %s',
    async (accept) => {
      const answer = await postMcp(rpc('tools/list'), { apiKey: key, headers: { accept } });
      expect(answer.status).toBe(200);
      expect(answer.headers['content-type']).toMatch(/^application\/json/);
      expect(answer.json.result.tools.map(({ name }: any) => name)).toContain('publish_site');
    },
  );

  test.each([
    [
      'a response that is nested deep',
      `"id":1,"result":${'{"a":'.repeat(9000)}1${'}'.repeat(9000)}`,
    ],
    ['an error that is none', '"id":1,"error":{}'],
  ])('%s needs no answer: 202', async (_, fields) => {
    const answer = await postMcp(`{"jsonrpc":"2.0",${fields}}`, { apiKey: key });
    expect([answer.status, answer.text]).toEqual([202, '']);
  });

  test('/mcp answers a response of the client, and a notification, with 202 and no body', async () => {
    for (const body of [
      { jsonrpc: '2.0', id: 1, result: {} },
      { jsonrpc: '2.0', id: 1, error: { code: 1, message: 'x' } },
      { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } },
      { jsonrpc: '2.0', method: 'notifications/anything' },
    ]) {
      const answer = await postMcp(body, { apiKey: key });
      expect([answer.status, answer.text]).toEqual([202, '']);
    }
  });

  test.each<[string, number]>([
    ['1999-01-01', -32000],
    ['2025-01-01', -32000],
    // A version that sorts after all older ones is treated as the newer protocol, which requires an
    // envelope.
    ['latest', -32602],
    ['\u00e9', -32602],
  ])('the version header %s is refused', async (version, code) => {
    const headers = { 'mcp-protocol-version': version };
    const answer = await postMcp(rpc('tools/list'), { apiKey: key, headers });
    expectRpcError(answer, 400, code, code === -32602 ? 1 : null);
  });

  test.each<[string, unknown, number]>([
    ['prompts/list', {}, -32601],
    ['resources/subscribe', { uri: 'slipway://projects/x' }, -32601],
    ['resources/list', { cursor: 'x' }, -32602],
    ['resources/read', {}, -32602],
    ['resources/read', { uri: 'https://example.com/' }, -32602],
    ['completion/complete', {}, -32602],
    [
      'completion/complete',
      {
        ref: { type: 'ref/resource', uri: 'slipway://x/{id}' },
        argument: { name: 'id', value: '' },
      },
      -32602,
    ],
    [
      'completion/complete',
      { ref: { type: 'ref/prompt', name: 'id' }, argument: { name: 'id', value: '' } },
      -32602,
    ],
    ['tasks/list', {}, -32601],
    ['nonsense', undefined, -32601],
    ['initialize', {}, -32602],
    ['tools/list', { cursor: 7 }, -32602],
    ['tools/list', { _meta: 7 }, -32602],
    ['ping', { _meta: { progressToken: {} } }, -32602],
    ['tools/call', undefined, -32602],
    ['tools/call', { name: 7 }, -32602],
    ['tools/call', { name: 'nonsense' }, -32602],
    ['tools/call', { name: 'toString' }, -32602],
    ['tools/call', { name: 'get_account', arguments: [] }, -32602],
  ])('%s with %j is an error of the call', async (method, params, code) => {
    expectRpcError(
      await postMcp(rpc(method, params, 'an-id'), { apiKey: key }),
      200,
      code,
      'an-id',
    );
  });

  test('the error for an unknown tool lists the tools', async () => {
    const call = rpc('tools/call', { name: 'publish_page', arguments: {} });
    const { message } = (await postMcp(call, { apiKey: key })).json.error;
    expect(message).toContain('"publish_page"');
    expect(message).toContain('publish_site');
  });

  test('a request for a task is ignored, as the protocol says', async () => {
    const call = rpc('tools/call', { name: 'get_account', arguments: {}, task: { ttl: 1000 } });
    const { result } = (await postMcp(call, { apiKey: key })).json;
    expect(result.structuredContent.plan.tier).toBe('pro');
  });

  test('every request is counted', async () => {
    const { headers } = await postMcp(rpc('ping'), { apiKey: key });
    expect(Number(headers['ratelimit-remaining'])).toBeGreaterThan(0);
    expect(headers['x-request-id']).toMatch(/\S/);
    expect(headers['cache-control']).toBe('no-store');
  });
});

local('the protocol of 2026-07-28', () => {
  test('is discovered', async () => {
    const answer = await modern('server/discover');
    expect(answer.json.result).toMatchObject({
      supportedVersions: ['2026-07-28'],
      capabilities: { tools: { listChanged: false } },
      instructions: expect.stringContaining('publish_site'),
    });
  });

  test('has the same tools, byte for byte', async () => {
    const older = (await postMcp(rpc('tools/list'), { apiKey: key })).json.result.tools;
    const answer = await modern('tools/list');
    expect(answer.headers['content-type']).toMatch(/^application\/json/);
    expect(answer.json.result.tools).toEqual(older);
  });

  test('calls a tool', async () => {
    const call = { name: 'get_account', arguments: {} };
    const { result } = (await modern('tools/call', call, 'get_account')).json;
    expect(result).toMatchObject({
      resultType: 'complete',
      structuredContent: { plan: { tier: 'pro' } },
    });
  });

  test('a stream is refused at once', async () => {
    const startedAt = Date.now();
    const filter = { notifications: { toolsListChanged: true } };
    expectRpcError(await modern('subscriptions/listen', filter), 404, -32601, 1);
    expect(Date.now() - startedAt).toBeLessThan(10_000);
  });

  test('an unknown method, tool or version, a contradictory header and a missing envelope are refused', async () => {
    expectRpcError(await modern('nonsense'), 404, -32601, 1);
    expectRpcError(await modern('tools/list', { cursor: 7 }), 200, -32602, 1);
    expectRpcError(await modern('tools/call', { name: 'nonsense' }, 'nonsense'), 200, -32602, 1);
    expectRpcError(
      await modern('tools/call', { name: 'get_account' }, 'delete_project'),
      400,
      -32020,
      1,
    );
    const headers = { 'mcp-protocol-version': '2026-07-28' };
    expectRpcError(await postMcp(rpc('tools/list'), { apiKey: key, headers }), 400, -32602, 1);
    const next = { 'mcp-protocol-version': '2099-01-01' };
    const unknown = {
      _meta: { ...envelope._meta, 'io.modelcontextprotocol/protocolVersion': '2099-01-01' },
    };
    const answer = await postMcp(rpc('tools/list', unknown), { apiKey: key, headers: next });
    expect(answer.status).toBe(400);
    expect(answer.json.error.data.supported).toEqual(['2026-07-28']);
  });

  test('a notification is accepted without an answer', async () => {
    const body = {
      jsonrpc: '2.0',
      method: 'notifications/cancelled',
      params: { requestId: 1, ...envelope },
    };
    const headers = {
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'notifications/cancelled',
    };
    const answer = await postMcp(body, { apiKey: key, headers });
    expect([answer.status, answer.text]).toEqual([202, '']);
  });
});
