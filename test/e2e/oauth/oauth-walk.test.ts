import { beforeAll, describe, expect, test } from '@jest/globals';
import * as oauth from 'oauth4webapi';
import { bearerChallenge, mcpResource, oauthScopes } from '../../../contract/oauth/oauth.ts';
import { oauthPaths } from '../../../contract/oauth/oauth-paths.ts';
import { get, signIn } from '../../fixtures/accounts/accounts.ts';
import { baseUrl, isLocal } from '../../fixtures/clouds/client.ts';
import { Person } from '../../fixtures/agents/oauth.ts';
import {
  type AuthMethod,
  basic,
  expectOAuthError,
  fetchFrom,
  listTools,
  OAuthApp,
  type Parameters,
  pkce,
  tokensOf,
} from '../../fixtures/agents/oauth-app.ts';
import { expectRefusal } from '../../fixtures/clouds/refusals.ts';

// The codes of a sign-in are read from the local inbox.
const local = isLocal ? describe : describe.skip;

const options = () => ({
  [oauth.allowInsecureRequests]: isLocal,
  [oauth.customFetch]: fetchFrom(),
});

let person: Person;
let app: OAuthApp;
/** Another app, of nobody the first one knows. */
let stranger: OAuthApp;
beforeAll(async () => {
  if (!isLocal) return;
  person = new Person();
  [app, stranger] = await Promise.all([new OAuthApp().register(), new OAuthApp().register()]);
});

/** A refused token: 401 with the challenge, and nothing of our insides. */
async function expectDead(token: string): Promise<void> {
  const answer = await listTools(token);
  expect({ status: answer.status, body: answer.text }).toMatchObject({ status: 401 });
  expect(answer.headers['www-authenticate']).toBe(
    bearerChallenge(baseUrl, { error: 'invalid_token' }),
  );
}

