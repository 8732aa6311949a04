import { randomBytes } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { get, signIn } from '../../fixtures/accounts/accounts.ts';
import { ask, baseUrl, file, isLocal } from '../../fixtures/clouds/client.ts';
import { create, created, expectNoSite, remove, usage } from '../../fixtures/projects/projects.ts';
import { expectNoInsides, expectRefusal } from '../../fixtures/clouds/refusals.ts';

// The codes are read from the local inbox.
const local = isLocal ? describe : describe.skip;
const unknownId = '11111111-1111-4111-8111-111111111111';

let key = '';
let stranger = '';
beforeAll(async () => {
  if (isLocal) [key, stranger] = await Promise.all([signIn(), signIn()]);
});

const list = async (apiKey: string, query = '') => (await get(`/v1/projects${query}`, apiKey)).json;
const ids = ({ data }: any): string[] => data.projects.map(({ id }: { id: string }) => id);

local('without a key that works', () => {
  const wrongKey = `sw_live_${'a'.repeat(49)}`;
  test.each([
    ['POST', '/v1/projects'],
    ['GET', '/v1/projects'],
    ['GET', `/v1/projects/${unknownId}`],
    ['DELETE', `/v1/projects/${unknownId}`],
    ['POST', '/v1/projects/claim/abc'],
  ])('%s %s answers 401', async (method, path) => {
    const send = (headers: {}) => ask(`${baseUrl}${path}`, { method, headers });
    expectRefusal(await send({}), 401, 'API_KEY_MISSING');
    expectRefusal(await send({ authorization: `Bearer ${wrongKey}` }), 401, 'API_KEY_INVALID');
    expectRefusal(await send({ authorization: 'Bearer x' }), 401, 'API_KEY_INVALID');
    expectRefusal(await send({ authorization: 'Bearer ' }), 401, 'API_KEY_MISSING');
  });

  test('publishes nothing', async () => {
    const slug = `s-${randomBytes(6).toString('hex')}`;
    expectRefusal(await create(undefined, { fields: { slug } }), 401, 'API_KEY_MISSING');
    expectRefusal(await create(wrongKey, { fields: { slug } }), 401, 'API_KEY_INVALID');
    expect((await created(key, { fields: { slug } })).slug).toBe(slug);
  });
});

local('GET /v1/projects', () => {
  test('is empty for a new account, with the defaults', async () => {
    expect(await list(await signIn())).toEqual({
      status: 'success',
      data: { projects: [], limit: 50, offset: 0, nextCursor: null },
    });
  });

  test('lists every project once in pages, the newest first', async () => {
    const own = await signIn();
    const made: string[] = [];
    for (let at = 0; at < 7; at += 1) {
      made.unshift((await created(own, { fields: { title: `Number ${at}` } })).projectId);
    }
    expect(ids(await list(own))).toEqual(made);
    expect(ids(await list(own, '?archived=false'))).toEqual(made);
    expect(ids(await list(own, '?archived=all'))).toEqual(made);
    expect(ids(await list(own, '?archived=true'))).toEqual([]);
    expect(ids(await list(own, `?workspaceId=${unknownId}`))).toEqual([]);
    const third = await list(own, '?limit=3&offset=2');
    expect(third.data).toMatchObject({ limit: 3, offset: 2 });
    expect(ids(third)).toEqual(made.slice(2, 5));
    const pages = await Promise.all(
      [0, 2, 4, 6, 8].map((at) => list(own, `?limit=2&offset=${at}`)),
    );
    expect(pages.flatMap(ids)).toEqual(made);
    expect(ids(await list(own, '?offset=1000'))).toEqual([]);
    expect((await list(own, '?limit=100')).data.limit).toBe(100);
    await remove(own, made[3] ?? '');
    expect(ids(await list(own, '?limit=4'))).toEqual([...made.slice(0, 3), ...made.slice(4, 5)]);
    expect(ids(await list(stranger))).not.toContain(made[0]);
  });

  test('finds, filters and sorts, in pages that a cursor continues', async () => {
    const own = await signIn();
    const titles = ['Beta', 'alpha', 'Gamma', 'alphabet'];
    for (const title of titles) await created(own, { fields: { title } });
    const found = async (query: string) => {
      const { data } = await list(own, query);
      return { ...data, titles: data.projects.map((one: { title: string }) => one.title) };
    };
    expect((await found('?q=ALPHA&sort=oldest')).titles).toEqual(['alpha', 'alphabet']);
    expect((await found('?type=pdf')).titles).toEqual([]);
    expect((await found('?access=public&status=public')).titles).toHaveLength(4);
    const first = await found('?sort=title&limit=3');
    expect(first.titles).toEqual(['alpha', 'alphabet', 'Beta']);
    const second = await found(`?sort=title&limit=3&cursor=${first.nextCursor}`);
    expect(second).toMatchObject({ titles: ['Gamma'], nextCursor: null });
    const newest = await found('?limit=1');
    expect((await found(`?limit=1&cursor=${newest.nextCursor}`)).titles).toEqual(['Gamma']);
  });
});

