import { tools } from '../../../contract/tools.ts';
import { describe, expect, test } from '@jest/globals';
import { mcpResource } from '../../../contract/oauth/oauth.ts';
import { oauthPaths } from '../../../contract/oauth/oauth-paths.ts';
import { ask, baseUrl, somebody } from '../../fixtures/clouds/client.ts';
import { Person } from '../../fixtures/agents/oauth.ts';
import { type Parameters, pkce, tokensOf } from '../../fixtures/agents/oauth-app.ts';
import { type RealClient, realClients, theResource } from '../../fixtures/agents/oauth-clients.ts';

/** One client on somebody's machine, or on its own servers. */
class Visit {
  readonly client: RealClient;
  readonly from = somebody();
  clientId = '';
  clientSecret: string | undefined;

  constructor(client: RealClient) {
    this.client = client;
  }

  /** JSON-RPC to /mcp with the headers of this client. */
  mcp(method: string, params: object, token?: string) {
    return ask(`${baseUrl}/mcp`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...this.client.headers,
        ...(method === 'initialize' ? {} : { 'mcp-protocol-version': this.client.protocolVersion }),
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        ...(method.startsWith('notifications/') ? {} : { id: 1 }),
        method,
        params,
      }),
      from: this.from,
    });
  }

  initialize(token?: string) {
    const { protocolVersion, registration } = this.client;
    const clientInfo = { name: String(registration['client_name']), version: '1.0.0' };
    return this.mcp('initialize', { protocolVersion, capabilities: {}, clientInfo }, token);
  }

  async discover(): Promise<any> {
    for (const path of this.client.discovers) {
      const answer = await ask(baseUrl + path, { headers: { accept: 'application/json' } });
      expect(answer.headers['content-type']).toMatch(/^application\/json/);
      expect([path, answer.status]).toEqual([path, 200]);
      if (path.startsWith(oauthPaths.resourceMetadata))
        expect(answer.json).toMatchObject({
          resource: mcpResource(baseUrl),
          authorization_servers: [baseUrl],
        });
      else expect(answer.json).toMatchObject({ issuer: baseUrl });
    }
    return (await ask(baseUrl + oauthPaths.serverMetadata)).json;
  }

  async register(endpoint: string): Promise<void> {
    const { registration } = this.client;
    const answer = await ask(endpoint, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify(registration),
      from: this.from,
    });
    expect({ status: answer.status, text: answer.text }).toMatchObject({ status: 201 });
    expect(answer.json).toMatchObject({
      client_id: expect.any(String),
      redirect_uris: registration.redirect_uris,
      token_endpoint_auth_method: registration['token_endpoint_auth_method'],
    });
    this.clientId = answer.json.client_id;
    this.clientSecret = answer.json.client_secret;
    expect(this.clientSecret === undefined).toBe(
      registration['token_endpoint_auth_method'] === 'none',
    );
  }

  authorizeUrl(endpoint: string, challenge: string, more: Parameters = {}): string {
    const { redirectUri, asks, state } = this.client;
    const query = new URLSearchParams({
      response_type: 'code',
      client_id: this.clientId,
      redirect_uri: redirectUri,
      code_challenge: challenge,
      code_challenge_method: 'S256',
      state,
    });
    for (const [name, value] of Object.entries({ ...asks, ...more }))
      if (value !== undefined)
        query.set(name, value === theResource ? mcpResource(baseUrl) : value);
    return `${endpoint}?${query.toString()}`;
  }

  token(endpoint: string, form: Record<string, string>) {
    const { namesResource } = this.client;
    return ask(endpoint, {
      method: 'POST',
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        accept: 'application/json',
      },
      body: new URLSearchParams({
        ...form,
        client_id: this.clientId,
        ...(this.clientSecret === undefined ? {} : { client_secret: this.clientSecret }),
        ...(namesResource ? { resource: mcpResource(baseUrl) } : {}),
      }).toString(),
      from: this.from,
    });
  }

  /** The code in a redirect to the callback, which must match this client's expectation exactly. */
  codeOf(callback: string): string {
    const { redirectUri, state } = this.client;
    expect(callback.startsWith(`${redirectUri}?`)).toBe(true);
    const query = new URLSearchParams(callback.slice(redirectUri.length));
    expect(Object.fromEntries(query)).toEqual({ code: expect.any(String), state, iss: baseUrl });
    return query.get('code') ?? '';
  }

  async exchange(endpoint: string, callback: string, verifier: string) {
    return tokensOf(
      await this.token(endpoint, {
        grant_type: 'authorization_code',
        code: this.codeOf(callback),
        code_verifier: verifier,
        redirect_uri: this.client.redirectUri,
      }),
    );
  }
}

async function connected(visit: Visit, more: Parameters = {}, person = new Person()) {
  const metadata = await visit.discover();
  await visit.register(metadata.registration_endpoint);
  const { verifier, challenge } = pkce();
  const url = visit.authorizeUrl(metadata.authorization_endpoint, challenge, more);
  const callback = await person.decide(url);
  const tokens = await visit.exchange(metadata.token_endpoint, callback, verifier);
  return { metadata, tokens, person };
}

function named(name: string): RealClient {
  const found = realClients.find((client) => client.name === name);
  if (found === undefined) throw new Error(`no client ${name}`);
  return found;
}

