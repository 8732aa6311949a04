import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { Client as FirstClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as FirstTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { bearerChallenge, mcpResource, oauthScopes } from '../../../contract/oauth/oauth.ts';
import { oauthPaths } from '../../../contract/oauth/oauth-paths.ts';
import { tools } from '../../../contract/tools.ts';
import { LocalCloud } from '../../fixtures/clouds/local-cloud.ts';
import { asks, Person } from '../../fixtures/agents/oauth.ts';
import { fetchFrom, listTools } from '../../fixtures/agents/oauth-app.ts';

/** Not the shared cloud, because its clock is moved past a token's lifetime. */
const cloud = new LocalCloud();
beforeAll(async () => {
  // The packages warn about every discarded credential, which is expected here.
  jest.spyOn(console, 'warn').mockImplementation(() => undefined);
  await cloud.start();
}, 600_000);
afterAll(() => cloud.remove());

const redirectUrl = 'http://127.0.0.1:33418/callback';

/** The client storage that both packages require; it also counts requests by path. */
class ClientStorage {
  readonly redirectUrl = redirectUrl;
  readonly clientMetadata = {
    client_name: 'Tide table',
    redirect_uris: [redirectUrl],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
  };
  readonly clientMetadataUrl: string | undefined;
  /** Where the client wanted its person to go, the latest last. */
  readonly authorizeUrls: URL[] = [];
  readonly paths: string[] = [];
  readonly #send = fetchFrom();
  #kept: Record<string, any> = {};

  constructor(clientMetadataUrl?: string) {
    this.clientMetadataUrl = clientMetadataUrl;
  }

  readonly fetch = (url: string | URL, init?: any) => {
    this.paths.push(`${init?.method ?? 'GET'} ${new URL(url).pathname}`);
    return this.#send(url, init);
  };
  state = () => 'a state';
  clientInformation = () => this.#kept['client'];
  saveClientInformation = (client: unknown) => void (this.#kept['client'] = client);
  tokens = () => this.#kept['tokens'];
  saveTokens = (tokens: unknown) => void (this.#kept['tokens'] = tokens);
  codeVerifier = (): string => this.#kept['verifier'];
  saveCodeVerifier = (verifier: string) => void (this.#kept['verifier'] = verifier);
  discoveryState = () => this.#kept['discovery'];
  saveDiscoveryState = (state: unknown) => void (this.#kept['discovery'] = state);
  redirectToAuthorization = (url: URL) => void this.authorizeUrls.push(url);
  invalidateCredentials = (what: string) => {
    if (what === 'all') this.#kept = {};
    else delete this.#kept[what];
  };

  /** How many requests went to this path. */
  count(request: string): number {
    return this.paths.filter((path) => path === request).length;
  }
}

/** A client that is connected or fails to be. */
interface Connected {
  connect(): Promise<unknown>;
  finish(callback: URL): Promise<void>;
  tools(): Promise<string[]>;
  call(name: string): Promise<any>;
  close(): Promise<void>;
}

function first(storage: ClientStorage): Connected {
  const client = new FirstClient({ name: 'test', version: '1' });
  const transport = new FirstTransport(new URL(mcpResource(cloud.baseUrl)), {
    authProvider: storage,
    fetch: storage.fetch,
  });
  return {
    connect: () => client.connect(transport as any),
    finish: (callback) => transport.finishAuth(callback.searchParams.get('code') ?? ''),
    tools: async () => (await client.listTools()).tools.map(({ name }) => name),
    call: (name) => client.callTool({ name, arguments: {} }),
    close: () => client.close(),
  };
}

function second(storage: ClientStorage, mode: any): Connected {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
  const transport = new StreamableHTTPClientTransport(new URL(mcpResource(cloud.baseUrl)), {
    authProvider: storage as any,
    fetch: storage.fetch,
  });
  return {
    connect: () => client.connect(transport),
    finish: (callback) => transport.finishAuth(callback.searchParams),
    tools: async () => (await client.listTools()).tools.map(({ name }) => name),
    call: (name) => client.callTool({ name, arguments: {} }),
    close: () => client.close(),
  };
}

const clients: [string, (storage: ClientStorage) => Connected][] = [
  ['@modelcontextprotocol/sdk', first],
  [
    '@modelcontextprotocol/client pinned to 2026-07-28',
    (storage) => second(storage, { pin: '2026-07-28' }),
  ],
  ['@modelcontextprotocol/client that negotiates', (storage) => second(storage, 'auto')],
  ['@modelcontextprotocol/client of the older protocol', (storage) => second(storage, 'legacy')],
];

const unauthorized = {
  name: expect.stringMatching(/^(Error|UnauthorizedError)$/),
  message: expect.stringMatching(/unauthorized/i),
};

describe.each(clients)('%s', (_, clientOf) => {
  test('discovers, registers, gets consent, calls a tool, refreshes, and is refused when revoked', async () => {
    const [storage, person] = [new ClientStorage(), new Person(cloud.baseUrl)];
    const begun = clientOf(storage);
    await expect(begun.connect()).rejects.toMatchObject(unauthorized);

    expect(storage.count(`POST ${oauthPaths.register}`)).toBe(1);
    expect(storage.authorizeUrls).toHaveLength(1);
    const [authorizeUrls = new URL('none:')] = storage.authorizeUrls;
    expect(authorizeUrls.origin + authorizeUrls.pathname).toBe(
      cloud.baseUrl + oauthPaths.authorize,
    );
    expect(Object.fromEntries(authorizeUrls.searchParams)).toMatchObject({
      response_type: 'code',
      code_challenge_method: 'S256',
      redirect_uri: redirectUrl,
      resource: mcpResource(cloud.baseUrl),
      scope: oauthScopes.join(' '),
      state: 'a state',
    });

    const callback = new URL(await person.decide(authorizeUrls.href));
    expect(callback.origin + callback.pathname).toBe(redirectUrl);
    expect(callback.searchParams.get('state')).toBe('a state');
    expect(callback.searchParams.get('iss')).toBe(cloud.baseUrl);
    await begun.finish(callback);

    const client = clientOf(storage);
    await client.connect();
    expect(await client.tools()).toHaveLength(tools.length);
    const account = await client.call('get_account');
    expect(account.structuredContent).toMatchObject({ email: person.email });
    expect(storage.count(`POST ${oauthPaths.token}`)).toBe(1);

    const { access_token: wasToken, refresh_token: wasRefresh } = storage.tokens();
    await cloud.advance(3601);
    expect((await client.call('get_account')).isError).toBeFalsy();
    expect(storage.count(`POST ${oauthPaths.token}`)).toBe(2);
    expect(storage.authorizeUrls).toHaveLength(1);
    expect(storage.tokens().access_token).not.toBe(wasToken);
    expect(storage.tokens().refresh_token).not.toBe(wasRefresh);

    const { access_token: live } = storage.tokens();
    await revoke(storage);
    const challenged = await listTools(live, cloud.baseUrl);
    expect(challenged.status).toBe(401);
    expect(challenged.headers['www-authenticate']).toBe(
      bearerChallenge(cloud.baseUrl, { error: 'invalid_token' }),
    );
    await expect(client.call('get_account')).rejects.toMatchObject(unauthorized);
    // The registration is as good as before: only the person is to be asked again.
    expect(storage.authorizeUrls).toHaveLength(2);
    expect(storage.count(`POST ${oauthPaths.register}`)).toBe(1);
    await client.close();
  });

  test('whose metadata document is on this machine is refused without a request for it', async () => {
    const storage = new ClientStorage('https://127.0.0.1/client.json');
    await expect(clientOf(storage).connect()).rejects.toMatchObject(unauthorized);
    expect(storage.count(`POST ${oauthPaths.register}`)).toBe(0);
    const [authorizeUrls = new URL('none:')] = storage.authorizeUrls;
    expect(authorizeUrls.searchParams.get('client_id')).toBe('https://127.0.0.1/client.json');
    const page = await new Person(cloud.baseUrl).open(authorizeUrls.href);
    expect({ status: page.status, left: page.left }).toEqual({ status: 400, left: undefined });
    expect(asks(page, 'email')).toBe(false);
  });

  test('whose registration has expired registers again by itself', async () => {
    const storage = new ClientStorage();
    const { baseUrl: issuer } = cloud;
    const dead = { access_token: 'dead', refresh_token: 'dead', token_type: 'Bearer' };
    storage.saveClientInformation({ client_id: 'forgotten', redirect_uris: [redirectUrl], issuer });
    storage.saveTokens({ ...dead, issuer });
    await expect(clientOf(storage).connect()).rejects.toMatchObject(unauthorized);
    expect(storage.count(`POST ${oauthPaths.register}`)).toBe(1);
    const [authorizeUrls] = storage.authorizeUrls;
    expect(authorizeUrls?.searchParams.get('client_id')).toBe(
      storage.clientInformation().client_id,
    );
  });
});

/** RFC 7009, at the address that discovery gave the client. */
async function revoke(storage: ClientStorage): Promise<void> {
  const { authorizationServerMetadata } = storage.discoveryState();
  const answer = await storage.fetch(authorizationServerMetadata.revocation_endpoint, {
    method: 'POST',
    body: new URLSearchParams({
      token: storage.tokens().refresh_token,
      client_id: storage.clientInformation().client_id,
    }),
  });
  expect(answer.status).toBe(200);
}
