import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Account } from '../../../core/accounts/account.ts';
import { authenticateAgent, findToken } from '../../../core/oauth/tokens/authenticate-agent.ts';
import {
  deleteConnection,
  listConnections,
} from '../../../core/oauth/authorization/connections.ts';
import { revokeToken } from '../../../core/oauth/tokens/revoke-token.ts';
import { aStranger, type OAuthStores, oauthStores } from '../../fixtures/agents/oauth-stores.ts';

let stores: OAuthStores;
let account: Account;
beforeAll(async () => {
  stores = await oauthStores();
});
beforeEach(async () => {
  account = await stores.anAccount();
});
afterAll(() => stores.close());

const as = (who: Account) => ({ ...aStranger(), account: who });
const list = async (who = account) => (await listConnections(stores.deps, as(who))).connections;
const isGood = async (accessToken: string) =>
  (await findToken(stores.deps, accessToken)) !== undefined;
const revoke = (form: Record<string, string>, authorization?: string) =>
  revokeToken(stores.deps, aStranger(), { form: new URLSearchParams(form), authorization });

describe('connected apps', () => {
  test('are listed newest first, also several of one client', async () => {
    const { client_id: clientId } = await stores.aClient({ client_name: 'Claude' });
    for (let connected = 0; connected < 3; connected += 1) {
      stores.pass(60);
      const { code, verifier } = await stores.aCode(account, clientId);
      const form = { client_id: clientId, code, code_verifier: verifier };
      await stores.post({ grant_type: 'authorization_code', ...form });
    }
    const connections = await list();
    expect(connections).toHaveLength(3);
    expect(connections.map(({ createdAt }) => createdAt)).toEqual(
      connections
        .map(({ createdAt }) => createdAt)
        .toSorted()
        .toReversed(),
    );
    expect(connections[0]).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      clientName: 'Claude',
      redirectHost: 'claude.ai',
      scopes: ['projects:read', 'projects:write', 'account:read'],
      createdAt: stores.deps.now().toISOString(),
      lastUsedAt: null,
    });
  });

  test('are disconnected separately, from the next request on', async () => {
    const [kept, ended] = [await stores.connected(account), await stores.connected(account)];
    const { grantId } = (await findToken(stores.deps, ended.tokens.access_token)) ?? {};
    const input = { connectionId: grantId ?? '' };
    expect(await deleteConnection(stores.deps, as(account), input)).toEqual({ deleted: true });
    expect(await isGood(ended.tokens.access_token)).toBe(false);
    expect(await isGood(kept.tokens.access_token)).toBe(true);
    expect(await list()).toHaveLength(1);
    await expect(deleteConnection(stores.deps, as(account), input)).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
  });

  test('of another account are unknown', async () => {
    const { tokens } = await stores.connected(account);
    const [connection] = await list();
    const stranger = await stores.anAccount();
    expect(await list(stranger)).toEqual([]);
    for (const connectionId of [connection?.id ?? '', randomUUID(), 'x', '']) {
      await expect(
        deleteConnection(stores.deps, as(stranger), { connectionId }),
      ).rejects.toMatchObject({ code: 'NOT_FOUND' });
    }
    expect(await isGood(tokens.access_token)).toBe(true);
  });

  test('are limited to 100: the least recently used one is removed', async () => {
    const [oldest, used] = [await stores.connected(account), await stores.connected(account)];
    stores.pass(10);
    expect(await isGood(used.tokens.access_token)).toBe(true);
    const { grantId } = (await findToken(stores.deps, used.tokens.access_token)) ?? {};
    const row = (await stores.rows()).find(({ id }) => id === grantId) ?? {};
    const copies = Array.from({ length: 98 }, () => {
      const id = randomUUID();
      return stores.put({ ...row, sk: `GRANT#${id}`, id });
    });
    await Promise.all(copies);
    expect(await list()).toHaveLength(100);
    const newest = await stores.connected(account);
    expect(await list()).toHaveLength(100);
    const good = [oldest, used, newest].map(({ tokens }) => isGood(tokens.access_token));
    expect(await Promise.all(good)).toEqual([false, true, true]);
  });
});

