import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { get, sendWith, signIn } from '../../fixtures/accounts/accounts.ts';
import { ask, baseUrl, isLocal } from '../../fixtures/clouds/client.ts';
import { expectRefusal } from '../../fixtures/clouds/refusals.ts';

// The codes are read from the local inbox.
const local = isLocal ? describe : describe.skip;

const all = `${baseUrl}/v1/workspaces`;
const make = (key: string, name: unknown = 'Clients') => sendWith(key, all, { name });
const made = async (key: string, name?: string) => (await make(key, name)).json.data;
const rename = (key: string, id: string, body: unknown) =>
  sendWith(key, `${all}/${id}`, body, 'PATCH');
const drop = (key: string, id: string) => sendWith(key, `${all}/${id}`, undefined, 'DELETE');
const list = async (key: string) => (await get('/v1/workspaces', key)).json.data.workspaces;

local('POST /v1/workspaces', () => {
  test('creates an empty workspace and trims its name', async () => {
    const key = await signIn();
    const answer = await make(key, `  ${'x'.repeat(255)} `);
    expect(answer.status).toBe(201);
    const { data } = answer.json;
    expect(answer.json).toEqual({
      status: 'success',
      data: {
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        name: 'x'.repeat(255),
        projectCount: 0,
        createdAt: expect.any(String),
        updatedAt: data.createdAt,
      },
    });
    expect(await list(key)).toEqual([data]);
  });
});

local('GET /v1/workspaces', () => {
  test('lists them newest first, and none of other accounts', async () => {
    const key = await signIn();
    await made(await signIn(), 'foreign');
    for (const name of ['first', 'second', 'third']) await made(key, name);
    const names = (await list(key)).map(({ name }: any) => name);
    expect(names).toEqual(['third', 'second', 'first']);
  });
});

local('PATCH /v1/workspaces/{workspaceId}', () => {
  test('renames', async () => {
    const key = await signIn();
    const workspace = await made(key);
    const answer = await rename(key, workspace.id, { name: ' Archive 📦 ' });
    expect(answer.status).toBe(200);
    const { updatedAt } = answer.json.data;
    expect(answer.json.data).toEqual({ ...workspace, name: 'Archive 📦', updatedAt });
    expect(updatedAt >= workspace.updatedAt).toBe(true);
    expect(await list(key)).toEqual([answer.json.data]);
  });

  test('the count answers 422 and changes nothing', async () => {
    const key = await signIn();
    const workspace = await made(key);
    const answer = await rename(key, workspace.id, { name: 'A', projectCount: 7 });
    expectRefusal(answer, 422, 'VALIDATION_FAILED');
    expect(answer.json.details).toEqual([{ path: 'projectCount', message: expect.any(String) }]);
    expect(await list(key)).toEqual([workspace]);
  });
});

local('DELETE /v1/workspaces/{workspaceId}', () => {
  test('removes it', async () => {
    const key = await signIn();
    const [kept, { id }] = [await made(key), await made(key)];
    const answer = await drop(key, id);
    expect(answer.status).toBe(200);
    expect(answer.json).toEqual({ status: 'success', data: { deleted: true } });
    expect(await list(key)).toEqual([kept]);
    expectRefusal(await drop(key, id), 404, 'NOT_FOUND');
    expectRefusal(await rename(key, id, { name: 'Back' }), 404, 'NOT_FOUND');
  });
});

local('a workspace', () => {
  test('that is foreign, unknown or malformed answers 404', async () => {
    const [mine, other] = [await signIn(), await signIn()];
    const workspace = await made(other);
    for (const id of [workspace.id, randomUUID(), 'x', '%00', '..%2f']) {
      expectRefusal(await rename(mine, id, { name: 'Mine' }), 404, 'NOT_FOUND');
      expectRefusal(await drop(mine, id), 404, 'NOT_FOUND');
    }
    expect(await list(other)).toEqual([workspace]);
  });

  test.each([
    ['GET', ''],
    ['POST', ''],
    ['PATCH', `/${randomUUID()}`],
    ['DELETE', `/${randomUUID()}`],
  ])('%s checks the key before the body', async (method, rest) => {
    const body = method === 'GET' ? {} : { body: '{' };
    expectRefusal(await ask(all + rest, { method, ...body }), 401, 'API_KEY_MISSING');
    const headers = { authorization: 'Bearer sw_live_x' };
    expectRefusal(await ask(all + rest, { method, headers, ...body }), 401, 'API_KEY_INVALID');
    const headersOfNobody = { cookie: `__Host-slipway-session=${'a'.repeat(43)}` };
    const inSession = await ask(all + rest, { method, headers: headersOfNobody, ...body });
    expectRefusal(inSession, 401, 'SESSION_MISSING');
  });
});