local('an app with oauth4webapi', () => {
  const redirectUri = 'http://127.0.0.1:49152/callback';
  const methods: [AuthMethod, (secret: string) => oauth.ClientAuth][] = [
    ['none', () => oauth.None()],
    ['client_secret_post', oauth.ClientSecretPost],
    ['client_secret_basic', oauth.ClientSecretBasic],
  ];

  test.each(methods)(
    'completes every step from a challenge to a revoked grant with %s',
    async (method, prove) => {
      const resource = new URL(mcpResource(baseUrl));
      const challenged = oauth
        .protectedResourceRequest('no-token', 'POST', resource, undefined, undefined, options())
        .catch((error: unknown) => error);
      const { cause: challenges, status } =
        (await challenged) as oauth.WWWAuthenticateChallengeError;
      expect({ status, challenges }).toMatchObject({
        status: 401,
        challenges: [{ scheme: 'bearer', parameters: { error: 'invalid_token' } }],
      });
      const { resource_metadata: metadataUrl } = challenges[0]?.parameters ?? {};
      expect(metadataUrl).toBe(`${baseUrl}/.well-known/oauth-protected-resource/mcp`);

      const described = await oauth.processResourceDiscoveryResponse(
        resource,
        await oauth.resourceDiscoveryRequest(resource, options()),
      );
      const [issuer = ''] = described.authorization_servers ?? [];
      expect(issuer).toBe(baseUrl);
      const server = await oauth.processDiscoveryResponse(
        new URL(issuer),
        await oauth.discoveryRequest(new URL(issuer), { ...options(), algorithm: 'oauth2' }),
      );
      // Byte for byte: `new URL` would have let a trailing slash pass.
      expect(server.issuer).toBe(issuer);

      const client = await oauth.processDynamicClientRegistrationResponse(
        await oauth.dynamicClientRegistrationRequest(
          server,
          {
            client_name: 'Tide table',
            redirect_uris: [redirectUri],
            token_endpoint_auth_method: method,
          } as Partial<oauth.Client>,
          options(),
        ),
      );
      expect(client).toMatchObject({
        redirect_uris: [redirectUri],
        token_endpoint_auth_method: method,
      });
      expect(typeof client['client_secret']).toBe(method === 'none' ? 'undefined' : 'string');

      const verifier = oauth.generateRandomCodeVerifier();
      const state = oauth.generateRandomState();
      const requestUrl = new URL(server.authorization_endpoint ?? '');
      requestUrl.search = new URLSearchParams({
        response_type: 'code',
        client_id: client.client_id,
        redirect_uri: redirectUri,
        code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        scope: oauthScopes.join(' '),
        resource: described.resource,
        state,
      }).toString();
      const callback = new URL(await new Person().decide(requestUrl.href));
      expect(callback.href.startsWith(`${redirectUri}?`)).toBe(true);
      expect(callback.searchParams.get('iss')).toBe(issuer);
      const answered = oauth.validateAuthResponse(server, client, callback, state);

      const proof = prove(String(client['client_secret']));
      const first = await oauth.processAuthorizationCodeResponse(
        server,
        client,
        await oauth.authorizationCodeGrantRequest(
          server,
          client,
          proof,
          answered,
          redirectUri,
          verifier,
          { ...options(), additionalParameters: { resource: described.resource } },
        ),
      );
      expect(first.scope).toBe(oauthScopes.join(' '));
      expect(first.expires_in).toBe(3600);
      expect((await listTools(first.access_token)).status).toBe(200);

      const second = await oauth.processRefreshTokenResponse(
        server,
        client,
        await oauth.refreshTokenGrantRequest(
          server,
          client,
          proof,
          String(first.refresh_token),
          options(),
        ),
      );
      expect(second.access_token).not.toBe(first.access_token);
      expect(second.refresh_token).not.toBe(first.refresh_token);
      expect((await listTools(second.access_token)).status).toBe(200);

      await oauth.processRevocationResponse(
        await oauth.revocationRequest(
          server,
          client,
          proof,
          String(second.refresh_token),
          options(),
        ),
      );
      await expectDead(second.access_token);
      await expectDead(first.access_token);
      const dead = await oauth.refreshTokenGrantRequest(
        server,
        client,
        proof,
        String(second.refresh_token),
        options(),
      );
      await expect(oauth.processRefreshTokenResponse(server, client, dead)).rejects.toMatchObject({
        error: 'invalid_grant',
        status: 400,
      });
    },
  );
});

