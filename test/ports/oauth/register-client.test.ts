import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createHash } from 'node:crypto';
import { clientName } from '../../../core/oauth/clients/client.ts';
import { registerClient } from '../../../core/oauth/clients/register-client.ts';
import { storedClient } from '../../../core/oauth/clients/find-client.ts';
import {
  aStranger,
  callback,
  type OAuthStores,
  oauthStores,
} from '../../fixtures/agents/oauth-stores.ts';

let stores: OAuthStores;
beforeAll(async () => {
  stores = await oauthStores();
});
afterAll(() => stores.close());

const register = (metadata: unknown) => registerClient(stores.deps, aStranger(), metadata);

test('a public client gets an id and its metadata, and no secret', async () => {
  const answer = await register({
    client_name: 'Claude',
    redirect_uris: [callback],
    token_endpoint_auth_method: 'none',
  });
  expect(answer).toEqual({
    client_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    client_id_issued_at: Date.parse('2026-03-01T12:00:00.000Z') / 1000,
    client_name: 'Claude',
    redirect_uris: [callback],
    token_endpoint_auth_method: 'none',
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    scope: 'projects:read projects:write account:read',
  });
});

test.each(['client_secret_post', 'client_secret_basic'])(
  'a client of %s gets a secret that is stored as a hash',
  async (method) => {
    const answer = await register({
      redirect_uris: [callback],
      token_endpoint_auth_method: method,
    });
    const secret = String(answer['client_secret']);
    expect(secret).toMatch(/^sw_oauth_client_[0-9A-Za-z]{49}$/);
    expect(answer).toMatchObject({
      client_secret_expires_at: 0,
      token_endpoint_auth_method: method,
    });
    const rows = JSON.stringify(await stores.rows());
    expect(rows).not.toContain(secret);
    expect(rows).toContain(createHash('sha256').update(secret).digest('hex'));
  },
);

test.each([[undefined], [null]])('a client with the method %p is public', async (method) => {
  const answer = await register({ redirect_uris: [callback], token_endpoint_auth_method: method });
  expect(answer).toMatchObject({ token_endpoint_auth_method: 'none' });
  expect(answer).not.toHaveProperty('client_secret');
});

test('unknown metadata is ignored', async () => {
  const answer = await register({
    redirect_uris: [callback],
    grant_types: ['client_credentials', 7],
    response_types: 'token',
    scope: 'openid offline_access everything',
    contacts: { not: 'a list' },
    jwks: null,
    application_type: 'native',
    software_statement: 'e30.e30.',
    client_name: ['not', 'a', 'text'],
  });
  expect(answer).toMatchObject({
    client_name: 'Unnamed app',
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
  });
});

describe('refused as invalid_client_metadata is', () => {
  test.each([
    ['a list', []],
    ['nothing', undefined],
    ['null', null],
    ['a text', 'redirect_uris'],
    [
      'a method of another kind',
      { redirect_uris: [callback], token_endpoint_auth_method: 'private_key_jwt' },
    ],
    ['a number as the method', { redirect_uris: [callback], token_endpoint_auth_method: 7 }],
  ])('%s', async (_, metadata) => {
    await expect(register(metadata)).rejects.toMatchObject({ code: 'invalid_client_metadata' });
  });
});

test('a name is stored as one line of at most 100 visible characters', () => {
  expect(clientName('  Ship\tyard \u2028 Bot\r\n ')).toBe('Ship yard Bot');
  expect(clientName('Claude\u202Egpj.exe\u200B\u2066\uFEFF\u0000')).toBe('Claudegpj.exe');
  expect(clientName('<b>Grüße</b> 港 👋')).toBe('<b>Grüße</b> 港 👋');
  // Marks that pile up would cover the lines above and below.
  expect(clientName(`C${'\u0335\u0310\u0311'.repeat(33)}laude`)).toMatch(/^C\p{M}{4}laude$/u);
  expect(clientName('สวัสดี שָׁלוֹם Tiếng Việt')).toBe('สวัสดี שָׁלוֹם Tiếng Việt'.normalize('NFC'));
  expect(clientName('👋'.repeat(150))).toBe('👋'.repeat(100));
  expect(clientName('a'.repeat(1_000_000))).toHaveLength(100);
  for (const sent of ['', '  ', '\u200B\u202E', '\u3164\u115F', '\u2800', undefined, null, 7, {}]) {
    expect(clientName(sent)).toBe('Unnamed app');
  }
});

describe('registrations of one IP address in an hour', () => {
  /** Counts in memory, because a thousand writes would prove nothing about the limits. */
  function aRegistrar(address = '198.51.100.6') {
    const counts = new Map<string, number>();
    const count = async (key: string) => {
      counts.set(key, (counts.get(key) ?? 0) + 1);
      return counts.get(key) ?? 0;
    };
    const clients = { ...stores.deps.clients, register: async () => undefined };
    const deps = { ...stores.deps, clients, counters: { ...stores.deps.counters, count } };
    return async (uri: string, times = 1, from = address) => {
      const metadata = { redirect_uris: [uri], client_name: 'An app' };
      for (let done = 0; done < times; done += 1) {
        await registerClient(deps, { ...aStranger(), address: from }, metadata);
      }
    };
  }

  test('a hosted app may register 600 clients; it blocks no app of another host', async () => {
    const register = aRegistrar();
    await register('https://claude.ai/api/mcp/auth_callback', 600);
    await expect(register('https://claude.ai/api/mcp/auth_callback')).rejects.toMatchObject({
      code: 'RATE_LIMITED',
    });
    await register('https://chatgpt.com/connector/oauth/x', 10);
    await register('http://127.0.0.1/', 10);
    await register('https://claude.ai/api/mcp/auth_callback', 1, '198.51.100.7');
  });

  test('apps on people’s computers may register 120, whatever they call themselves', async () => {
    const register = aRegistrar();
    await register('http://127.0.0.1/', 60);
    await register('cursor://anysphere.cursor-retrieval/oauth/callback', 60);
    await expect(register('http://localhost:3000/')).rejects.toMatchObject({
      code: 'RATE_LIMITED',
    });
    await register('https://claude.ai/api/mcp/auth_callback');
  });

  test('hosts that nobody has seen use up 1,200 places together', async () => {
    const register = aRegistrar();
    for (let host = 0; host < 1200; host += 1) await register(`https://app${host}.example/back`);
    await expect(register('https://another.example/back')).rejects.toMatchObject({
      code: 'RATE_LIMITED',
    });
  });
});

test('a registration ends after 7 days without a connection, even if its row still exists', async () => {
  const { client_id: id } = await stores.aClient();
  const exists = async () => (await storedClient(stores.deps, id)) !== undefined;
  stores.pass(7 * 86_400 - 1);
  expect(await exists()).toBe(true);
  stores.pass(1);
  expect(await exists()).toBe(false);
});

test('a registration that was connected ends 90 days after its last use', async () => {
  const { client_id: id } = await stores.aClient();
  const exists = async () => (await storedClient(stores.deps, id)) !== undefined;
  stores.pass(7 * 86_400 - 1);
  expect(await exists()).toBe(true);
  const account = await stores.anAccount();
  const { code, verifier } = await stores.aCode(account, id);
  await stores.post({
    grant_type: 'authorization_code',
    client_id: id,
    code,
    code_verifier: verifier,
  });
  stores.pass(90 * 86_400 - 1);
  expect(await exists()).toBe(true);
  stores.pass(1);
  expect(await exists()).toBe(false);
});
