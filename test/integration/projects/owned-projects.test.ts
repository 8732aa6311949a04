import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import JSZip from 'jszip';
import { get, post, signIn } from '../../fixtures/accounts/accounts.ts';
import { type Answer, ask, file, publishTo } from '../../fixtures/clouds/client.ts';
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

/** How many files are stored; what pages show of texts is kept beside them. */
async function storedFiles(): Promise<number> {
  return (await cloud.state()).keys.filter((key) => !key.endsWith('/markup')).length;
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

  test('is listed newest first, in pages', async () => {
    const key = await newKey();
    const slugs: string[] = [];
    for (let index = 0; index < 5; index += 1) {
      slugs.unshift((await create(key, [file('a.txt')], 'Same title')).json.data.slug);
    }
    expect(slugs.at(-1)).toBe('same-title');
    expect(new Set(slugs).size).toBe(5);
    const page = async (query: string) => {
      const { json } = await call('GET', `/v1/projects${query}`, key);
      return json.data.projects.map(({ slug }: { slug: string }) => slug);
    };
    expect(await page('')).toEqual(slugs);
    expect(await page('?limit=2')).toEqual(slugs.slice(0, 2));
    expect(await page('?limit=2&offset=3&archived=all')).toEqual(slugs.slice(3));
    expect(await page('?offset=5')).toEqual([]);
    expect(await page('?archived=true')).toEqual([]);
    expect(await page('?workspaceId=0b7e4c1a-5f60-4c39-9d0e-2f1a6f0c9a11')).toEqual([]);
  });
});

/**
 * Starts as many function instances as a race needs; otherwise the first calls would finish while
 * others start.
 */
async function warmUp(key: string, instances: number): Promise<void> {
  await Promise.all(Array.from({ length: instances }, () => call('GET', '/v1/projects', key)));
}

describe('exactly one succeeds', () => {
  test('of sixteen concurrent claims', async () => {
    const keys = await Promise.all([newKey(), newKey()]);
    const { data } = (await publishTo(cloud.baseUrl, [file('index.html', '<h1>Kept</h1>')])).json;
    expect((await ask(`${data.url}/`)).headers['x-robots-tag']).toBe('noindex');
    const path = `/v1/projects/claim/${data.claimToken}`;
    await warmUp(keys[0] ?? '', 16);
    const answers = await Promise.all(
      Array.from({ length: 16 }, (_, index) => call('POST', path, keys[index % 2] ?? '')),
    );
    expect(tally(answers)).toEqual({ '200': 1, '409 ALREADY_CLAIMED': 15 });
    const winner = answers.find(({ status }) => status === 200);
    expect(winner?.json.data).toEqual({
      projectId: data.projectId,
      slug: data.slug,
      url: data.url,
      expiresAt: null,
    });
    const used = await Promise.all(keys.map(quota));
    expect(used.reduce((sum, { projects }) => sum + projects, 0)).toBe(1);
    await cloud.advance(day + 3600);
    const kept = await ask(`${data.url}/`);
    expect(kept.text).toBe('<h1>Kept</h1>');
    expect(kept.headers['x-robots-tag']).not.toBe('noindex');

    const owner = keys[used.findIndex(({ projects }) => projects === 1)] ?? '';
    await call('DELETE', `/v1/projects/${data.projectId}`, owner);
    await expectKeptThenGone(data.projectId);
    expect(tally([await call('POST', path, owner)])).toEqual({ '404 CLAIM_NOT_FOUND': 1 });
  });

  test('of ten creates with one slug', async () => {
    const key = await newKey();
    const before = await storedFiles();
    const answers = await Promise.all(
      Array.from({ length: 10 }, () =>
        create(key, [file('a.txt'), field('slug', 'wanted-by-all')]),
      ),
    );
    expect(tally(answers)).toEqual({ '201': 1, '409 SLUG_TAKEN': 9 });
    expect(await storedFiles()).toBe(before + 1);
    expect(await quota(key)).toEqual({ projects: 1, bytes: 1 });
  });

  test('of ten deletions', async () => {
    const key = await newKey();
    const { projectId } = (await create(key, [file('a.txt')])).json.data;
    await create(key, [file('b.txt')]);
    const path = `/v1/projects/${projectId}`;
    await warmUp(key, 10);
    const answers = await Promise.all(Array.from({ length: 10 }, () => call('DELETE', path, key)));
    expect(tally(answers)).toEqual({ '200': 1, '404 NOT_FOUND': 9 });
    expect(await quota(key)).toEqual({ projects: 1, bytes: 1 });
  });
});

