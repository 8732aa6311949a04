import { setImmediate } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  documentUrl,
  findClient,
  readClientDocument,
  storedClient,
} from '../../../core/oauth/clients/find-client.ts';
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

const find = (id: string, caller = aStranger()) => findClient(stores.deps, caller, id);
const aDocument = (id: string, more: object = {}) =>
  JSON.stringify({ client_id: id, client_name: 'Harbour', redirect_uris: [callback], ...more });

describe('an id is a document URL', () => {
  test.each([
    'https://claude.ai/oauth/mcp-oauth-client-metadata',
    'https://vscode.dev/oauth/client-metadata.json',
    'https://chatgpt.com/oauth/kDmjx77UnKOM/client.json',
    'https://example.org/client?version=2',
    'https://xn--bcher-kva.example/client/',
  ])('%s', (id) => {
    expect(documentUrl(id)?.href).toBe(id);
  });

  test.each([
    'http://example.org/client.json',
    'https://example.org',
    'https://example.org/',
    'https://example.org:8443/client.json',
    'https://example.org:443/client.json',
    'https://user@example.org/client.json',
    'https://user:secret@example.org/client.json',
    'https://@example.org/client.json',
    'https://example.org/client.json#me',
    'https://example.org/client.json#',
    'https://example.org/a/../client.json',
    'https://example.org/./client.json',
    'https://example.org/%2e%2e/client.json',
    'https://EXAMPLE.org/client.json',
    'https://bücher.example/client.json',
    'https://example.org/a b',
    'https://example.org\\client.json',
    'https://localhost/client.json',
    'https://intranet/client.json',
    'https://127.0.0.1/client.json',
    'https://169.254.169.254/latest/meta-data',
    'https://2130706433/client.json',
    'https://[::1]/client.json',
    'https://example.org./client.json',
    `https://example.org/${'a'.repeat(1024)}`,
    'ftp://example.org/client.json',
    '0b7e4c1a-5f60-4c39-9d0e-2f1a6f0c9a11',
  ])('but %s is not', (id) => {
    expect(documentUrl(id)).toBeUndefined();
  });
});

describe('a document', () => {
  const id = 'https://example.org/client.json';

  test.each<[string, object, string?]>([
    ['of a public client', { token_endpoint_auth_method: 'none' }],
    ['that names no method', {}],
    ['without a name', { client_name: undefined }, 'Unnamed app'],
    [
      'of ChatGPT, which would sign as well',
      {
        token_endpoint_auth_method: 'private_key_jwt',
        token_endpoint_auth_methods_supported: ['none', 'private_key_jwt'],
        jwks_uri: 'https://chatgpt.com/oauth/jwks.json',
      },
    ],
    [
      'that prefers what is not here and names none besides',
      {
        token_endpoint_auth_method: 'tls_client_auth',
        token_endpoint_auth_methods_supported: ['none'],
      },
    ],
    ['with fields that nobody knows', { logo_uri: 7, contacts: {} }],
  ])('%s is accepted', (_, more, name = 'Harbour') => {
    expect(readClientDocument(id, aDocument(id, more))).toEqual({
      name,
      redirectUris: [callback],
    });
  });

  test.each([
    ['that is no JSON', '<html>', 'not JSON'],
    ['that is no object', '[]', 'content cannot be used'],
    ['of another client', aDocument('https://example.org/other.json'), 'not its own address'],
    ['without its id', JSON.stringify({ redirect_uris: [callback] }), 'client_id'],
    ['with a slash more in its id', aDocument(`${id}/`), 'not its own address'],
    ['with a secret', aDocument(id, { client_secret: 'x' }), 'client_secret'],
    [
      'of a client with a secret',
      aDocument(id, { token_endpoint_auth_method: 'client_secret_basic' }),
      'not none',
    ],
    ['without redirect URIs', aDocument(id, { redirect_uris: [] }), 'at least one'],
    [
      'with a redirect URI that is refused',
      aDocument(id, { redirect_uris: ['http://example.org/'] }),
      'redirect_uris[0]',
    ],
  ])('%s is refused', (_, text, reason) => {
    expect(() => readClientDocument(id, text)).toThrow(reason);
  });
});

