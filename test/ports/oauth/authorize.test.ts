import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { AuthorizationRequest } from '../../../core/oauth/authorization/authorization-request.ts';
import { allow, deny, readAuthorization } from '../../../core/oauth/authorization/authorize.ts';
import {
  aStranger,
  aVerifier,
  callback,
  type OAuthStores,
  oauthStores,
} from '../../fixtures/agents/oauth-stores.ts';

let stores: OAuthStores;
let clientId: string;
beforeAll(async () => {
  stores = await oauthStores();
  ({ client_id: clientId } = await stores.aClient({ client_name: 'Claude' }));
});
afterAll(() => stores.close());

const { challenge } = aVerifier();
type Changes = Record<string, string | string[] | undefined>;

/** A query as clients send it, with changes: undefined takes a parameter away, a list repeats it. */
function aQuery(changes: Changes = {}): URLSearchParams {
  const parameters: Changes = {
    response_type: 'code',
    client_id: clientId,
    redirect_uri: callback,
    state: 'xyz',
    scope: 'projects:read',
    code_challenge: challenge,
    code_challenge_method: 'S256',
    resource: 'https://app.example.com/mcp',
    ...changes,
  };
  return new URLSearchParams(
    Object.entries(parameters).flatMap(([name, value]) =>
      [value ?? []].flat().map((one): [string, string] => [name, one]),
    ),
  );
}

const read = (changes: Changes = {}) =>
  readAuthorization(stores.deps, aStranger(), aQuery(changes));

async function aPerson() {
  const account = await stores.anAccount();
  return { account, tokenHash: await stores.aSession(account) };
}

async function validRequest(changes: Changes = {}): Promise<AuthorizationRequest> {
  const step = await read(changes);
  if (step.kind !== 'valid') throw new Error(JSON.stringify(step));
  return step.request;
}

/** The redirect with an error for the client. */
async function sentBack(changes: Changes = {}) {
  const step = await read(changes);
  if (step.kind !== 'invalid-request') throw new Error(JSON.stringify(step));
  return step.mistake.location;
}

test('the consent page has the request of the client', async () => {
  expect(await validRequest()).toEqual({
    client: { id: clientId, name: 'Claude', host: null },
    redirectUri: callback,
    scopes: ['projects:read'],
    state: 'xyz',
    codeChallenge: challenge,
    resource: 'https://app.example.com/mcp',
  });
});

test('the host identifies the owner of a document', async () => {
  const id = 'https://harbour.example/client.json';
  stores.documents.set(id, JSON.stringify({ client_id: id, redirect_uris: [callback] }));
  expect((await validRequest({ client_id: id })).client).toEqual({
    id,
    name: 'Unnamed app',
    host: 'harbour.example',
  });
});

describe('an authorization request', () => {
  const all = ['projects:read', 'projects:write', 'account:read'];
  test.each([
    [undefined, all],
    ['', all],
    ['openid offline_access', all],
    ['account:read openid projects:read', ['projects:read', 'account:read']],
    ['projects:write projects:write', ['projects:write']],
    ['PROJECTS:READ', all],
  ])('for the scopes %j requests %j', async (scope, scopes) => {
    expect((await validRequest({ scope })).scopes).toEqual(scopes);
  });

  test.each([
    'https://app.example.com/mcp',
    'https://app.example.com/mcp/',
    'https://app.example.com',
    'https://app.example.com/',
    '',
    undefined,
    ['https://app.example.com/mcp', 'https://app.example.com/mcp'],
  ])('for the resource %j is accepted', async (resource) => {
    expect((await validRequest({ resource })).resource).toBe('https://app.example.com/mcp');
  });

  test('ignores unknown parameters', async () => {
    const more = {
      prompt: 'none',
      nonce: ['1', '2'],
      login_hint: 'a@example.org',
      response_mode: 'query',
      audience: 'elsewhere',
      max_age: '0',
    };
    expect(await validRequest(more)).toEqual(await validRequest());
  });

  test('without a redirect URI uses the client’s only one', async () => {
    expect((await validRequest({ redirect_uri: undefined })).redirectUri).toBe(callback);
    expect((await validRequest({ redirect_uri: '' })).redirectUri).toBe(callback);
  });

  test('may use another port of a loopback redirect URI', async () => {
    const { client_id } = await stores.aClient({ redirect_uris: ['http://127.0.0.1/'] });
    const { redirectUri } = await validRequest({
      client_id,
      redirect_uri: 'http://127.0.0.1:49152/',
    });
    expect(redirectUri).toBe('http://127.0.0.1:49152/');
  });
});