local('GET /v1/projects/{projectId}', () => {
  test('shows every field of the list, what is live, and never the password', async () => {
    const fields = { title: 'Kept secret', access: 'password', password: 'open sesame' };
    const data = await created(key, { fields: { ...fields, expiresIn: '24h' } });
    const answer = await get(`/v1/projects/${data.projectId}`, key);
    expect(answer.status).toBe(200);
    expect(answer.json).toEqual({
      status: 'success',
      data: {
        id: data.projectId,
        title: 'Kept secret',
        slug: data.slug,
        type: 'html',
        url: data.url,
        status: 'public',
        access: 'password',
        domainId: null,
        workspaceId: null,
        spa: 'auto',
        prettyUrls: false,
        noIndex: false,
        disableDownloads: false,
        pageTitle: null,
        metaDescription: null,
        analyticsEnabled: true,
        expiresAt: data.expiresAt,
        archivedAt: null,
        createdAt: data.createdAt,
        updatedAt: data.createdAt,
        version: 1,
        bytes: 13,
        fileCount: 1,
      },
    });
    const { projects } = (await list(key, '?limit=1')).data;
    const { version, bytes, fileCount, ...listed } = answer.json.data;
    expect([version, bytes, fileCount, projects]).toEqual([1, 13, 1, [listed]]);
    expect(JSON.stringify([answer.json, projects])).not.toMatch(/sesame|scrypt|Hash/i);
  });

  test('answers the same 404 for an unknown, malformed or foreign id', async () => {
    const { projectId } = await created(key);
    const answers = await Promise.all(
      [unknownId, 'nothing', '1', `${projectId}x`, '%00', 'a%2Fb'].map((id) =>
        get(`/v1/projects/${id}`, key),
      ),
    );
    answers.push(await get(`/v1/projects/${projectId}`, stranger));
    for (const answer of answers) expectRefusal(answer, 404, 'NOT_FOUND');
    expect(new Set(answers.map(({ json }) => json.error)).size).toBe(1);
  });
});

local('DELETE /v1/projects/{projectId}', () => {
  test('removes permanently: the id, the quota, the address and the edge’s cached copies', async () => {
    const own = await signIn();
    const files = [file('index.html', '<h1>'), file('style.css', 'body{}'), file('a-1b2c3d4e.js')];
    const { projectId, url, slug } = await created(own, { files });
    const paths = ['/', '/style.css', '/a-1b2c3d4e.js'];
    for (const path of paths) expect((await ask(url + path)).status).toBe(200);
    const kept = await ask(`${url}/style.css`);
    expect([kept.status, kept.headers['x-cache']]).toEqual([200, 'Hit from cloudfront']);

    const answer = await remove(own, projectId);
    expect(answer.status).toBe(200);
    expect(answer.json).toEqual({ status: 'success', data: { deleted: true } });
    await expectNoSite(url, [...paths, '/nothing.txt']);
    expectRefusal(await remove(own, projectId), 404, 'NOT_FOUND');
    expectRefusal(await get(`/v1/projects/${projectId}`, own), 404, 'NOT_FOUND');
    expect(ids(await list(own, '?archived=all'))).toEqual([]);
    expect(await usage(own)).toEqual({ projects: 0, bytes: 0 });

    await created(own, { fields: { slug }, files: [file('index.html', 'another')] });
    expect((await ask(url)).text).toBe('another');
    expect((await ask(`${url}/style.css`)).status).toBe(404);
  });

  test('answers 404 for an unknown, malformed or foreign id, and deletes nothing', async () => {
    const { projectId, url } = await created(key);
    for (const id of [unknownId, 'nothing', `${projectId}x`]) {
      expectRefusal(await remove(key, id), 404, 'NOT_FOUND');
    }
    expectRefusal(await remove(stranger, projectId), 404, 'NOT_FOUND');
    expect((await ask(url)).status).toBe(200);
    expect((await get(`/v1/projects/${projectId}`, key)).status).toBe(200);
  });

  test('of ten concurrent requests one deletes, and the quota is released once', async () => {
    const own = await signIn();
    await created(own);
    const { projectId } = await created(own);
    const before = await usage(own);
    const answers = await Promise.all(Array.from({ length: 10 }, () => remove(own, projectId)));
    const statuses = answers.map(({ status }) => status).toSorted((a, b) => a - b);
    expect(statuses).toEqual([200, ...Array.from({ length: 9 }, () => 404)]);
    expect(await usage(own)).toEqual({ projects: 1, bytes: before.bytes / 2 });
  });
});

local('a project that not everybody may view', () => {
  test.each(['password', 'private'])('%s answers 401 and reveals nothing', async (access) => {
    const files = [file('index.html', '<h1>Confidential</h1>'), file('plan.txt', 'Confidential')];
    const fields = { title: 'Confidential title', access, password: 'open sesame' };
    const { url, projectId } = await created(key, { fields, files });
    const large = `/_slipway/files/${projectId}/a1b2/${'0'.repeat(32)}/y`;
    for (const path of ['/', '/index.html', '/plan.txt', '/nothing', large]) {
      for (const ways of [{}, { method: 'HEAD' }, { headers: { range: 'bytes=0-3' } }]) {
        const answer = await ask(url + path, ways);
        expect({ path, ways, status: answer.status }).toEqual({ path, ways, status: 401 });
        // The form leads back to what was asked for.
        const text = answer.text.replace(`value="${path}"`, '');
        expect(`${text}${JSON.stringify(answer.headers)}`).not.toMatch(/Confid|sesame|plan/);
        expectNoInsides(answer.text);
      }
    }
    const page = await ask(url);
    expect([page.status, page.headers['cache-control']]).toEqual([401, 'private, no-store']);
    const conditional = { headers: { 'if-none-match': '*' } };
    expect((await ask(`${url}/plan.txt`, conditional)).status).toBe(401);
  });

  test('a password has no effect while access is public', async () => {
    const { url } = await created(key, { fields: { password: 'open sesame' } });
    expect((await ask(url)).status).toBe(200);
  });
});
