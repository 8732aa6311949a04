import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { get, sendWith, signIn } from '../../fixtures/accounts/accounts.ts';
import { Browser } from '../../fixtures/visits/browser.ts';
import { type Answer, ask, baseUrl, isLocal } from '../../fixtures/clouds/client.ts';
import { called, postMcp, rpc } from '../../fixtures/agents/mcp.ts';
import { create, created } from '../../fixtures/projects/projects.ts';
import { expectRefusal } from '../../fixtures/clouds/refusals.ts';

// The codes are read from the local inbox.
const local = isLocal ? describe : describe.skip;

const aBrowser = () => new Browser().signIn();
const make = (browser: Browser, name: unknown = 'CI') => browser.send('POST', '/v1/keys', { name });
const made = async (browser: Browser, name?: string) => (await make(browser, name)).json.data;
const list = async (browser: Browser) => (await browser.send('GET', '/v1/keys')).json.data.keys;
const drop = (browser: Browser, id: string) => browser.send('DELETE', `/v1/keys/${id}`);
const codes = (answers: Answer[]) =>
  answers.map(({ json }): string => json.code ?? 'OK').toSorted();

local('POST /v1/keys', () => {
  test('creates a key that works and never expires, and shows it once', async () => {
    const browser = await aBrowser();
    const answer = await make(browser, '  Build server ');
    expect(answer.status).toBe(201);
    expect(answer.json).toEqual({
      status: 'success',
      data: {
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        name: 'Build server',
        permissions: ['projects:read', 'projects:write', 'account:read'],
        projectIds: null,
        key: expect.stringMatching(/^sw_live_[0-9A-Za-z]{49}$/),
        createdAt: expect.any(String),
        expiresAt: null,
      },
    });
    const { id, key, createdAt } = answer.json.data;
    const listed = await browser.send('GET', '/v1/keys');
    expect(listed.text).not.toContain(key);
    expect(listed.json.data.keys).toEqual([
      {
        id,
        name: 'Build server',
        permissions: ['projects:read', 'projects:write', 'account:read'],
        projectIds: null,
        kind: 'dashboard',
        prefix: `${key.slice(0, 12)}…`,
        createdAt,
        lastUsedAt: null,
        expiresAt: null,
      },
    ]);
    expect((await get('/v1/auth/session', key)).json.data).toEqual({
      email: browser.email,
      plan: 'pro',
      apiKey: { expiresAt: '9999-12-31T23:59:59.000Z', renewsWhileInUse: false },
    });
    expect((await created(key)).url).toMatch(/^http/);
    const [used] = await list(browser);
    expect(Math.abs(Date.parse(used.lastUsedAt) - Date.now())).toBeLessThan(10_000);
  });

  test('with an end works until then, is named so in the list, and is refused with its own reason', async () => {
    const browser = await aBrowser();
    const end = new Date(Date.now() + 4000);
    const expiresAt = end.toISOString();
    const answer = await browser.send('POST', '/v1/keys', { name: 'Week', expiresAt });
    expect(answer.json.data).toMatchObject({ expiresAt });
    const { key } = answer.json.data;
    expect((await get('/v1/auth/session', key)).json.data.apiKey).toEqual({
      expiresAt,
      renewsWhileInUse: false,
    });
    await new Promise((resolve) => setTimeout(resolve, end.getTime() - Date.now() + 50));
    const refused = await get('/v1/projects', key);
    expectRefusal(refused, 401, 'API_KEY_EXPIRED');
    expect(refused.json.error).toContain(expiresAt);
    // It counts until its owner deletes it, so the list still has it.
    expect(await list(browser)).toMatchObject([{ name: 'Week', expiresAt }]);
    expect((await drop(browser, answer.json.data.id)).status).toBe(200);
    expect(await list(browser)).toEqual([]);
  });

  test.each([
    ['in the past', '2020-01-01T00:00:00Z'],
    ['more than ten years away', '2099-01-01T00:00:00Z'],
    ['without an offset', '2027-01-01T00:00:00'],
    ['of another kind', '30d'],
  ])('an end %s is 400, and makes no key', async (_, expiresAt) => {
    const browser = await aBrowser();
    const answer = await browser.send('POST', '/v1/keys', { name: 'CI', expiresAt });
    expectRefusal(answer, 400, 'INVALID_REQUEST');
    expect(answer.json.details[0].path).toBe('expiresAt');
    expect(await list(browser)).toEqual([]);
  });

  test('allows exactly fifty keys, also for concurrent requests; a deleted key makes room', async () => {
    const browser = await aBrowser();
    await signIn(browser.email);
    const answers = await Promise.all(Array.from({ length: 60 }, () => make(browser)));
    expect(codes(answers)).toEqual([
      ...Array(10).fill('KEY_LIMIT_REACHED'),
      ...Array(50).fill('OK'),
    ]);
    const full = await make(browser);
    expectRefusal(full, 403, 'KEY_LIMIT_REACHED');
    const keys = await list(browser);
    expect(keys).toHaveLength(51);
    const { id } = keys.find(({ kind }: any) => kind === 'dashboard');
    const drops = await Promise.all([drop(browser, id), drop(browser, id), drop(browser, id)]);
    expect(codes(drops)).toEqual(['NOT_FOUND', 'NOT_FOUND', 'OK']);
    const again = await Promise.all([make(browser), make(browser), make(browser)]);
    expect(codes(again)).toEqual(['KEY_LIMIT_REACHED', 'KEY_LIMIT_REACHED', 'OK']);
    await signIn(browser.email);
    expect(await list(browser)).toHaveLength(52);
  });
});