local('GET /oauth/authorize', () => {
  const state = `a b+c%20d"'<é>&=#`;
  // Errors are redirected only to an app that the person has connected.
  beforeAll(() => app.connect(person));

  test.each<[what: string, more: Parameters, error: string]>([
    [
      'no challenge',
      { code_challenge: undefined, code_challenge_method: undefined },
      'invalid_request',
    ],
    ['the method plain', { code_challenge_method: 'plain' }, 'invalid_request'],
    ['no method, which means plain', { code_challenge_method: undefined }, 'invalid_request'],
    ['a method of no RFC', { code_challenge_method: 's256' }, 'invalid_request'],
    ['a challenge that is too short', { code_challenge: 'a'.repeat(42) }, 'invalid_request'],
    ['a challenge that is too long', { code_challenge: 'a'.repeat(44) }, 'invalid_request'],
    ['a challenge that is no base64url', { code_challenge: '+'.repeat(43) }, 'invalid_request'],
    ['a token asked for directly', { response_type: 'token' }, 'unsupported_response_type'],
    ['no response type', { response_type: undefined }, 'invalid_request'],
    ['a foreign resource', { resource: 'https://evil.example/mcp' }, 'invalid_target'],
    [
      'a resource that only begins like ours',
      { resource: `${mcpResource(baseUrl)}2` },
      'invalid_target',
    ],
    ['a request object', { request: 'eyJhbGciOiJub25lIn0.e30.' }, 'request_not_supported'],
  ])('returns %s with the unchanged state', async (_, more, error) => {
    const page = await person.open(app.authorizeUrl(pkce().challenge, { ...more, state }));
    expect({ status: page.status, left: page.left }).toMatchObject({ left: expect.anything() });
    expect([302, 303]).toContain(page.status);
    expect(page.headers['cache-control']).toMatch(/\bno-store\b/);
    const { origin, pathname, searchParams } = new URL(page.left ?? '');
    expect(origin + pathname).toBe(app.redirectUri);
    expect(Object.fromEntries(searchParams)).toEqual({
      error: expect.stringMatching(
        error === 'request_not_supported' ? /^(request_not_supported|invalid_request)$/ : error,
      ),
      error_description: expect.stringMatching(/\S{3}/),
      state,
      iss: baseUrl,
    });
  });

  test.each<[what: string, more: Parameters]>([
    ['an unknown client', { client_id: 'nobody' }],
    ['no client', { client_id: undefined }],
    ['a redirect that is not the client’s', { redirect_uri: 'https://evil.example/callback' }],
    ['a redirect below the client’s', { redirect_uri: 'https://app.example/callback/more' }],
    [
      'a redirect with a query that was not registered',
      { redirect_uri: 'https://app.example/callback?a=1' },
    ],
    ['a redirect that runs a script', { redirect_uri: 'javascript:alert(1)' }],
    ['a client document on this machine', { client_id: 'https://127.0.0.1/client.json' }],
    [
      'a client document in the cloud’s own network',
      { client_id: 'https://169.254.169.254/latest/meta-data' },
    ],
    ['a client document at a name of this machine', { client_id: 'https://localhost/client.json' }],
    ['a client document without TLS', { client_id: 'http://app.example/client.json' }],
  ])('shows %s on its own page and redirects nobody', async (_, more) => {
    const page = await person.open(app.authorizeUrl(pkce().challenge, more));
    expect({ status: page.status, left: page.left }).toEqual({ status: 400, left: undefined });
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(page.headers['cache-control']).toMatch(/\bno-store\b/);
    expect(page.headers['content-security-policy']).toMatch(/frame-ancestors 'none'/);
    expect(page.forms).toEqual([]);
  });

  test.each([
    ['exactly', (url: string) => url],
    ['with a trailing slash', (url: string) => `${url}/`],
    ['by its origin', (url: string) => new URL(url).origin],
    ['by its origin with a slash', (url: string) => `${new URL(url).origin}/`],
    ['not at all', () => undefined],
  ])('accepts the resource %s', async (_, named) => {
    const resource = named(mcpResource(baseUrl));
    const grant = await app.codeFrom(person, { resource });
    const { access_token: token } = tokensOf(await app.exchange(grant, { resource }));
    expect((await listTools(token)).status).toBe(200);
  });

  test.each([
    ['all where none is asked for', undefined, oauthScopes],
    ['all where none is known', 'openid offline_access', oauthScopes],
    ['those that are known', 'openid projects:read', ['projects:read']],
  ])('grants %s', async (_, scope, granted) => {
    const { scope: given } = await app.connect(person, { scope });
    expect(given).toBe(granted.join(' '));
  });

  test('returns a refusal with state and issuer', async () => {
    const url = app.authorizeUrl(pkce().challenge, { state });
    const { searchParams } = new URL(await person.decide(url, 'deny'));
    expect(Object.fromEntries(searchParams)).toEqual({
      error: 'access_denied',
      error_description: expect.stringMatching(/\S{3}/),
      state,
      iss: baseUrl,
    });
  });

  test('returns the state byte for byte with a code', async () => {
    const left = await person.decide(app.authorizeUrl(pkce().challenge, { state }));
    const { searchParams } = new URL(left);
    expect(Object.fromEntries(searchParams)).toEqual({
      code: expect.stringMatching(/^[\w-]{32,}$/),
      state,
      iss: baseUrl,
    });
  });
});

