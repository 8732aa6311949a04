import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Account } from '../../../core/accounts/account.ts';
import { listConnections } from '../../../core/oauth/authorization/connections.ts';
import { exchangeToken } from '../../../core/oauth/tokens/exchange-token.ts';
import { findToken } from '../../../core/oauth/tokens/authenticate-agent.ts';
import {
  aStranger,
  aVerifier,
  callback,
  type OAuthStores,
  oauthStores,
} from '../../fixtures/agents/oauth-stores.ts';

let stores: OAuthStores;
let account: Account;
beforeAll(async () => {
  stores = await oauthStores();
});
beforeEach(async () => {
  account = await stores.anAccount();
});
afterAll(() => stores.close());

/** A form that works, made for a code of its own. */
async function aForm(changes: Record<string, string | undefined> = {}) {
  const { client_id: clientId } = await stores.aClient();
  const { code, verifier } = await stores.aCode(account, clientId);
  const form = {
    grant_type: 'authorization_code',
    client_id: clientId,
    code,
    code_verifier: verifier,
    redirect_uri: callback,
    resource: 'https://app.example.com/mcp',
    ...changes,
  };
  return Object.fromEntries(
    Object.entries(form).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  ) as Record<string, string>;
}

const connections = async () =>
  (await listConnections(stores.deps, { ...aStranger(), account })).connections;
const holder = (token: string) => findToken(stores.deps, token);

test('a code gives tokens and creates a connection', async () => {
  const form = await aForm();
  expect(await connections()).toEqual([]);
  const answer = await stores.post(form);
  expect(answer).toEqual({
    access_token: expect.stringMatching(/^sw_oauth_access_[0-9A-Za-z]{49}$/),
    token_type: 'Bearer',
    expires_in: 3600,
    refresh_token: expect.stringMatching(/^sw_oauth_refresh_[0-9A-Za-z]{49}$/),
    scope: 'projects:read projects:write account:read',
  });
  const [connection] = await connections();
  expect(await holder(answer.access_token)).toEqual({
    account,
    scopes: ['projects:read', 'projects:write', 'account:read'],
    clientId: form['client_id'],
    clientName: 'Unnamed app',
    grantId: connection?.id,
  });
  expect(connection).toMatchObject({ clientName: 'Unnamed app', redirectHost: 'claude.ai' });
});

test('a code ends with the session of the browser that allowed it', async () => {
  const { client_id: clientId } = await stores.aClient();
  const { code, verifier, tokenHash } = await stores.aCode(account, clientId);
  await stores.sessions.end(tokenHash);
  const form = { grant_type: 'authorization_code', client_id: clientId, code };
  await expect(stores.post({ ...form, code_verifier: verifier })).rejects.toMatchObject({
    code: 'invalid_grant',
    message: 'The browser that allowed it was signed out before the code was used. Begin again.',
  });
  expect(await connections()).toEqual([]);
});

test('the tokens are for the scopes that were allowed', async () => {
  const { tokens } = await stores.connected(account, { scope: 'projects:read' });
  expect(tokens.scope).toBe('projects:read');
  expect((await holder(tokens.access_token))?.scopes).toEqual(['projects:read']);
});

test.each([
  ['without a redirect URI', { redirect_uri: undefined }],
  ['without a resource', { resource: undefined }],
  ['with the resource as an origin', { resource: 'https://app.example.com/' }],
  ['with parameters that nobody here reads', { audience: 'x', scope: 'everything' }],
])('a code is accepted %s', async (_, changes) => {
  expect(await stores.post(await aForm(changes))).toHaveProperty('access_token');
});