local('GET /v1/keys', () => {
  test('lists keys of both kinds, newest first, and no keys of other accounts', async () => {
    const browser = await aBrowser();
    await signIn(browser.email);
    await made(browser, 'second');
    await made(browser, 'third');
    await made(await aBrowser(), 'foreign');
    const keys = await list(browser);
    expect(keys.map(({ name, kind }: any) => [name, kind])).toEqual([
      ['third', 'dashboard'],
      ['second', 'dashboard'],
      ['Sign-in', 'sign-in'],
    ]);
    const life = Date.parse(keys[2].expiresAt) - Date.now();
    expect(Math.abs(life - 90 * 86_400_000)).toBeLessThan(10_000);
    expect(keys[2].lastUsedAt).toBe(keys[2].createdAt);
    expect(keys[2].prefix).toMatch(/^sw_live_[0-9A-Za-z]{4}…$/);
  });
});

local('DELETE /v1/keys/{keyId}', () => {
  test('refuses a deleted key of either kind from the next request on', async () => {
    const browser = await aBrowser();
    const signedIn = await signIn(browser.email);
    const { key } = await made(browser);
    for (const held of [key, signedIn]) {
      expect((await get('/v1/user', held)).status).toBe(200);
      const [{ id }] = await list(browser);
      const answer = await drop(browser, id);
      expect(answer.status).toBe(200);
      expect(answer.json).toEqual({ status: 'success', data: { deleted: true } });
      expectRefusal(await get('/v1/user', held), 401, 'API_KEY_INVALID');
      expectRefusal(await drop(browser, id), 404, 'NOT_FOUND');
    }
    expect(await list(browser)).toEqual([]);
    expect((await browser.send('GET', '/v1/session')).status).toBe(200);
  });

  test('answers 404 for a foreign, an unknown and a malformed id, and the key still works', async () => {
    const browser = await aBrowser();
    const { id, key } = await made(await aBrowser());
    for (const unknown of [id, randomUUID(), 'x', '%00', id.toUpperCase()]) {
      expectRefusal(await drop(browser, unknown), 404, 'NOT_FOUND');
    }
    expect((await get('/v1/user', key)).status).toBe(200);
  });
});