test.each(realClients.map((client) => [client.name, client] as const))(
  '%s connects, calls a tool and refreshes',
  async (_name, client) => {
    const visit = new Visit(client);

    const refused = await visit.initialize();
    expect(refused.status).toBe(401);
    expect(refused.headers['www-authenticate']).toContain(
      `resource_metadata="${baseUrl}${oauthPaths.resourceMetadata}/mcp"`,
    );

    const { metadata, tokens } = await connected(visit);

    const welcome = await visit.initialize(tokens.access_token);
    expect(welcome.json.result).toMatchObject({
      protocolVersion: client.protocolVersion,
      capabilities: { tools: {} },
    });
    expect(welcome.headers['mcp-session-id']).toBeUndefined();
    const noted = await visit.mcp('notifications/initialized', {}, tokens.access_token);
    expect([noted.status, noted.text]).toEqual([202, '']);
    const listed = await visit.mcp('tools/list', {}, tokens.access_token);
    expect(listed.json.result.tools).toHaveLength(tools.length);
    const called = await visit.mcp(
      'tools/call',
      { name: 'list_projects', arguments: {} },
      tokens.access_token,
    );
    expect(called.json.result.isError ?? false).toBe(false);

    const again = tokensOf(
      await visit.token(metadata.token_endpoint, {
        grant_type: 'refresh_token',
        refresh_token: tokens.refresh_token,
      }),
    );
    expect(again.refresh_token).not.toBe(tokens.refresh_token);
    expect((await visit.mcp('tools/list', {}, again.access_token)).status).toBe(200);
  },
);

describe('quirks', () => {
  test.each(['GET', 'DELETE'])(
    'a request for a stream with %s, before or after sign-in, causes no new sign-in',
    async (method) => {
      const { tokens } = await connected(new Visit(named('Claude Code')));
      const headers = { accept: 'text/event-stream', 'mcp-session-id': 'of-another-server' };
      for (const more of [{}, { authorization: `Bearer ${tokens.access_token}` }]) {
        const answer = await ask(`${baseUrl}/mcp`, { method, headers: { ...headers, ...more } });
        expect([answer.status, answer.headers['allow']]).toEqual([405, 'POST']);
      }
    },
  );

  test('a HEAD of the endpoint, the first request of Gemini CLI, causes no 5xx', async () => {
    const answer = await ask(`${baseUrl}/mcp`, { method: 'HEAD' });
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(answer.status).toBeLessThan(500);
  });

  test.each([
    '/.well-known/openid-configuration',
    '/.well-known/openid-configuration/mcp',
    '/mcp/.well-known/openid-configuration',
    '/mcp/.well-known/oauth-protected-resource',
    '/.well-known/oauth-authorization-server/elsewhere',
  ])('%s, which clients try, answers a 404 in JSON or metadata, never a page', async (path) => {
    const answer = await ask(baseUrl + path);
    expect([200, 404]).toContain(answer.status);
    expect(answer.headers['content-type']).toMatch(/^application\/json/);
    if (answer.status === 200) expect(answer.json.issuer ?? answer.json.resource).toBeDefined();
  });

  test('mcp-remote requests the authorization page before it opens the browser', async () => {
    const visit = new Visit(named('mcp-remote'));
    const metadata = await visit.discover();
    await visit.register(metadata.registration_endpoint);
    const { verifier, challenge } = pkce();
    const url = visit.authorizeUrl(metadata.authorization_endpoint, challenge);
    const looked = await ask(url, { headers: { accept: 'application/json' } });
    expect([400, 401]).not.toContain(looked.status);
    const callback = await new Person().decide(url);
    await visit.exchange(metadata.token_endpoint, callback, verifier);
  });

  test('scopes of other services, which mcp-remote falls back to, are ignored', async () => {
    const { tokens } = await connected(new Visit(named('mcp-remote')));
    expect(tokens.scope).toBe('projects:read projects:write account:read');
  });

  test('`prompt=consent` with `offline_access`, as the SDKs send it, asks for consent and grants nothing more', async () => {
    const scope = 'projects:read offline_access';
    const { tokens } = await connected(new Visit(named('MCP Inspector')), {
      scope,
      prompt: 'consent',
    });
    expect(tokens.scope).toBe('projects:read');
  });

  test.each([
    ['with a trailing slash', (resource: string) => `${resource}/`],
    ['as the origin alone', (resource: string) => new URL(resource).origin],
    ['as the origin with a slash', (resource: string) => `${new URL(resource).origin}/`],
  ])('the resource %s is accepted', async (_how, spell) => {
    const { tokens } = await connected(new Visit(named('Cursor on the desktop')), {
      resource: spell(mcpResource(baseUrl)),
    });
    expect(tokens.token_type).toBe('Bearer');
  });

  test('sessions of one client that refresh at the same moment get the same tokens', async () => {
    const visit = new Visit(named('Claude Code'));
    const { metadata, tokens } = await connected(visit);
    const refresh = () =>
      visit.token(metadata.token_endpoint, {
        grant_type: 'refresh_token',
        refresh_token: tokens.refresh_token,
      });
    const answers = (await Promise.all([refresh(), refresh(), refresh()])).map(tokensOf);
    expect(new Set(answers.map(({ refresh_token: token }) => token)).size).toBe(1);
  });

  test('one person connects the same client twice, and both connections work', async () => {
    const client = named('Claude on the web');
    const person = new Person();
    const [first, second] = [new Visit(client), new Visit(client)];
    const { tokens: ofFirst } = await connected(first, {}, person);
    const { tokens: ofSecond } = await connected(second, {}, person);
    expect((await first.mcp('tools/list', {}, ofFirst.access_token)).status).toBe(200);
    expect((await second.mcp('tools/list', {}, ofSecond.access_token)).status).toBe(200);
  });

  test('the address with a trailing slash is the same endpoint', async () => {
    const answer = await ask(`${baseUrl}/mcp/`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"jsonrpc":"2.0","id":1,"method":"tools/list"}',
    });
    expect(answer.status).toBe(401);
    expect(answer.headers['www-authenticate']).toMatch(/^Bearer /);
  });
});