describe('a code gives nothing', () => {
  test.each([
    ['invalid_grant', 'with a wrong verifier', { code_verifier: aVerifier().verifier }],
    ['invalid_grant', 'with a short verifier', { code_verifier: 'a'.repeat(42) }],
    ['invalid_grant', 'with a long verifier', { code_verifier: 'a'.repeat(129) }],
    ['invalid_grant', 'with a verifier of other characters', { code_verifier: '!'.repeat(43) }],
    ['invalid_request', 'without a verifier', { code_verifier: undefined }],
    ['invalid_request', 'without the code', { code: undefined }],
    ['invalid_grant', 'when it is another text', { code: 'sw_oauth_code_x' }],
    ['invalid_grant', 'when it is very long', { code: 'x'.repeat(100_000) }],
    ['invalid_grant', 'at another redirect URI', { redirect_uri: `${callback}/other` }],
    ['invalid_target', 'for a foreign resource', { resource: 'https://evil.example/mcp' }],
    ['invalid_request', 'without a grant_type', { grant_type: undefined }],
    ['unsupported_grant_type', 'as client credentials', { grant_type: 'client_credentials' }],
    ['unsupported_grant_type', 'as a password', { grant_type: 'password' }],
    ['invalid_client', 'without a client', { client_id: undefined }],
    ['invalid_client', 'to nobody', { client_id: '0b7e4c1a-5f60-4c39-9d0e-2f1a6f0c9a11' }],
    [
      'invalid_client',
      'to a client without a document',
      { client_id: 'https://nowhere.example/c' },
    ],
    ['invalid_client', 'with a secret that the client never got', { client_secret: 'secret' }],
  ])('%s %s', async (code, _, changes) => {
    const form = await aForm(changes);
    await expect(stores.post(form)).rejects.toMatchObject({ name: 'OAuthError', code });
    expect(await connections()).toEqual([]);
  });

  test('with the challenge instead of the verifier', async () => {
    const { client_id: clientId } = await stores.aClient();
    const { challenge } = aVerifier();
    const { code } = await stores.aCode(account, clientId, { code_challenge: challenge });
    const form = { grant_type: 'authorization_code', client_id: clientId, code };
    await expect(stores.post({ ...form, code_verifier: challenge })).rejects.toMatchObject({
      code: 'invalid_grant',
    });
  });

  test('to another client, and still works for its own', async () => {
    const form = await aForm();
    const { client_id } = await stores.aClient();
    await expect(stores.post({ ...form, client_id })).rejects.toMatchObject({
      code: 'invalid_grant',
    });
    expect(await stores.post(form)).toHaveProperty('access_token');
  });

  test('after a minute', async () => {
    const [early, late] = [await aForm(), await aForm()] as const;
    stores.pass(59);
    expect(await stores.post(early)).toHaveProperty('access_token');
    stores.pass(1);
    await expect(stores.post(late)).rejects.toMatchObject({ code: 'invalid_grant' });
  });

  test.each(['code', 'grant_type', 'code_verifier', 'client_id', 'redirect_uri', 'scope'])(
    'if %s is sent twice',
    async (name) => {
      const form = new URLSearchParams(await aForm({ scope: 'projects:read' }));
      form.append(name, form.get(name) ?? '');
      const posted = { form, authorization: undefined };
      await expect(exchangeToken(stores.deps, aStranger(), posted)).rejects.toMatchObject({
        code: 'invalid_request',
      });
    },
  );
});

describe('a code that is used again', () => {
  test('ends its tokens, with the correct verifier', async () => {
    const form = await aForm();
    const { access_token, refresh_token } = await stores.post(form);
    await expect(stores.post(form)).rejects.toMatchObject({ code: 'invalid_grant' });
    expect(await holder(access_token)).toBeUndefined();
    const clientId = form['client_id'] ?? '';
    await expect(stores.refresh(clientId, refresh_token)).rejects.toMatchObject({
      code: 'invalid_grant',
    });
    expect(await connections()).toEqual([]);
  });

  test('does so after its minute, too', async () => {
    const form = await aForm();
    const { access_token } = await stores.post(form);
    stores.pass(600);
    await expect(stores.post(form)).rejects.toMatchObject({ code: 'invalid_grant' });
    expect(await holder(access_token)).toBeUndefined();
  });

  test('ends nothing without the verifier, or for another client', async () => {
    const form = await aForm();
    const { access_token } = await stores.post(form);
    const { client_id } = await stores.aClient();
    const thieves: Record<string, string>[] = [
      { code_verifier: aVerifier().verifier },
      { client_id },
    ];
    for (const thief of thieves) {
      await expect(stores.post({ ...form, ...thief })).rejects.toMatchObject({
        code: 'invalid_grant',
      });
    }
    expect(await holder(access_token)).toBeDefined();
  });

  test('ten times concurrently gives tokens at most once, and they are revoked', async () => {
    const form = await aForm();
    const tries = await Promise.allSettled(Array.from({ length: 10 }, () => stores.post(form)));
    const given = tries.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    const refusals = tries.flatMap((one) => (one.status === 'rejected' ? [one.reason.code] : []));
    expect(given).toHaveLength(1);
    expect(refusals).toEqual(Array(9).fill('invalid_grant'));
    expect(await holder(given[0]?.access_token ?? '')).toBeUndefined();
    expect(await connections()).toEqual([]);
  });
});

