import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { get, signIn } from '../../fixtures/accounts/accounts.ts';
import { type Answer, ask, file } from '../../fixtures/clouds/client.ts';
import { LocalCloud } from '../../fixtures/clouds/local-cloud.ts';
import { aForm, type FormPart } from '../../fixtures/uploads/multipart.ts';

const bigBytes = 800_000;
/** On the free plan, three big projects have room. */
const cloud = new LocalCloud(`plans.free.maxStorageBytes=${3 * bigBytes + 1000}`);
beforeAll(() => cloud.start());
afterAll(() => cloud.remove());

const day = 24 * 3600;
const field = (name: string, body: string): FormPart => ({ name, body });

function call(method: string, path: string, key: string): Promise<Answer> {
  const headers = { authorization: `Bearer ${key}` };
  return ask(cloud.baseUrl + path, { method, headers });
}

function create(key: string, parts: readonly FormPart[], title = 'A title'): Promise<Answer> {
  const { body, contentType } = aForm([field('title', title), ...parts]);
  return ask(`${cloud.baseUrl}/v1/projects`, {
    method: 'POST',
    headers: { 'content-type': contentType, authorization: `Bearer ${key}` },
    body,
  });
}

async function newKey(): Promise<string> {
  return signIn(undefined, cloud.baseUrl);
}

async function quota(key: string) {
  const { projects, storage } = (await get('/v1/user', key, cloud.baseUrl)).json.data.quota;
  return { projects: projects.used, bytes: storage.usedBytes };
}

/** How many answers had each status and code. */
function tally(answers: readonly Answer[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { status, json } of answers) {
    const outcome = [status, json.code].filter(Boolean).join(' ');
    counts[outcome] = (counts[outcome] ?? 0) + 1;
  }
  return counts;
}

async function traces(projectId: string) {
  const { rows, keys } = await cloud.state();
  const all = JSON.stringify([rows['sites'], rows['projects']]);
  return { rows: all.split(projectId).length - 1, keys: keys.filter((k) => k.includes(projectId)) };
}

/**
 * Checks that a deleted project's data exist only for operators for thirty days, and are then
 * removed.
 */
async function expectKeptThenGone(projectId: string): Promise<void> {
  await cloud.advance(30 * day - 3600);
  const { rows, keys } = await cloud.state();
  expect(keys.filter((key) => key.includes(projectId))).not.toEqual([]);
  expect(JSON.stringify(rows['projects'])).toContain(projectId);
  expect(JSON.stringify(rows['sites'])).not.toContain(projectId);
  await cloud.advance(3600 + 61);
  expect(await traces(projectId)).toEqual({ rows: 0, keys: [] });
}

describe('a project of an account', () => {
  test('is created with all settings, found, and deleted without a trace', async () => {
    const key = await newKey();
    const created = await create(key, [
      file('index.html', '<h1>Mine</h1>'),
      field('slug', 'my-own-slug'),
      field('expiresIn', '24h'),
    ]);
    expect(created.status).toBe(201);
    const { projectId, url, quota: after, expiresAt, createdAt } = created.json.data;
    expect(new URL(url).hostname).toMatch(/^my-own-slug\./);
    expect(Date.parse(expiresAt) - Date.parse(createdAt)).toBe(day * 1000);
    expect(after).toMatchObject({ projects: { used: 1 }, storage: { usedBytes: 13 } });
    expect((await ask(`${url}/`)).text).toBe('<h1>Mine</h1>');
    expect((await ask(`${url}/`)).headers['x-robots-tag']).not.toBe('noindex');

    const one = await call('GET', `/v1/projects/${projectId}`, key);
    expect(one.json.data).toMatchObject({ id: projectId, title: 'A title', status: 'public' });
    const list = await call('GET', '/v1/projects', key);
    const { version, bytes, fileCount, ...listed } = one.json.data;
    expect([version, bytes, fileCount]).toEqual([1, 13, 1]);
    const rest = { limit: 50, offset: 0, nextCursor: null };
    expect(list.json.data).toEqual({ projects: [listed], ...rest });

    const stranger = await newKey();
    for (const method of ['GET', 'DELETE']) {
      expect((await call(method, `/v1/projects/${projectId}`, stranger)).status).toBe(404);
      expect((await call(method, '/v1/projects/no-uuid', stranger)).status).toBe(404);
    }

    const deleted = await call('DELETE', `/v1/projects/${projectId}`, key);
    expect(deleted.json).toEqual({ status: 'success', data: { deleted: true } });
    expect((await ask(`${url}/`)).status).toBe(404);
    expect((await call('DELETE', `/v1/projects/${projectId}`, key)).status).toBe(404);
    expect((await call('GET', '/v1/projects?archived=all', key)).json.data.projects).toEqual([]);
    expect(await quota(key)).toEqual({ projects: 0, bytes: 0 });
    await expectKeptThenGone(projectId);
  });

  test('has a password that is stored as a hash and protects it', async () => {
    const key = await newKey();
    const locked = [file('a.txt'), field('access', 'password')];
    expect((await create(key, locked)).json.details[0].path).toBe('password');
    const { url, projectId } = (await create(key, [...locked, field('password', 'open sesame')]))
      .json.data;
    expect((await ask(`${url}/`)).status).toBe(401);
    const { rows } = await cloud.state();
    expect(JSON.stringify(rows)).not.toContain('open sesame');
    expect((await call('GET', `/v1/projects/${projectId}`, key)).text).not.toContain('scrypt');
  });

  describe('that is invalid', () => {
    let key: string;
    beforeAll(async () => {
      key = await newKey();
    });

    test.each([
      ['domainId', '0b7e4c1a-5f60-4c39-9d0e-2f1a6f0c9a11', '404 NOT_FOUND'],
      ['workspaceId', '0b7e4c1a-5f60-4c39-9d0e-2f1a6f0c9a11', '404 NOT_FOUND'],
      ['slug', 'admin', '409 SLUG_TAKEN'],
      ['slug', 's1ipway-login', '409 SLUG_TAKEN'],
      ['slug', 'Not A Slug', '400 INVALID_REQUEST'],
    ])('because of its %s (%#) is refused, and nothing remains', async (name, value, outcome) => {
      const before = (await cloud.state()).keys;
      const answer = await create(key, [file('a.txt'), field(name, value)]);
      expect(tally([answer])).toEqual({ [outcome]: 1 });
      expect((await cloud.state()).keys).toEqual(before);
      expect(await quota(key)).toEqual({ projects: 0, bytes: 0 });
    });
  });
});
