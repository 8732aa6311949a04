import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { McpRefusal } from '../../../../lambdas/mcp/mcp-refusal.ts';
import { readMessage, type RpcMessage } from '../../../../lambdas/mcp/rpc-message.ts';
import { serveLegacy } from '../../../../lambdas/mcp/legacy-protocol.ts';
import { serveModern } from '../../../../lambdas/mcp/modern-protocol.ts';
import type { ToolServer } from '../../../../lambdas/mcp/tool-server.ts';

beforeAll(() => {
  process.env['BASE_URL'] = 'https://app.example';
  process.env['BRAND'] = 'Slipway';
});
afterAll(() => {
  delete process.env['BASE_URL'];
  delete process.env['BRAND'];
});

const tools: ToolServer = {
  list: () => ({ tools: [] }),
  call: async (name) => ({ content: [{ type: 'text', text: name }] }),
  listResources: async () => ({ resources: [] }),
  listTemplates: () => ({ resourceTemplates: [] as never }),
  readResource: async () => ({ contents: [] }),
  complete: async () => ({ completion: { values: [], hasMore: false } }),
};
const webRequest = (headers: Record<string, string> = {}) =>
  new Request('https://app.example/mcp', {
    method: 'POST',
    headers: {
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
      ...headers,
    },
  });
const aCall: RpcMessage = {
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name: 'greet' },
};

describe('both protocol versions', () => {
  test('take milliseconds for a server and a transport of each request’s own', async () => {
    const times = 200;
    const perCall = async (serve: () => Promise<Response>) => {
      for (let count = 0; count < 20; count += 1) await serve();
      const startedAt = performance.now();
      for (let count = 0; count < times; count += 1) expect((await serve()).status).toBe(200);
      return (performance.now() - startedAt) / times;
    };
    const meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'a', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    const headers = {
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': 'greet',
    };
    const modernCall = { ...aCall, params: { name: 'greet', _meta: meta } };
    const legacy = await perCall(() => serveLegacy(webRequest(), aCall, tools));
    const modern = await perCall(() => serveModern(webRequest(headers), modernCall, tools));
    console.log(`a call takes ${legacy.toFixed(2)} ms, of 2026-07-28 ${modern.toFixed(2)} ms`);
    // A slow machine is no failure; a schema that is made anew for each request would be one.
    expect(Math.max(legacy, modern)).toBeLessThan(50);
  });

  test('a request for a task is ignored', async () => {
    const message = { ...aCall, params: { name: 'greet', task: { ttl: 1000 } } };
    const answer = await (await serveLegacy(webRequest(), message, tools)).json();
    expect(answer).toMatchObject({ result: { content: [{ text: 'greet' }] } });
  });

  test('concurrent requests do not mix their responses', async () => {
    const answers = await Promise.all(
      Array.from({ length: 50 }, async (_, id) => {
        const message = { ...aCall, id, params: { name: `tool-${id}` } };
        return (await serveLegacy(webRequest(), message, tools)).json();
      }),
    );
    for (const [id, answer] of answers.entries()) {
      expect(answer).toMatchObject({ id, result: { content: [{ text: `tool-${id}` }] } });
    }
  });
});

describe('a message', () => {
  const read = (body: Buffer | string, contentType = 'application/json') =>
    readMessage({ body: Buffer.from(body), headers: { 'content-type': contentType } });

  test.each([
    'application/json',
    'application/json; charset=utf-8',
    'Application/JSON',
    'application/mcp+json',
  ])('is read as %s', (type) => {
    expect(read('{"jsonrpc":"2.0","id":"a","method":"ping"}', type)).toMatchObject({ id: 'a' });
  });

  test.each([
    '',
    'text/plain',
    'application/jsonp',
    'multipart/form-data',
    'text/json+application/json',
  ])('is refused as %j', (type) => expect(() => read('{}', type)).toThrow(McpRefusal));

  test.each<[string, object]>([
    ['result', { result: {} }],
    ['error', { error: { code: 1, message: 'x' } }],
  ])('with a method and a %s is refused', (_, more) => {
    const sent = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping', ...more });
    expect(() => read(sent)).toThrow('both a request and a response');
  });

  test.each<[string, string, Record<string, unknown>]>([
    ['a list of projects', 'tools/call', { name: 'list_projects', _meta: 3 }],
    ['a ping', 'ping', { _meta: { progressToken: {} } }],
    ['what there is not', 'resources/list', { _meta: [] }],
  ])('for %s with invalid metadata is refused with our own text', async (_, method, params) => {
    const refusal = serveLegacy(webRequest(), { jsonrpc: '2.0', id: 1, method, params }, tools);
    await expect(refusal).rejects.toThrow(`\`params\` of ${method} do not match the protocol.`);
  });

  test('with thousands of values is refused before a schema is applied, those inside of arguments excepted', () => {
    const zeros = (length: number) => JSON.stringify(Array.from({ length }, () => 0));
    const names = JSON.stringify(Object.fromEntries(JSON.parse(zeros(20_000)).entries()));
    const message = (params: string) =>
      `{"jsonrpc":"2.0","id":1,"method":"initialize","params":${params}}`;
    for (const params of [
      `{"clientInfo":{"icons":${zeros(20_000)}}}`,
      `{"_meta":{"a":[${zeros(20_000)}]}}`,
      `{"name":"list_projects","arguments":${names}}`,
    ])
      expect(() => read(message(params))).toThrow('more than 10000 values');
    const text = JSON.stringify('x,'.repeat(2_000_000));
    expect(read(message(`{"_meta":{"a":${text}},"arguments":{"a":${zeros(50_000)}}}`)).id).toBe(1);
    expect(() => read(message(`${'{"a":'.repeat(9000)}1${'}'.repeat(9000)}`))).not.toThrow();
  });

  test.each([
    ['names', `{${Array.from({ length: 330_000 }, (_, at) => `"k${at}":1`).join()}}`],
    ['depth', `{"q":${'['.repeat(1_900_000)}${']'.repeat(1_900_000)}}`],
    ['items', `{"files":[${'{},'.repeat(1_200_000)}{}]}`],
  ])('of four megabytes of %s is refused before it is parsed', (_, args) => {
    const params = `{"name":"list_projects","arguments":${args}}`;
    const sent = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${params}}`;
    const parse = jest.spyOn(JSON, 'parse');
    expect(() => read(sent)).toThrow('more than 60000 values');
    expect(parse).not.toHaveBeenCalled();
    parse.mockRestore();
  });

  test('that is not UTF-8 is refused, not repaired', () => {
    const bytes = Buffer.concat([
      Buffer.from('{"jsonrpc":"2.0","id":1,"method":"p'),
      Buffer.of(0xff),
      Buffer.from('"}'),
    ]);
    expect(() => read(bytes)).toThrow('not valid JSON in UTF-8');
  });
});