local('POST /oauth/token refuses', () => {
  test.each<[what: string, more: Parameters, status: number, error: string]>([
    ['a wrong verifier', { code_verifier: pkce().verifier }, 400, 'invalid_grant'],
    [
      'a verifier that is too short',
      { code_verifier: 'a'.repeat(42) },
      400,
      'invalid_grant|invalid_request',
    ],
    [
      'a verifier that is too long',
      { code_verifier: 'a'.repeat(129) },
      400,
      'invalid_grant|invalid_request',
    ],
    ['a missing verifier', { code_verifier: undefined }, 400, 'invalid_grant|invalid_request'],
    ['another redirect', { redirect_uri: 'https://app.example/callback/2' }, 400, 'invalid_grant'],
    ['a foreign resource', { resource: 'https://evil.example/mcp' }, 400, 'invalid_target'],
    ['a code of nobody', { code: 'x'.repeat(43) }, 400, 'invalid_grant'],
    ['a missing code', { code: undefined }, 400, 'invalid_request'],
    ['an unknown client', { client_id: 'nobody' }, 401, 'invalid_client'],
    ['a missing client', { client_id: undefined }, 401, 'invalid_client'],
    [
      'a client document of this machine',
      { client_id: 'https://127.0.0.1/c.json' },
      401,
      'invalid_client',
    ],
    [
      'the password grant',
      { grant_type: 'password', username: 'a', password: 'b' },
      400,
      'unsupported_grant_type',
    ],
    ['client credentials', { grant_type: 'client_credentials' }, 400, 'unsupported_grant_type'],
    ['the implicit grant', { grant_type: 'implicit' }, 400, 'unsupported_grant_type'],
    ['a missing grant type', { grant_type: undefined }, 400, 'invalid_request'],
  ])('%s', async (_, more, status, errors) => {
    const fresh = await app.codeFrom(person);
    const answer = await app.exchange(fresh, more);
    expect(errors.split('|')).toContain(answer.json.error);
    expectOAuthError(answer, status, answer.json.error);
    // A person who has seen a code can neither use it nor invalidate it.
    tokensOf(await app.exchange(fresh));
  });

  test('the verifier itself as the challenge', async () => {
    const { verifier, challenge } = pkce();
    const url = app.authorizeUrl(challenge);
    const code = new URL(await person.decide(url)).searchParams.get('code') ?? '';
    expectOAuthError(await app.exchange({ code, verifier: challenge }), 400, 'invalid_grant');
    expect(verifier).not.toBe(challenge);
  });

  test('a code of another client', async () => {
    const grant = await app.codeFrom(person);
    expectOAuthError(await stranger.exchange(grant), 400, 'invalid_grant');
    const tokens = tokensOf(await app.exchange(grant));
    expectOAuthError(await stranger.exchange(grant), 400, 'invalid_grant');
    expectOAuthError(
      await app.exchange(grant, { code_verifier: pkce().verifier }),
      400,
      'invalid_grant',
    );
    expect((await listTools(tokens.access_token)).status).toBe(200);
  });

  test('a used code, and revokes the tokens of its first use', async () => {
    const used = await app.codeFrom(person);
    const tokens = tokensOf(await app.exchange(used));
    expect((await listTools(tokens.access_token)).status).toBe(200);
    expectOAuthError(await app.exchange(used), 400, 'invalid_grant');
    await expectDead(tokens.access_token);
    expectOAuthError(await app.refresh(tokens.refresh_token), 400, 'invalid_grant');
  });

  test('all but one of ten concurrent uses of a code', async () => {
    const raced = await app.codeFrom(person);
    const answers = await Promise.all(Array.from({ length: 10 }, () => app.exchange(raced)));
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 200).length).toBeLessThanOrEqual(1);
    expect(statuses.every((status) => status === 200 || status === 400)).toBe(true);
  });

  test.each<[AuthMethod]>([['client_secret_post'], ['client_secret_basic']])(
    'a wrong, a missing and a doubled secret with %s',
    async (method) => {
      const secretive = await new OAuthApp(baseUrl, method).register();
      const { clientId: client_id, clientSecret: secret = '' } = secretive;
      const other = new OAuthApp();
      const form = { grant_type: 'refresh_token', refresh_token: 'x'.repeat(43) };
      const viaBasic = method === 'client_secret_basic';
      const wrong = viaBasic
        ? await other.token(
            { ...form, client_id: undefined },
            { authorization: basic(client_id, `${secret}x`) },
          )
        : await other.token({ ...form, client_id, client_secret: `${secret}x` });
      expectOAuthError(wrong, 401, 'invalid_client');
      if (viaBasic) expect(wrong.headers['www-authenticate']).toMatch(/^Basic /);
      expectOAuthError(await other.token({ ...form, client_id }), 401, 'invalid_client');
      const twice = await other.token(
        { ...form, client_id, client_secret: secret },
        { authorization: basic(client_id, secret) },
      );
      expectOAuthError(twice, 400, 'invalid_request');
      // The secret itself was never wrong.
      expectOAuthError(await secretive.token(form), 400, 'invalid_grant');
    },
  );

  test.each([
    ['JSON', 'application/json', JSON.stringify({ grant_type: 'refresh_token' })],
    ['a form of another type', 'multipart/form-data; boundary=x', '--x--'],
    ['text', 'text/plain', 'grant_type=refresh_token'],
  ])('a body of %s', async (_, contentType, body) => {
    const page = await new Person().send(`${baseUrl}${oauthPaths.token}`, body, {
      'content-type': contentType,
    });
    expectOAuthError(page, 400, 'invalid_request');
  });
});