describe('there is no redirect', () => {
  test.each([
    ['without a client', { client_id: undefined }, 'unreadable'],
    // As an answer its state would be three times as long: too much for the headers of one.
    ['with a state of thousands of characters', { state: '/'.repeat(3000) }, 'unreadable'],
    ['with two clients', { client_id: ['a', 'b'] }, 'unreadable'],
    ['with two redirect URIs', { redirect_uri: [callback, 'https://evil.example/'] }, 'unreadable'],
    [
      'by a client that nobody knows',
      { client_id: '0b7e4c1a-5f60-4c39-9d0e-2f1a6f0c9a11' },
      'unknown-client',
    ],
    [
      'by a client without a document',
      { client_id: 'https://nowhere.example/client' },
      'unknown-client',
    ],
    ['to another address', { redirect_uri: 'https://evil.example/' }, 'unknown-redirect'],
    [
      'to an address below the registered one',
      { redirect_uri: `${callback}/more` },
      'unknown-redirect',
    ],
    ['to a script', { redirect_uri: 'javascript:alert(1)' }, 'unknown-redirect'],
  ])('%s', async (_, changes, problem) => {
    const everything = { ...changes, response_type: 'token', code_challenge: undefined };
    for (const one of [changes, everything]) {
      expect(await read(one as Changes)).toEqual({
        kind: 'refused',
        problem,
        detail: expect.stringMatching(/app/),
      });
    }
  });

  test('without a redirect URI if the client has several', async () => {
    const { client_id } = await stores.aClient({ redirect_uris: [callback, `${callback}/2`] });
    const step = await read({ client_id, redirect_uri: undefined });
    expect(step).toMatchObject({ kind: 'refused', problem: 'unknown-redirect' });
  });
});

test.each([
  'ms-msdt:/id',
  'search-ms:/query=x',
  'javascript:/alert(1)',
  'invented-app://callback',
  'cursor://anysphere.cursor-deeplink/mcp/install',
])('an earlier client with %s is refused on our own page', async (redirectUri) => {
  const stored = await stores.deps.clients.find(clientId);
  if (stored?.kind !== 'registered') throw new Error('no client');
  const id = randomUUID();
  await stores.deps.clients.register({ ...stored, id, redirectUris: [redirectUri] });
  for (const changes of [{}, { response_type: 'token' }, { redirect_uri: undefined }]) {
    const step = await read({ client_id: id, redirect_uri: redirectUri, ...changes });
    expect(step).toMatchObject({ kind: 'refused', problem: 'refused-redirect' });
  }
});

describe('the client gets', () => {
  test.each([
    ['invalid_request', 'no response_type', { response_type: undefined }],
    ['invalid_request', 'two response_types', { response_type: ['code', 'code'] }],
    ['unsupported_response_type', 'an implicit grant', { response_type: 'token' }],
    ['unsupported_response_type', 'a hybrid grant', { response_type: 'code id_token' }],
    ['invalid_request', 'no challenge', { code_challenge: undefined }],
    ['invalid_request', 'an empty challenge', { code_challenge: '' }],
    ['invalid_request', 'two challenges', { code_challenge: [challenge, challenge] }],
    ['invalid_request', 'a short challenge', { code_challenge: challenge.slice(1) }],
    ['invalid_request', 'a long challenge', { code_challenge: `${challenge}A` }],
    ['invalid_request', 'a challenge in base64', { code_challenge: `${challenge.slice(1)}+` }],
    ['invalid_request', 'the method plain', { code_challenge_method: 'plain' }],
    ['invalid_request', 'the method s256', { code_challenge_method: 's256' }],
    ['invalid_request', 'no method, which means plain', { code_challenge_method: undefined }],
    ['invalid_request', 'two scopes', { scope: ['projects:read', 'account:read'] }],
    ['invalid_target', 'a foreign resource', { resource: 'https://evil.example/mcp' }],
    ['invalid_target', 'a longer resource', { resource: 'https://app.example.com/mcp/x' }],
    [
      'invalid_target',
      'a resource of the same beginning',
      { resource: 'https://app.example.com.evil.example' },
    ],
    [
      'invalid_target',
      'one foreign resource of two',
      { resource: ['https://app.example.com/mcp', 'https://evil.example'] },
    ],
    ['invalid_request', 'a request object', { request: 'e30.e30.' }],
    [
      'invalid_request',
      'the address of a request object',
      { request_uri: 'https://evil.example/r' },
    ],
  ])('%s for %s', async (error, _, changes) => {
    const { origin, pathname, searchParams } = new URL(await sentBack(changes as Changes));
    expect(origin + pathname).toBe(callback);
    expect(Object.fromEntries(searchParams)).toEqual({
      error,
      // RFC 6749 §4.1.2.1: no quotation mark, no backslash, nothing outside of ASCII.
      error_description: expect.stringMatching(/^[\x20-\x21\x23-\x5b\x5d-\x7e]{10,}$/),
      state: 'xyz',
      iss: 'https://app.example.com',
    });
  });

  test('an error without state if it sent two states', async () => {
    const { searchParams } = new URL(await sentBack({ state: ['a', 'b'] }));
    expect(searchParams.get('error')).toBe('invalid_request');
    expect(searchParams.has('state')).toBe(false);
  });
});