local('keys are managed in a browser only', () => {
  let apiKey = '';
  let browser: Browser;
  beforeAll(async () => {
    apiKey = await signIn();
    browser = await aBrowser();
  });
  const writes: [string, string, unknown][] = [
    ['POST', '/v1/keys', { name: 'Mine' }],
    ['DELETE', `/v1/keys/${randomUUID()}`, undefined],
  ];
  const operations: [string, string, unknown][] = [['GET', '/v1/keys', undefined], ...writes];

  test.each(operations)(
    '%s %s with an API key answers 401 with the reason',
    async (method, path, body) => {
      const authorization = `Bearer ${apiKey}`;
      const answer = await new Browser().send(method, path, body, { headers: { authorization } });
      expectRefusal(answer, 401, 'SESSION_MISSING');
      expect(answer.json.error).toMatch(/an API key is not accepted/);
    },
  );

  test.each(operations)('%s %s without credentials answers 401', async (method, path, body) => {
    expectRefusal(await new Browser().send(method, path, body), 401, 'SESSION_MISSING');
  });

  test.each(writes)('%s %s from a page of another site answers 403', async (method, path, body) => {
    for (const headers of [
      { origin: 'https://evil.example' },
      { 'sec-fetch-site': 'cross-site' },
    ] as Record<string, string>[]) {
      const answer = await browser.send(method, path, body, { headers });
      expectRefusal(answer, 403, 'ORIGIN_REFUSED');
    }
    const bare = await ask(baseUrl + path, { method, headers: { cookie: browser.cookie } });
    expectRefusal(bare, 403, 'ORIGIN_REFUSED');
    expect(await list(browser)).toEqual([]);
  });
});

local('a key with fewer permissions', () => {
  const keyFor = async (browser: Browser, ...permissions: string[]) =>
    (await browser.send('POST', '/v1/keys', { name: 'CI', permissions })).json.data.key as string;

  test('reads and does not write, in REST and MCP alike', async () => {
    const browser = await aBrowser();
    const reader = await keyFor(browser, 'projects:read');
    expect((await get('/v1/projects', reader)).status).toBe(200);
    expect((await get('/v1/auth/session', reader)).status).toBe(200);
    expect(await list(browser)).toMatchObject([{ permissions: ['projects:read'] }]);
    const refused = await create(reader);
    expectRefusal(refused, 403, 'FORBIDDEN');
    expect(refused.json.error).toContain('`projects:write`; the key has `projects:read`');
    expectRefusal(await get('/v1/user', reader), 403, 'FORBIDDEN');
    expect(await called(reader, 'list_projects')).toEqual({ projects: [], nextCursor: null });
    const files = [{ path: 'index.html', content: 'x' }];
    const { json, status } = await postMcp(
      rpc('tools/call', { name: 'publish_site', arguments: { files } }),
      { apiKey: reader },
    );
    expect([status, json.result.isError]).toEqual([200, true]);
    expect(json.result.content[0].text).toMatch(
      /permission `projects:write`.*\nNext: Ask the user/,
    );
    expect((await get('/v1/projects', reader)).json.data.projects).toEqual([]);
  });

  test('writes and does not read', async () => {
    const writer = await keyFor(await aBrowser(), 'projects:write');
    const { projectId } = await created(writer);
    expectRefusal(await get(`/v1/projects/${projectId}`, writer), 403, 'FORBIDDEN');
    expectRefusal(await get('/v1/account/export', writer), 403, 'FORBIDDEN');
  });
});