local('a refresh token', () => {
  test('is replaced at each use, and one that is replayed soon gives the same successor', async () => {
    const first = await app.connect(person);
    const second = tokensOf(await app.refresh(first.refresh_token));
    const again = tokensOf(await app.refresh(first.refresh_token));
    expect(again).toEqual({ ...second, expires_in: expect.any(Number) });
    expect(again.expires_in).toBeLessThanOrEqual(second.expires_in);
    const third = tokensOf(await app.refresh(second.refresh_token));
    expect(third.refresh_token).not.toBe(second.refresh_token);
    expect((await listTools(third.access_token)).status).toBe(200);
  });

  test('that ten sessions use concurrently returns the same successor to all', async () => {
    const { refresh_token: shared } = await app.connect(person);
    const answers = await Promise.all(Array.from({ length: 10 }, () => app.refresh(shared)));
    const successors = answers.map(tokensOf);
    expect(new Set(successors.map(({ refresh_token: next }) => next)).size).toBe(1);
    expect(new Set(successors.map(({ access_token: token }) => token)).size).toBe(1);
    expect((await listTools(successors[0]?.access_token)).status).toBe(200);
  });

  test('of another client is refused, and still works', async () => {
    const { refresh_token: mine } = await app.connect(person);
    expectOAuthError(await stranger.refresh(mine), 400, 'invalid_grant');
    tokensOf(await app.refresh(mine));
  });

  test.each([
    ['of nobody', 'x'.repeat(43)],
    ['that is empty', ''],
    ['that is no token', '../../etc/passwd'],
  ])('%s is refused', async (_, token) => {
    const answer = await app.refresh(token);
    expectOAuthError(answer, 400, token === '' ? 'invalid_request' : 'invalid_grant');
  });

  test('is refused as an access token, and an access token as a refresh token', async () => {
    const { access_token: access, refresh_token: refresh } = await app.connect(person);
    await expectDead(refresh);
    expectOAuthError(await app.refresh(access), 400, 'invalid_grant');
    expect((await listTools(access)).status).toBe(200);
  });

  test('is refused for a foreign resource, and still works', async () => {
    const { refresh_token: token } = await app.connect(person);
    const foreign = await app.refresh(token, { resource: 'https://evil.example/mcp' });
    expectOAuthError(foreign, 400, 'invalid_target');
    tokensOf(await app.refresh(token, { resource: mcpResource(baseUrl) }));
  });

  test('gives no more scopes than were granted', async () => {
    const { refresh_token: token } = await app.connect(person, { scope: 'projects:read' });
    const answer = await app.refresh(token, { scope: 'projects:read projects:write' });
    if (answer.status === 200) expect(answer.json.scope).toBe('projects:read');
    else expectOAuthError(answer, 400, 'invalid_scope');
  });
});

