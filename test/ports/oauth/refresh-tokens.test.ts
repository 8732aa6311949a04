import { createHash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Account } from '../../../core/accounts/account.ts';
import {
  deleteConnection,
  listConnections,
} from '../../../core/oauth/authorization/connections.ts';
import { exchangeToken } from '../../../core/oauth/tokens/exchange-token.ts';
import { findToken } from '../../../core/oauth/tokens/authenticate-agent.ts';
import { openSuccessor } from '../../../core/oauth/tokens/refresh-tokens.ts';
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

const isGood = async (accessToken: string) =>
  (await findToken(stores.deps, accessToken)) !== undefined;
const caller = () => ({ ...aStranger(), account });
const invalidGrant = expect.objectContaining({ name: 'OAuthError', code: 'invalid_grant' });

test('a refresh token gives new tokens, and the earlier access token stays valid until its hour ends', async () => {
  const { clientId, tokens } = await stores.connected(account);
  stores.pass(3599);
  const next = await stores.refresh(clientId, tokens.refresh_token);
  expect(next).toEqual({
    access_token: expect.stringMatching(/^sw_oauth_access_/),
    token_type: 'Bearer',
    expires_in: 3600,
    refresh_token: expect.stringMatching(/^sw_oauth_refresh_/),
    scope: tokens.scope,
  });
  expect(next.access_token).not.toBe(tokens.access_token);
  expect(await isGood(tokens.access_token)).toBe(true);
  stores.pass(1);
  expect([await isGood(tokens.access_token), await isGood(next.access_token)]).toEqual([
    false,
    true,
  ]);
});

test('an app ends after 60 days without a refresh, and each refresh adds 60 days', async () => {
  const { clientId, tokens } = await stores.connected(account);
  stores.pass(60 * 86_400 - 1);
  const next = await stores.refresh(clientId, tokens.refresh_token);
  stores.pass(60 * 86_400 - 1);
  const last = await stores.refresh(clientId, next.refresh_token);
  expect((await listConnections(stores.deps, caller())).connections).toHaveLength(1);
  stores.pass(60 * 86_400);
  await expect(stores.refresh(clientId, last.refresh_token)).rejects.toEqual(invalidGrant);
  expect((await listConnections(stores.deps, caller())).connections).toEqual([]);
});

test('an account has 600 refreshes in an hour, and each app 100 of them, whatever address they come from; the same again counts as none', async () => {
  const { clientId, tokens } = await stores.connected(account);
  const other = await stores.connected(account);
  const { deps } = stores;
  await deps.counters.count(`token-refreshes#${account.id}`, 3600, deps.now(), 599);
  const last = await stores.refresh(clientId, tokens.refresh_token);
  expect(await stores.refresh(clientId, tokens.refresh_token)).toEqual(last);
  const limited = expect.objectContaining({ code: 'RATE_LIMITED' });
  await expect(stores.refresh(clientId, last.refresh_token)).rejects.toEqual(limited);
  stores.pass(3600);
  let { refresh_token: token } = last;
  for (let count = 0; count < 100; count += 1)
    ({ refresh_token: token } = await stores.refresh(clientId, token));
  await expect(stores.refresh(clientId, token)).rejects.toEqual(limited);
  await stores.refresh(other.clientId, other.tokens.refresh_token);
});