describe('a client with a secret', () => {
  const basic = (id: string, secret: string) =>
    `Basic ${Buffer.from(`${encodeURIComponent(id)}:${encodeURIComponent(secret)}`).toString('base64')}`;
  /** A form without the client, and the client. */
  async function aSecretForm(method = 'client_secret_basic') {
    const client = await stores.aClient({ token_endpoint_auth_method: method });
    const { client_id: id, client_secret: secret = '' } = client;
    const { code, verifier } = await stores.aCode(account, id);
    return {
      id,
      secret,
      form: { grant_type: 'authorization_code', code, code_verifier: verifier },
    };
  }

  test.each(['client_secret_basic', 'client_secret_post'])(
    'of %s may send it in both ways',
    async (method) => {
      const first = await aSecretForm(method);
      const posted = { client_id: first.id, client_secret: first.secret };
      expect(await stores.post({ ...first.form, ...posted })).toHaveProperty('access_token');
      const second = await aSecretForm(method);
      const header = basic(second.id, second.secret);
      expect(await stores.post(second.form, header)).toHaveProperty('access_token');
      const third = await aSecretForm(method);
      const named = { ...third.form, client_id: third.id };
      expect(await stores.post(named, basic(third.id, third.secret))).toHaveProperty(
        'access_token',
      );
    },
  );

  test("is refused without it, with a wrong one, and with another client's", async () => {
    const { id, secret, form } = await aSecretForm();
    const other = await aSecretForm();
    const wrong = `${secret.slice(0, -1)}${secret.endsWith('0') ? '1' : '0'}`;
    const tries: [Record<string, string>, string?][] = [
      [{ client_id: id }],
      [{ client_id: id, client_secret: wrong }],
      [{ client_id: id, client_secret: other.secret }],
      [{}, basic(id, wrong)],
      [{}, basic(id, '')],
      [{}, 'Basic !!!'],
      [{}, 'Basic'],
      [{}, basic('', secret)],
      [{}, `Bearer ${secret}`],
    ];
    for (const [more, header] of tries) {
      await expect(stores.post({ ...form, ...more }, header)).rejects.toMatchObject({
        code: 'invalid_client',
      });
    }
    expect(await stores.post(form, basic(id, secret))).toHaveProperty('access_token');
  });

  test('must not use both ways in one request, nor name another client', async () => {
    const { id, secret, form } = await aSecretForm();
    const both = { ...form, client_id: id, client_secret: secret };
    const foreign = { ...form, client_id: (await aSecretForm()).id };
    for (const sent of [both, foreign]) {
      await expect(stores.post(sent, basic(id, secret))).rejects.toMatchObject({
        code: 'invalid_request',
      });
    }
  });
});

describe('a client that sends a signature without need', () => {
  const signed = (claims: object | string) => ({
    client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
    client_assertion: [
      '{"alg":"RS256"}',
      typeof claims === 'string' ? claims : JSON.stringify(claims),
      'x',
    ]
      .map((part) => Buffer.from(part).toString('base64url'))
      .join('.'),
  });

  test.each([
    ['with its id beside it', (id: string) => ({ client_id: id, ...signed({ sub: id }) })],
    ['without', (id: string) => signed({ iss: id, sub: id })],
  ])('gets its tokens %s', async (_, more) => {
    const id = 'https://chatgpt.example/oauth/client.json';
    const methods = {
      token_endpoint_auth_method: 'private_key_jwt',
      jwks_uri: 'https://a.example/',
    };
    const document = { client_id: id, redirect_uris: [callback], ...methods };
    stores.documents.set(id, JSON.stringify(document));
    const { code, verifier } = await stores.aCode(account, id);
    const form = { grant_type: 'authorization_code', code, code_verifier: verifier };
    const { refresh_token } = await stores.post({ ...form, ...more(id) });
    expect(
      await stores.post({ grant_type: 'refresh_token', refresh_token, ...more(id) }),
    ).toHaveProperty('access_token');
  });

  test('is not authenticated by a signature only', async () => {
    const secret = await stores.aClient({ token_endpoint_auth_method: 'client_secret_post' });
    for (const claims of [{ sub: secret.client_id }, { sub: 7 }, {}, '[]', '{', '']) {
      const form = { grant_type: 'refresh_token', refresh_token: 'x', ...signed(claims) };
      await expect(stores.post(form)).rejects.toMatchObject({ code: 'invalid_client' });
    }
  });
});

test('one IP address may request tokens 600 times a minute', async () => {
  const caller = { ...aStranger(), address: '198.51.100.9' };
  const posted = { form: new URLSearchParams(), authorization: undefined };
  const ask = () => exchangeToken(stores.deps, caller, posted).catch(({ code }) => code);
  for (let done = 0; done < 600; done += 50) {
    const codes = await Promise.all(Array.from({ length: 50 }, ask));
    expect(new Set(codes)).toEqual(new Set(['invalid_request']));
  }
  expect(await ask()).toBe('RATE_LIMITED');
});
