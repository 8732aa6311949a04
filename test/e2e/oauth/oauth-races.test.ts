import { beforeAll, describe, expect, jest, test } from '@jest/globals';
import { ask, baseUrl, isLocal } from '../../fixtures/clouds/client.ts';
import { Person } from '../../fixtures/agents/oauth.ts';
import {
  expectOAuthError,
  listTools,
  OAuthApp,
  pkce,
  tokensOf,
} from '../../fixtures/agents/oauth-app.ts';

// Many concurrent requests start many function instances.
jest.setTimeout(600_000);

// The codes of a sign-in are read from the local inbox.
const local = isLocal ? describe : describe.skip;

/** Often enough that both orders happen. */
const rounds = 3;
const times = <T>(count: number, make: (index: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, index) => make(index)));

let person: Person;
let app: OAuthApp;
beforeAll(async () => {
  if (!isLocal) return;
  [person, app] = [new Person(), await new OAuthApp().register()];
});

const connections = async (of: Person) =>
  (await of.request('GET', '/v1/connections')).json.data.connections;
const isAlive = async (token: string) => (await listTools(token)).status === 200;

local('a grant that ends stays ended', () => {
  test.each<[what: string, end: (refreshToken: string, owner: Person) => Promise<unknown>]>([
    ['revoked by the app', (token) => app.revoke(token)],
    [
      'disconnected by its person',
      async (_, owner) => {
        const [{ id }] = await connections(owner);
        return owner.request('DELETE', `/v1/connections/${id}`);
      },
    ],
  ])('%s, whoever refreshes and uses it at the same time', async (_, end) => {
    const owner = new Person();
    for (let round = 0; round < rounds; round += 1) {
      const { access_token: access, refresh_token: refresh } = await app.connect(owner);
      const [refreshed, used] = await Promise.all([
        times(4, () => app.refresh(refresh)),
        times(4, () => listTools(access)),
        end(refresh, owner),
      ]);
      for (const answer of refreshed)
        if (answer.status !== 200) expectOAuthError(answer, 400, 'invalid_grant');
      for (const { status } of used) expect([200, 401]).toContain(status);
      const given = refreshed.filter(({ status }) => status === 200).map(tokensOf);
      for (const token of [access, ...given.map((tokens) => tokens.access_token)])
        expect(await isAlive(token)).toBe(false);
      for (const token of [refresh, ...given.map((tokens) => tokens.refresh_token)])
        expectOAuthError(await app.refresh(token), 400, 'invalid_grant');
      expect(await connections(owner)).toEqual([]);
    }
  });

  test('by a second use of the code, for all of its tokens', async () => {
    for (let round = 0; round < rounds; round += 1) {
      const grant = await app.codeFrom(person);
      const answers = await times(5, () => app.exchange(grant));
      const given = answers.filter(({ status }) => status === 200).map(tokensOf);
      expect(given.length).toBeLessThanOrEqual(1);
      for (const { access_token: token } of given) expect(await isAlive(token)).toBe(false);
    }
  });
});

local('what happens at once', () => {
  test('creates a separate grant for every click on Allow', async () => {
    const owner = new Person();
    await owner.reachConsent(app.authorizeUrl(pkce().challenge));
    const grants = await times(6, () => app.codeFrom(owner));
    const tokens = (await Promise.all(grants.map((grant) => app.exchange(grant)))).map(tokensOf);
    expect(new Set(tokens.map(({ access_token: token }) => token)).size).toBe(6);
    expect(await connections(owner)).toHaveLength(6);
    const [first, ...others] = tokens;
    await app.revoke(first?.refresh_token ?? '');
    expect(await isAlive(first?.access_token ?? '')).toBe(false);
    const alive = await Promise.all(others.map(({ access_token: token }) => isAlive(token)));
    expect(alive).toEqual(others.map(() => true));
  });

  test('keeps a chain of parallel refreshes working', async () => {
    let { refresh_token: shared } = await app.connect(person);
    for (let round = 0; round < rounds; round += 1) {
      const next = (await times(4, () => app.refresh(shared))).map(tokensOf);
      expect(new Set(next.map(({ refresh_token: token }) => token)).size).toBe(1);
      expect(await isAlive(next[0]?.access_token ?? '')).toBe(true);
      shared = next[0]?.refresh_token ?? '';
    }
  });
});

local('an access token', () => {
  const mcp = `${baseUrl}/mcp`;

  test('is read only from the header, with any case of its scheme', async () => {
    const { access_token: token } = await app.connect(person);
    const call = (url: string, authorization?: string) =>
      ask(url, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          ...(authorization === undefined ? {} : { authorization }),
        },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
      });
    for (const scheme of ['Bearer', 'bearer', 'BEARER'])
      expect((await call(mcp, `${scheme} ${token}`)).status).toBe(200);
    for (const scheme of ['Basic', 'Token', ''])
      expect((await call(mcp, `${scheme} ${token}`)).status).toBe(401);
    expect((await call(`${mcp}?access_token=${token}`)).status).toBe(401);
  });
});