local('a key for one project', () => {
  const keyFor = async (browser: Browser, ...projectIds: string[]) =>
    (await browser.send('POST', '/v1/keys', { name: 'CI', projectIds })).json.data.key as string;
  let owner = '';
  let key = '';
  let browser: Browser;
  let own: Awaited<ReturnType<typeof created>>;
  let other: typeof own;
  beforeAll(async () => {
    browser = await aBrowser();
    owner = await signIn(browser.email);
    [own, other] = [await created(owner), await created(owner)];
    key = await keyFor(browser, own.projectId);
  });
  const rename = (key: string, id: string) =>
    sendWith(key, `${baseUrl}/v1/projects/${id}`, { title: 'New' }, 'PATCH');

  test('sees and changes that project alone', async () => {
    expect(await list(browser)).toEqual(
      expect.arrayContaining([expect.objectContaining({ projectIds: [own.projectId] })]),
    );
    const { projects } = (await get('/v1/projects', key)).json.data;
    expect(projects).toMatchObject([{ id: own.projectId }]);
    expect((await get(`/v1/projects/${own.projectId}`, key)).status).toBe(200);
    expect((await rename(key, own.projectId)).json.data).toEqual({ updated: true });
    const reads = ['', '/files', '/status', '/analytics', '/analytics/hits.csv'];
    for (const path of reads) {
      const refused = await get(`/v1/projects/${other.projectId}${path}`, key);
      expectRefusal(refused, 404, 'NOT_FOUND');
    }
    expectRefusal(await rename(key, other.projectId), 404, 'NOT_FOUND');
  });

  test('does not move it to a workspace of the account', async () => {
    const address = `${baseUrl}/v1/workspaces`;
    const { id: workspaceId } = (await sendWith(owner, address, { name: 'Other' })).json.data;
    const path = `${baseUrl}/v1/projects/${own.projectId}`;
    expectRefusal(await sendWith(key, path, { workspaceId }, 'PATCH'), 403, 'FORBIDDEN');
    expect((await sendWith(owner, path, { workspaceId }, 'PATCH')).status).toBe(200);
    expect((await sendWith(key, path, { workspaceId }, 'PATCH')).status).toBe(200);
  });

  test('gets no stored answer of a key that may do more', async () => {
    const { id } = (await sendWith(owner, `${baseUrl}/v1/workspaces`, { name: 'W' })).json.data;
    const move = (by: string, workspaceId: string | null, idempotencyKey: string) =>
      ask(`${baseUrl}/v1/projects/${own.projectId}`, {
        method: 'PATCH',
        headers: {
          authorization: `Bearer ${by}`,
          'content-type': 'application/json',
          'idempotency-key': idempotencyKey,
        },
        body: JSON.stringify({ workspaceId }),
      });
    expect((await move(owner, id, 'there')).status).toBe(200);
    expect((await move(owner, null, 'back')).status).toBe(200);
    expect((await move(owner, id, 'there')).headers['idempotency-replayed']).toBe('true');
    expectRefusal(await move(key, id, 'there'), 403, 'FORBIDDEN');
  });

  test('makes no project, and sees nothing else of the account', async () => {
    expectRefusal(await create(key), 403, 'FORBIDDEN');
    const links = (body: object) => sendWith(key, `${baseUrl}/v1/upload-links`, body);
    const copies = sendWith(key, `${baseUrl}/v1/projects/${own.projectId}/duplicate`, {});
    expectRefusal(await copies, 403, 'FORBIDDEN');
    expectRefusal(await links({}), 403, 'FORBIDDEN');
    expectRefusal(await links({ projectId: other.projectId }), 404, 'NOT_FOUND');
    expect((await links({ projectId: own.projectId })).status).toBe(201);
    const paths = ['/v1/user', '/v1/account/export', '/v1/domains', '/v1/workspaces'];
    for (const path of [...paths, '/v1/projects/deleted', '/v1/upload-links']) {
      expectRefusal(await get(path, key), 403, 'FORBIDDEN');
    }
  });

  test('is as narrow for agents', async () => {
    expect(await called(key, 'list_projects')).toMatchObject({ projects: [{ id: own.projectId }] });
    expect(await called(key, 'get_project', { projectId: own.projectId })).toMatchObject({
      id: own.projectId,
    });
    const refusal = async (name: string, input: object) => {
      const { json } = await postMcp(rpc('tools/call', { name, arguments: input }), {
        apiKey: key,
      });
      expect(json.result.isError).toBe(true);
      return json.result.structuredContent?.code ?? json.result.content[0].text;
    };
    expect(await refusal('get_project', { projectId: other.projectId })).toContain('NOT_FOUND');
    const files = [{ path: 'index.html', content: 'x' }];
    expect(await refusal('publish_site', { files })).toContain('FORBIDDEN');
    expect(await refusal('publish_site', { copyOf: own.projectId })).toContain('FORBIDDEN');
    expect(await refusal('get_account', {})).toContain('FORBIDDEN');
    const { json } = await postMcp(rpc('resources/list', {}), { apiKey: key });
    const uris = json.result.resources.map(({ uri }: { uri: string }) => uri.split('/')[3]);
    expect(new Set(uris)).toEqual(new Set([own.projectId]));
  });

  test('is made for own projects only', async () => {
    const stranger = await aBrowser();
    for (const projectIds of [[other.projectId], [randomUUID()]]) {
      const refused = await stranger.send('POST', '/v1/keys', { name: 'CI', projectIds });
      expectRefusal(refused, 404, 'NOT_FOUND');
    }
    for (const projectIds of [[], [other.projectId, other.projectId], ['x']]) {
      const refused = await stranger.send('POST', '/v1/keys', { name: 'CI', projectIds });
      expectRefusal(refused, 400, 'INVALID_REQUEST');
    }
    expect(await list(stranger)).toEqual([]);
  });
});