describe('on the free plan', () => {
  let key: string;
  beforeAll(async () => {
    key = await newKey();
    await cloud.advance(7 * day + 1);
  });

  test('concurrent creates and claims never exceed the project limit', async () => {
    const { claimToken } = (await publishTo(cloud.baseUrl, [file('t.txt', 'tt')])).json.data;
    const before = await storedFiles();
    const answers = await Promise.all([
      call('POST', `/v1/projects/claim/${claimToken}`, key),
      ...Array.from({ length: 14 }, () => create(key, [file('a.txt', 'aa')])),
    ]);
    const { '200': claimed = 0, '201': created = 0, ...refused } = tally(answers);
    expect(claimed + created).toBe(5);
    expect(refused).toEqual({ '403 PROJECT_LIMIT_REACHED': 10 });
    expect(await quota(key)).toEqual({ projects: 5, bytes: 10 });
    expect(await storedFiles()).toBe(before + created);
    const limited = answers.find(({ status }) => status === 403);
    expect(limited?.json.error).toMatch(/5 active projects; 5 are/);
    const { rows } = await cloud.state();
    expect(JSON.stringify(rows['projects'])).not.toContain('INTENT#');

    const { projects } = (await call('GET', '/v1/projects', key)).json.data;
    await Promise.all(
      projects.map(({ id }: { id: string }) => call('DELETE', `/v1/projects/${id}`, key)),
    );
    expect(await quota(key)).toEqual({ projects: 0, bytes: 0 });
  });

  test('concurrent creates never exceed the bytes', async () => {
    const zip = new JSZip();
    zip.file('zeros.bin', Buffer.alloc(bigBytes));
    const body = await zip.generateAsync({ type: 'nodebuffer', compression: 'DEFLATE' });
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => create(key, [file('big.zip', body)])),
    );
    expect(tally(answers)).toEqual({ '201': 3, '403 STORAGE_LIMIT_REACHED': 2 });
    expect(await quota(key)).toEqual({ projects: 3, bytes: 3 * bigBytes });
    const { projects } = (await call('GET', '/v1/projects', key)).json.data;
    for (const { id } of projects) await call('DELETE', `/v1/projects/${id}`, key);
  });

  test('a claimed project lives seven days, is expired for thirty and then releases its quota', async () => {
    const { data } = (await publishTo(cloud.baseUrl, [file('t.txt', 'tt')])).json;
    const claimed = await call('POST', `/v1/projects/claim/${data.claimToken}`, key);
    const { expiresAt } = claimed.json.data;
    const left = Date.parse(expiresAt) - (await cloud.now()).getTime();
    expect(Math.round(left / 1000 / day)).toBe(7);
    const status = async () =>
      (await call('GET', '/v1/projects', key)).json.data.projects.map(
        (project: { status: string }) => project.status,
      );

    await cloud.advance(left / 1000 - 5);
    expect((await ask(`${data.url}/`)).status).toBe(200);
    await cloud.advance(6);
    expect((await ask(`${data.url}/`)).status).toBe(410);
    expect(await status()).toEqual(['expired']);
    await cloud.advance(30 * day - 60);
    expect((await ask(`${data.url}/`)).status).toBe(410);
    expect(await quota(key)).toEqual({ projects: 1, bytes: 2 });
    await cloud.advance(181);
    expect((await ask(`${data.url}/`)).status).toBe(410);
    expect(await status()).toEqual([]);
    expect(await quota(key)).toEqual({ projects: 0, bytes: 0 });
    expect(await traces(data.projectId)).toEqual({ rows: 0, keys: [] });
  });
});

test('a claim token that was never issued is unknown', async () => {
  const key = await newKey();
  const answer = await post('/v1/projects/claim/nothing', '', {
    service: cloud.baseUrl,
    headers: { authorization: `Bearer ${key}` },
  });
  expect(tally([answer])).toEqual({ '404 CLAIM_NOT_FOUND': 1 });
});