describe('the same refresh token again', () => {
  test('within two minutes gets the same successors, with their remaining lifetime', async () => {
    const { clientId, tokens } = await stores.connected(account);
    const first = await stores.refresh(clientId, tokens.refresh_token);
    stores.pass(119);
    const again = await stores.refresh(clientId, tokens.refresh_token);
    expect(again).toEqual({ ...first, expires_in: 3481 });
    expect(await isGood(first.access_token)).toBe(true);
  });

  test('gets them even if the first of them was refreshed meanwhile', async () => {
    const { clientId, tokens } = await stores.connected(account);
    const first = await stores.refresh(clientId, tokens.refresh_token);
    const second = await stores.refresh(clientId, first.refresh_token);
    expect(await stores.refresh(clientId, tokens.refresh_token)).toEqual(first);
    expect(await stores.refresh(clientId, first.refresh_token)).toEqual(second);
  });

  test('after two minutes ends the grant', async () => {
    const { clientId, tokens } = await stores.connected(account);
    const next = await stores.refresh(clientId, tokens.refresh_token);
    stores.pass(120);
    await expect(stores.refresh(clientId, tokens.refresh_token)).rejects.toEqual(invalidGrant);
    expect(await isGood(tokens.access_token)).toBe(false);
    expect(await isGood(next.access_token)).toBe(false);
    await expect(stores.refresh(clientId, next.refresh_token)).rejects.toEqual(invalidGrant);
    expect((await listConnections(stores.deps, caller())).connections).toEqual([]);
  });

  test('ends nothing if another client sends it', async () => {
    const { clientId, tokens } = await stores.connected(account);
    const other = await stores.aClient();
    const next = await stores.refresh(clientId, tokens.refresh_token);
    stores.pass(3000);
    for (const token of [tokens.refresh_token, next.refresh_token]) {
      await expect(stores.refresh(other.client_id, token)).rejects.toEqual(invalidGrant);
    }
    expect(await isGood(next.access_token)).toBe(true);
    expect(await stores.refresh(clientId, next.refresh_token)).toHaveProperty('access_token');
  });

  test('ten times concurrently gets equal responses', async () => {
    const { clientId, tokens } = await stores.connected(account);
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => stores.refresh(clientId, tokens.refresh_token)),
    );
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    const [answer = tokens] = answers;
    expect(await isGood(answer.access_token)).toBe(true);
    expect(await stores.refresh(clientId, answer.refresh_token)).toHaveProperty('access_token');
  });

  test('gets nothing after the app was disconnected', async () => {
    const { clientId, tokens } = await stores.connected(account);
    await stores.refresh(clientId, tokens.refresh_token);
    const [connection] = (await listConnections(stores.deps, caller())).connections;
    await deleteConnection(stores.deps, caller(), { connectionId: connection?.id ?? '' });
    await expect(stores.refresh(clientId, tokens.refresh_token)).rejects.toEqual(invalidGrant);
  });
});