local('POST /oauth/revoke', () => {
  test.each(['access_token', 'refresh_token'] as const)(
    'ends the grant by its %s',
    async (kind) => {
      const tokens = await app.connect(person);
      const answer = await app.revoke(tokens[kind]);
      expect(answer.status).toBe(200);
      await expectDead(tokens.access_token);
      expectOAuthError(await app.refresh(tokens.refresh_token), 400, 'invalid_grant');
    },
  );

  test('of another client’s token changes and reveals nothing', async () => {
    const tokens = await app.connect(person);
    for (const token of [tokens.access_token, tokens.refresh_token, 'x'.repeat(43)])
      expect((await stranger.revoke(token)).status).toBe(200);
    expect((await listTools(tokens.access_token)).status).toBe(200);
    tokensOf(await app.refresh(tokens.refresh_token));
  });

  test('ends only this grant, and no other grant of the same person for the same app', async () => {
    const [one, other] = [await app.connect(person), await app.connect(person)];
    await app.revoke(one.refresh_token);
    await expectDead(one.access_token);
    expect((await listTools(other.access_token)).status).toBe(200);
  });

  test.each<[what: string, more: Parameters, status: number, error: string]>([
    ['an unknown client', { client_id: 'nobody' }, 401, 'invalid_client'],
    ['no token', { token: undefined }, 400, 'invalid_request'],
  ])('refuses %s', async (_, more, status, error) => {
    expectOAuthError(await app.revoke('x'.repeat(43), more), status, error);
  });
});

local('the MCP endpoint', () => {
  test('accepts an API key as well, and the HTTP API accepts no access token', async () => {
    expect((await listTools(await signIn())).status).toBe(200);
    const { access_token: token } = await app.connect(person);
    expectRefusal(await get('/v1/user', token), 401, 'API_KEY_INVALID');
    expectRefusal(await get('/v1/projects', token), 401, 'API_KEY_INVALID');
  });

  test('challenges a caller without credentials, without an error code', async () => {
    const answer = await listTools(undefined);
    expect(answer.status).toBe(401);
    expect(answer.headers['www-authenticate']).toBe(bearerChallenge(baseUrl));
    expect(answer.headers['access-control-expose-headers']).toMatch(/\bwww-authenticate\b/i);
  });

  test('refuses the tokens of a disconnected app', async () => {
    const owner = new Person();
    const tokens = await app.connect(owner);
    const { connections } = (await owner.request('GET', '/v1/connections')).json.data;
    expect(connections).toMatchObject([{ clientName: 'Tide table', redirectHost: 'app.example' }]);
    const [{ id }] = connections;
    expectRefusal(await person.request('DELETE', `/v1/connections/${id}`), 404, 'NOT_FOUND');
    expect((await listTools(tokens.access_token)).status).toBe(200);
    expect((await owner.request('DELETE', `/v1/connections/${id}`)).status).toBe(200);
    await expectDead(tokens.access_token);
    expectOAuthError(await app.refresh(tokens.refresh_token), 400, 'invalid_grant');
    expect((await owner.request('GET', '/v1/connections')).json.data).toEqual({ connections: [] });
  });
});