describe('the state is returned byte for byte', () => {
  test.each([
    'a b+c%20d%2Bd',
    '"quoted" \\ <script>alert(1)</script> & = ? # ; ,',
    'ünï-çödé 港 👋',
    '\u0000\u0001\r\nset-cookie: a=b',
    JSON.stringify({ nested: { return: 'https://claude.ai/?a=1&b=2' } }),
    'x'.repeat(4000),
  ])('%j', async (state) => {
    const request = await validRequest({ state });
    const locations = [
      await sentBack({ state, response_type: 'token' }),
      deny(stores.deps, request),
      await allow(stores.deps, await aPerson(), request),
    ];
    for (const location of locations) {
      expect(location).toMatch(/^[\x21-\x7e]+$/);
      expect(new URL(location).searchParams.get('state')).toBe(state);
      // Not every client reads a plus sign as a space.
      const [, raw = ''] = /[?&]state=([^&]*)/.exec(location) ?? [];
      expect(decodeURIComponent(raw)).toBe(state);
    }
  });

  test.each([[undefined], ['']])('but %j is invalid', async (state) => {
    const request = await validRequest({ state });
    expect(deny(stores.deps, request)).not.toContain('state=');
    expect(await sentBack({ state, response_type: 'token' })).not.toContain('state=');
  });
});

test('consent redirects with a code, refusal with an error, both with the issuer', async () => {
  const request = await validRequest();
  const allowed = new URL(await allow(stores.deps, await aPerson(), request));
  expect(Object.fromEntries(allowed.searchParams)).toEqual({
    code: expect.stringMatching(/^sw_oauth_code_[0-9A-Za-z]{49}$/),
    state: 'xyz',
    iss: 'https://app.example.com',
  });
  expect(Object.fromEntries(new URL(deny(stores.deps, request)).searchParams)).toEqual({
    error: 'access_denied',
    error_description: expect.any(String),
    state: 'xyz',
    iss: 'https://app.example.com',
  });
});

test.each([
  ['https://example.org/cb?tenant=a%20b', 'https://example.org/cb?tenant=a%20b&error='],
  ['https://example.org/cb?', 'https://example.org/cb?error='],
  ['https://example.org/cb?a=1&', 'https://example.org/cb?a=1&error='],
  ['https://example.org', 'https://example.org?error='],
  [
    'cursor://anysphere.cursor-mcp/oauth/callback',
    'cursor://anysphere.cursor-mcp/oauth/callback?error=',
  ],
])('the response is appended to the unchanged URI %s', async (redirectUri, start) => {
  const { client_id } = await stores.aClient({ redirect_uris: [redirectUri] });
  const request = await validRequest({ client_id, redirect_uri: redirectUri });
  expect(deny(stores.deps, request).startsWith(start)).toBe(true);
});

test('a code is stored as a hash, and expires by TTL', async () => {
  const location = await allow(stores.deps, await aPerson(), await validRequest());
  const code = new URL(location).searchParams.get('code') ?? '';
  const rows = await stores.rows();
  expect(JSON.stringify(rows)).not.toContain(code);
  const codes = rows.filter(({ sk }) => sk === 'CODE');
  expect(codes.length).toBeGreaterThan(0);
  for (const row of codes) expect(row).toMatchObject({ ttl: expect.any(Number) });
});