describe('a client’s document', () => {
  test('is read once an hour, and its host is stored', async () => {
    const id = 'https://once.example/client.json';
    stores.documents.set(id, aDocument(id));
    const expected = { id, host: 'once.example', name: 'Harbour', redirectUris: [callback] };
    expect(await find(id)).toEqual(expected);
    stores.pass(3599);
    expect(await find(id)).toEqual(expected);
    expect(stores.fetched.filter((one) => one === id)).toHaveLength(1);
    stores.pass(1);
    stores.documents.set(id, aDocument(id, { client_name: 'Renamed' }));
    expect(await find(id)).toMatchObject({ name: 'Renamed' });
    expect(stores.fetched.filter((one) => one === id)).toHaveLength(2);
  });

  test('is fetched for one address three times at once: a slow host keeps a function busy', async () => {
    const caller = aStranger();
    const waiting: (() => void)[] = [];
    const answered = (url: URL) =>
      new Promise<string>((resolve) => waiting.push(() => resolve(aDocument(url.href))));
    const deps = { ...stores.deps, documents: { fetch: answered } };
    const slow = (name: string) => findClient(deps, caller, `https://slow.example/${name}`);
    const running = ['1', '2', '3'].map(slow);
    while (waiting.length < 3) await setImmediate();
    await expect(slow('4')).rejects.toMatchObject({ code: 'RATE_LIMITED' });
    for (const answer of waiting) answer();
    expect(await Promise.all(running)).toMatchObject(
      ['1', '2', '3'].map(() => ({ name: 'Harbour' })),
    );
    const later = slow('5');
    while (waiting.length < 4) await setImmediate();
    waiting[3]?.();
    expect(await later).toMatchObject({ name: 'Harbour' });
  });

  test('that cannot be read is requested again after a minute, with the reason', async () => {
    const id = 'https://down.example/client.json';
    const reason = expect.stringContaining('its host could not be reached');
    expect(await find(id)).toEqual({ problem: reason });
    stores.documents.set(id, aDocument(id));
    stores.pass(59);
    expect(await find(id)).toEqual({ problem: reason });
    stores.pass(1);
    expect(await find(id)).toMatchObject({ name: 'Harbour' });
    expect(await find(id)).toMatchObject({ name: 'Harbour' });
  });

  test('that became unreadable allows no new connections, and keeps existing ones', async () => {
    const id = 'https://gone.example/client.json';
    stores.documents.set(id, aDocument(id));
    await find(id);
    stores.documents.set(id, aDocument(id, { client_secret: 'x' }));
    stores.pass(3600);
    expect(await find(id)).toHaveProperty('problem');
    expect(await storedClient(stores.deps, id)).toMatchObject({ metadata: { name: 'Harbour' } });
  });

  test('is removed after a day unless it has connections', async () => {
    const [unused, used] = ['https://a.example/unused', 'https://a.example/used'] as const;
    for (const id of [unused, used]) {
      stores.documents.set(id, aDocument(id));
      await find(id);
    }
    const { code, verifier } = await stores.aCode(await stores.anAccount(), used);
    const form = { client_id: used, code, code_verifier: verifier };
    await stores.post({ grant_type: 'authorization_code', ...form });
    stores.pass(86_400);
    expect(await storedClient(stores.deps, unused)).toBeUndefined();
    expect(await storedClient(stores.deps, used)).toBeDefined();
    await find(used);
    stores.pass(89 * 86_400 - 1);
    expect(await storedClient(stores.deps, used)).toBeDefined();
    stores.pass(1);
    expect(await storedClient(stores.deps, used)).toBeUndefined();
  });

  test('is read at most 60 times an hour for one IP address, over all documents', async () => {
    const caller = { ...aStranger(), address: '203.0.113.9' };
    for (let index = 0; index < 60; index += 1) {
      await find(`https://many.example/${index}`, caller);
    }
    await expect(find('https://many.example/more', caller)).rejects.toMatchObject({
      code: 'RATE_LIMITED',
    });
    expect(stores.fetched).not.toContain('https://many.example/more');
    expect(await find('https://many.example/0', caller)).toHaveProperty('problem');
  });
});

test.each(['', 'nobody', '0b7e4c1a-5f60-4c39-9d0e-2f1a6f0c9a11', '\u0000', 'a'.repeat(5000)])(
  'the id %j is unknown',
  async (id) => {
    expect(await find(id)).toEqual({ problem: expect.stringContaining('not registered here') });
  },
);

test('every client has a TTL', async () => {
  await stores.aClient();
  for (const row of await stores.rows()) expect(row).toMatchObject({ ttl: expect.any(Number) });
});