test('an app that is disconnected between two steps of a refresh stays disconnected', async () => {
  const { clientId, tokens } = await stores.connected(account);
  const deps = {
    ...stores.deps,
    tokens: {
      ...stores.deps.tokens,
      async rotate(...rotation: Parameters<typeof stores.deps.tokens.rotate>) {
        const [connection] = (await listConnections(stores.deps, caller())).connections;
        await deleteConnection(stores.deps, caller(), { connectionId: connection?.id ?? '' });
        return stores.deps.tokens.rotate(...rotation);
      },
    },
  };
  const form = new URLSearchParams({
    grant_type: 'refresh_token',
    client_id: clientId,
    refresh_token: tokens.refresh_token,
  });
  const refreshed = exchangeToken(deps, aStranger(), { form, authorization: undefined });
  await expect(refreshed).rejects.toEqual(invalidGrant);
  expect(
    (await stores.rows()).filter(({ accountId }) => accountId === account.id),
  ).not.toContainEqual(expect.objectContaining({ sk: expect.stringMatching(/^GRANT#/) }));
});

test('of a concurrent refresh and disconnection, the disconnection wins', async () => {
  for (let round = 0; round < 5; round += 1) {
    const { clientId, tokens } = await stores.connected(account);
    const [connection] = (await listConnections(stores.deps, caller())).connections;
    const [refreshed] = await Promise.allSettled([
      stores.refresh(clientId, tokens.refresh_token),
      deleteConnection(stores.deps, caller(), { connectionId: connection?.id ?? '' }),
    ]);
    if (refreshed.status === 'rejected') expect(refreshed.reason).toEqual(invalidGrant);
    else expect(await isGood(refreshed.value.access_token)).toBe(false);
    expect((await listConnections(stores.deps, caller())).connections).toEqual([]);
  }
});

describe('scopes at a refresh', () => {
  test('may be fewer, for this access token only', async () => {
    const { clientId, tokens } = await stores.connected(account);
    const narrow = await stores.refresh(clientId, tokens.refresh_token, {
      scope: 'projects:read x',
    });
    expect(narrow.scope).toBe('projects:read');
    expect((await findToken(stores.deps, narrow.access_token))?.scopes).toEqual(['projects:read']);
    expect((await stores.refresh(clientId, narrow.refresh_token)).scope).toBe(tokens.scope);
  });

  test.each([['x'], ['']])('%j are those of the grant', async (scope) => {
    const { clientId, tokens } = await stores.connected(account, { scope: 'account:read' });
    const next = await stores.refresh(clientId, tokens.refresh_token, { scope });
    expect(next.scope).toBe('account:read');
  });

  test('cannot be more, and the refresh token still works', async () => {
    const { clientId, tokens } = await stores.connected(account, { scope: 'projects:read' });
    const more = { scope: 'projects:read projects:write' };
    await expect(stores.refresh(clientId, tokens.refresh_token, more)).rejects.toMatchObject({
      code: 'invalid_scope',
    });
    expect(await stores.refresh(clientId, tokens.refresh_token)).toHaveProperty('access_token');
  });
});

describe('an error is', () => {
  test.each([
    ['invalid_request', 'no token', { refresh_token: '' }],
    ['invalid_grant', 'a text that is no token', { refresh_token: 'token' }],
    ['invalid_grant', 'a token of nobody', { refresh_token: `sw_oauth_refresh_${'0'.repeat(49)}` }],
    ['invalid_target', 'a foreign resource', { resource: 'https://evil.example' }],
    ['invalid_client', 'an unknown client', { client_id: '0b7e4c1a-5f60-4c39-9d0e-2f1a6f0c9a11' }],
  ])('%s for %s', async (code, _, changes) => {
    const { clientId, tokens } = await stores.connected(account);
    const refused = stores.refresh(clientId, tokens.refresh_token, changes);
    await expect(refused).rejects.toMatchObject({ name: 'OAuthError', code });
    expect(await stores.refresh(clientId, tokens.refresh_token)).toHaveProperty('access_token');
  });

  test('an access token instead of a refresh token', async () => {
    const { clientId, tokens } = await stores.connected(account);
    await expect(stores.refresh(clientId, tokens.access_token)).rejects.toEqual(invalidGrant);
  });
});

describe('the table', () => {
  test('contains no token and no code', async () => {
    const { clientId, tokens } = await stores.connected(account);
    const next = await stores.refresh(clientId, tokens.refresh_token);
    const rows = await stores.rows();
    const all = rows
      .map((row) => Object.values(row).map((value) => Buffer.from(`${value}`).toString('latin1')))
      .join();
    for (const { access_token, refresh_token } of [tokens, next]) {
      expect(all).not.toContain(access_token);
      expect(all).not.toContain(refresh_token);
    }
    const hash = createHash('sha256').update(tokens.refresh_token).digest('hex');
    const { sealed = new Uint8Array() } = (await stores.deps.tokens.findRefresh(hash)) ?? {};
    expect(Buffer.from(sealed).toString('latin1')).not.toContain('sw_oauth');
    const { pair } = openSuccessor(tokens.refresh_token, hash, sealed);
    expect(pair.refreshToken).toBe(next.refresh_token);
    expect(() => openSuccessor(next.refresh_token, hash, sealed)).toThrow();
    expect(() => openSuccessor(tokens.refresh_token, 'another row', sealed)).toThrow();
  });

  test('has a TTL on every row', async () => {
    const { clientId, tokens } = await stores.connected(account);
    await stores.refresh(clientId, tokens.refresh_token);
    const rows = await stores.rows();
    expect(new Set(rows.map(({ sk }) => String(sk).split('#')[0]))).toEqual(
      new Set(['CLIENT', 'CODE', 'GRANT', 'ACCESS', 'REFRESH']),
    );
    for (const { ttl, expiresAt, sk } of rows) {
      const ends = Date.parse(expiresAt) / 1000;
      expect(ttl).toBe(sk === 'CODE' ? ends + 86_400 : Math.floor(ends));
    }
  });
});