describe('an access token', () => {
  test('is valid for an hour', async () => {
    const { tokens } = await stores.connected(account);
    stores.pass(3599);
    expect(await isGood(tokens.access_token)).toBe(true);
    stores.pass(1);
    expect(await isGood(tokens.access_token)).toBe(false);
  });

  test('records its use once an hour', async () => {
    const { clientId, tokens } = await stores.connected(account);
    const lastUse = async () => (await list())[0]?.lastUsedAt;
    const first = stores.deps.now().toISOString();
    await isGood(tokens.access_token);
    expect(await lastUse()).toBe(first);
    stores.pass(3599);
    await isGood(tokens.access_token);
    expect(await lastUse()).toBe(first);
    const next = await stores.refresh(clientId, tokens.refresh_token);
    expect(await lastUse()).toBe(first);
    stores.pass(1);
    await isGood(next.access_token);
    expect(await lastUse()).toBe(stores.deps.now().toISOString());
  });

  test('whose app is disconnected between two reads is refused', async () => {
    const { tokens } = await stores.connected(account);
    const grants = {
      ...stores.deps.grants,
      noteUse: async (...note: Parameters<typeof stores.deps.grants.noteUse>) => {
        await stores.deps.grants.remove(note[0]);
        return stores.deps.grants.noteUse(...note);
      },
    };
    expect(await findToken({ ...stores.deps, grants }, tokens.access_token)).toBeUndefined();
    expect(await list()).toEqual([]);
  });

  test.each([
    '',
    'x',
    `sw_oauth_access_${'0'.repeat(49)}`,
    `sw_oauth_access_${'0'.repeat(100_000)}`,
    'sw_oauth_access_\u0000',
  ])('that is unknown has no owner: %.40s', async (token) => {
    expect(await findToken(stores.deps, token)).toBeUndefined();
  });

  test('is distinguished from an API key, and a refresh token is not accepted', async () => {
    const unused = async () => undefined;
    const keys = { find: unused, noteUse: async () => false };
    const deps = { ...stores.deps, keys };
    const { tokens } = await stores.connected(account);
    const credential = (text?: string) => authenticateAgent(deps, text);
    expect(await credential(`Bearer ${tokens.access_token}`)).toMatchObject({
      kind: 'token',
      who: { account },
    });
    const refused = { kind: 'invalid', reason: expect.any(String) };
    expect(await credential(`Bearer ${tokens.refresh_token}`)).toEqual(refused);
    expect(await credential('Bearer sw_live_x')).toEqual(refused);
    for (const none of [undefined, '', 'Bearer', `Basic ${tokens.access_token}`]) {
      expect(await credential(none)).toEqual({ kind: 'none' });
    }
  });
});

describe('revoking', () => {
  test.each(['access_token', 'refresh_token'] as const)('the %s ends the app', async (kind) => {
    const { clientId, tokens } = await stores.connected(account);
    await revoke({ client_id: clientId, token: tokens[kind], token_type_hint: 'nonsense' });
    expect(await isGood(tokens.access_token)).toBe(false);
    await expect(stores.refresh(clientId, tokens.refresh_token)).rejects.toMatchObject({
      code: 'invalid_grant',
    });
    expect(await list()).toEqual([]);
    await revoke({ client_id: clientId, token: tokens[kind] });
  });

  test('a used refresh token ends its successors', async () => {
    const { clientId, tokens } = await stores.connected(account);
    const next = await stores.refresh(clientId, tokens.refresh_token);
    await revoke({ client_id: clientId, token: tokens.refresh_token });
    expect(await isGood(next.access_token)).toBe(false);
  });

  test("another client's token, or an unknown one, changes and reveals nothing", async () => {
    const { clientId, tokens } = await stores.connected(account);
    const { client_id: other } = await stores.aClient();
    for (const token of [tokens.access_token, tokens.refresh_token]) {
      expect(await revoke({ client_id: other, token })).toBeUndefined();
    }
    for (const token of ['x', `sw_oauth_refresh_${'0'.repeat(49)}`, 'x'.repeat(100_000)]) {
      expect(await revoke({ client_id: clientId, token })).toBeUndefined();
    }
    expect(await isGood(tokens.access_token)).toBe(true);
  });

  test('needs a token and client authentication', async () => {
    const { client_id: clientId } = await stores.aClient({
      token_endpoint_auth_method: 'client_secret_post',
    });
    await expect(revoke({ client_id: clientId, token: 'x' })).rejects.toMatchObject({
      code: 'invalid_client',
    });
    await expect(revoke({ token: 'x' })).rejects.toMatchObject({ code: 'invalid_client' });
    const { client_id: open } = await stores.aClient();
    await expect(revoke({ client_id: open })).rejects.toMatchObject({ code: 'invalid_request' });
  });
});
