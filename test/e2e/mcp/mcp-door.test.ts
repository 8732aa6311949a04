import { tools } from '../../../contract/tools.ts';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { signIn } from '../../fixtures/accounts/accounts.ts';
import { type Answer, ask, baseUrl } from '../../fixtures/clouds/client.ts';

const challenge = (error = '') =>
  `Bearer ${error}resource_metadata="${baseUrl}/.well-known/oauth-protected-resource/mcp", scope="projects:read projects:write account:read"`;

/** A call of the MCP endpoint, as clients make it. */
function call(headers: Record<string, string> = {}, more: { path?: string; body?: string } = {}) {
  const { path = '/mcp', body = listTools() } = more;
  return ask(`${baseUrl}${path}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      origin: 'https://claude.ai',
      ...headers,
    },
    body,
  });
}

function listTools(padding = ''): string {
  const params = padding === '' ? {} : { _meta: { padding } };
  return JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params });
}

/** The headers that let a page of another site read the response. */
function expectReadable({ headers }: Answer): void {
  expect(headers).toMatchObject({
    'content-type': expect.stringMatching(/^application\/json/),
    'access-control-allow-origin': '*',
    'access-control-expose-headers': expect.stringContaining('WWW-Authenticate'),
  });
}

describe('POST /mcp without a credential', () => {
  test.each<[string, Record<string, string>, string]>([
    ['nothing', {}, '/mcp'],
    ['nothing, with a slash at its end', {}, '/mcp/'],
    ['an empty one', { authorization: '' }, '/mcp'],
    ['a scheme that is not ours', { authorization: 'Basic YTpi' }, '/mcp'],
    ['a scheme alone', { authorization: 'Bearer' }, '/mcp'],
  ])('(%s) gets the exact challenge with the metadata URL', async (_, headers, path) => {
    const answer = await call(headers, { path });
    expect(answer.status).toBe(401);
    expect(answer.headers['www-authenticate']).toBe(challenge());
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(answer.json).toEqual({
      status: 'error',
      code: 'API_KEY_MISSING',
      error: 'No access token and no API key was sent.',
      nextStep: expect.stringContaining('Connect this app'),
    });
    expectReadable(answer);
  });
});

describe('POST /mcp with a bad credential', () => {
  test.each([
    ['an unknown key', `Bearer sw_live_${'A'.repeat(43)}`],
    ['half a key', 'Bearer sw_live_'],
    ['an unknown token', `Bearer ${'x'.repeat(43)}`],
    ['a token with odd characters', 'Bearer ../../etc/passwd"\\'],
    ['a token of 6 kB', `bearer ${'x'.repeat(6000)}`],
  ])('(%s) gets the exact error', async (_, authorization) => {
    const answer = await call({ authorization });
    expect(answer.status).toBe(401);
    expect(answer.headers['www-authenticate']).toBe(challenge('error="invalid_token", '));
    expect(answer.json).toMatchObject({
      status: 'error',
      code: 'API_KEY_INVALID',
      nextStep: expect.stringContaining('Connect this app'),
    });
    expectReadable(answer);
  });
});

describe('POST /mcp with an API key', () => {
  let authorization: string;
  beforeAll(async () => {
    authorization = `Bearer ${await signIn()}`;
  });

  test.each(['/mcp', '/mcp/'])('calls the tools at %s', async (path) => {
    const answer = await call({ authorization }, { path });
    expect(answer.status).toBe(200);
    expect(answer.json.result.tools).toHaveLength(tools.length);
    expectReadable(answer);
  });

  test('calls them with 4 MB of JSON, even if it has many escapes', async () => {
    // Twice as long when it is escaped in the JSON of an event.
    const padding = '"\\'.repeat(998_000);
    const body = listTools(padding);
    expect(body.length).toBeGreaterThan(3_900_000);
    expect(body.length).toBeLessThan(4_000_000);
    const answer = await call({ authorization }, { body });
    expect(answer.status).toBe(200);
    expect(answer.json.result.tools).toHaveLength(tools.length);
  });

  test('is refused as JSON-RPC, with the way out, if the request is too large for every operation', async () => {
    const answer = await call({ authorization }, { body: listTools('x'.repeat(6_000_000)) });
    expect(answer.status).toBe(413);
    expect(answer.json).toMatchObject({
      jsonrpc: '2.0',
      id: null,
      error: { message: expect.stringContaining('create_upload_link') },
    });
    expect(answer.headers['access-control-allow-origin']).toBe('*');
  });
});

describe('a preflight', () => {
  test.each([
    ['/mcp', 'POST,GET,DELETE'],
    ['/mcp/', 'POST,GET,DELETE'],
    ['/oauth/register', 'POST'],
    ['/oauth/token', 'POST'],
    ['/oauth/revoke', 'POST'],
    ['/.well-known/oauth-authorization-server', 'GET'],
    ['/.well-known/oauth-authorization-server/mcp', 'GET'],
    ['/.well-known/oauth-protected-resource', 'GET'],
    ['/.well-known/oauth-protected-resource/mcp', 'GET'],
    ['/.well-known/openid-configuration', 'GET'],
  ])('for %s allows pages of every origin', async (path, methods) => {
    const answer = await ask(`${baseUrl}${path}`, {
      method: 'OPTIONS',
      headers: {
        origin: 'https://inspector.example',
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization,content-type,mcp-protocol-version',
      },
    });
    expect(answer.status).toBe(204);
    expect(answer.text).toBe('');
    expect(answer.headers).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-allow-methods': methods,
      'access-control-max-age': '86400',
    });
    const allowed = String(answer.headers['access-control-allow-headers']).split(',');
    expect(allowed).toEqual([
      'Authorization',
      'Content-Type',
      'Accept',
      'MCP-Protocol-Version',
      'Mcp-Session-Id',
      'Mcp-Method',
      'Mcp-Name',
      'Last-Event-ID',
    ]);
  });

  test('with a body is answered as one without', async () => {
    const answer = await ask(`${baseUrl}/mcp`, {
      method: 'OPTIONS',
      headers: { 'content-type': 'text/plain' },
      body: 'x',
    });
    expect(answer.status).toBe(204);
    expect(answer.text).toBe('');
  });

  test.each(['/v1/keys', '/v1/session', '/v1/projects/temp', '/oauth/authorize'])(
    'for %s allows no origin',
    async (path) => {
      const answer = await ask(`${baseUrl}${path}`, { method: 'OPTIONS' });
      expect(answer.status).toBe(204);
      expect(answer.headers).not.toHaveProperty('access-control-allow-methods');
      expect(answer.headers).not.toHaveProperty('access-control-allow-headers');
    },
  );
});

describe('unknown paths', () => {
  test.each([
    ['GET', '/oauth/nothing'],
    ['POST', '/oauth'],
    ['POST', '/oauth/token/more'],
    ['GET', '/.well-known/nothing'],
    ['GET', '/.well-known'],
    ['POST', '/mcp/more'],
  ])('%s %s answers JSON with CORS for every origin', async (method, path) => {
    const answer = await ask(`${baseUrl}${path}`, { method });
    expect(answer.status).toBe(404);
    expect(answer.json).toMatchObject({ status: 'error', code: 'NOT_FOUND' });
    expectReadable(answer);
  });
});

describe('point 4: a wrong method', () => {
  test.each([
    ['GET', '/oauth/token', 'POST, OPTIONS'],
    ['POST', '/.well-known/oauth-authorization-server', 'GET, HEAD, OPTIONS'],
    ['PUT', '/mcp', 'POST'],
  ])('%s %s is 405 that every page may read, even in a browser', async (method, path, allow) => {
    const answer = await ask(`${baseUrl}${path}`, { method, headers: { accept: 'text/html' } });
    expect([answer.status, answer.headers['allow']]).toEqual([405, allow]);
    expectReadable(answer);
  });
});
