import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import JSZip from 'jszip';
import { get, sendWith, signIn } from '../../fixtures/accounts/accounts.ts';
import { type Answer, ask, baseUrl, file, isLocal } from '../../fixtures/clouds/client.ts';
import { created, usage } from '../../fixtures/projects/projects.ts';
import { expectRefusal } from '../../fixtures/clouds/refusals.ts';
import { openPreview, preview } from '../../fixtures/projects/preview.ts';
import { diff, history, patch, push, pushed, rollBack } from '../../fixtures/projects/versions.ts';

// The codes are read from the local inbox.
const local = isLocal ? describe : describe.skip;

let key = '';
let stranger = '';
beforeAll(async () => {
  if (isLocal) stranger = await signIn();
});
// A plan has room for a few projects only.
beforeEach(async () => {
  if (isLocal) key = await signIn();
});

/** A page that names its version, and a style that is the same in all of them. */
const pageOf = (name: string) => [file('index.html', `<h1>${name}`), file('style.css', 'body{}')];
const aSite = (name = 'one') => created(key, { files: pageOf(name) });
const text = async (url: string) => (await ask(url)).text;

async function zipOf(files: Record<string, string>): Promise<Buffer> {
  const zip = new JSZip();
  for (const [path, content] of Object.entries(files)) zip.file(path, content);
  return zip.generateAsync({ type: 'nodebuffer' });
}

local('a push', () => {
  test('is live and complete immediately, even if the edge has cached the previous version', async () => {
    const { projectId, url } = await created(key, {
      files: [...pageOf('one'), file('old.txt', 'old')],
    });
    for (const path of ['/', '/style.css', '/old.txt']) await ask(url + path);
    expect((await ask(`${url}/old.txt`)).headers['x-cache']).toBe('Hit from cloudfront');
    const answer = await push(key, projectId, [
      file('index.html', '<h1>two'),
      file('style.css', 'p{}'),
      file('new.txt', 'new'),
    ]);
    expect(answer.status).toBe(200);
    expect(answer.json).toEqual({
      status: 'success',
      data: { deploymentId: 'dep_v2', url },
    });
    expect(await text(url)).toBe('<h1>two');
    expect(await text(`${url}/style.css`)).toBe('p{}');
    expect(await text(`${url}/new.txt`)).toBe('new');
    expect((await ask(`${url}/old.txt`)).status).toBe(404);
  });

  test('is in the history, newest first, and counts instead of the previous version', async () => {
    const own = await signIn();
    const { projectId, createdAt } = await created(own, { files: pageOf('one') });
    await pushed(own, projectId, pageOf('three!'));
    expect(await usage(own)).toEqual({ projects: 1, bytes: 16 });
    const { data } = (await get(`/v1/projects/${projectId}/status`, own)).json;
    const publishedBy = { kind: 'key', id: expect.any(String), name: 'Sign-in' };
    expect(data).toEqual([
      {
        deploymentId: 'dep_v2',
        version: 2,
        status: 'active',
        sizeBytes: 16,
        createdAt: expect.any(String),
        publishedBy,
      },
      {
        deploymentId: 'dep_v1',
        version: 1,
        status: 'ready',
        sizeBytes: 13,
        createdAt,
        publishedBy,
      },
    ]);
    expect(Date.parse(data[0].createdAt)).toBeGreaterThan(Date.parse(createdAt));
    const project = (await get(`/v1/projects/${projectId}`, own)).json.data;
    expect(project).toMatchObject({ createdAt });
    // The project changes when its new files are stored.
    expect(project.updatedAt >= data[0].createdAt).toBe(true);
  });

  test('of the same files as a bundle, or with another home page, creates a new version', async () => {
    const { projectId, url } = await aSite();
    await pushed(key, projectId, pageOf('one'), { fields: { asFileBundle: 'true' } });
    expect(await text(url)).toContain('style.css');
    const body = await zipOf({ 'a.html': 'A', 'b.html': 'B' });
    for (const home of ['a.html', 'b.html']) {
      await pushed(key, projectId, [file('site.zip', body)], {
        fields: { zipIndexHtmlPath: home },
      });
      expect(await text(url)).toBe(home.charAt(0).toUpperCase());
    }
    expect(await history(key, projectId)).toHaveLength(4);
    expect((await get(`/v1/projects/${projectId}`, key)).json.data.type).toBe('zip');
  });

  test('as a draft changes nothing for visitors, until a rollback makes it live (habit 13)', async () => {
    const { projectId, url } = await aSite();
    const fields = { draft: 'true' };
    expect(await pushed(key, projectId, pageOf('two'), { fields })).toBe('dep_v2');
    expect(await text(url)).toBe('<h1>one');
    expect(await history(key, projectId)).toEqual(['2 ready', '1 active']);
    expect((await diff(key, projectId, 2)).json.data).toMatchObject({
      against: 1,
      changed: ['index.html'],
    });
    const { url: link } = (await preview(key, projectId, 2, baseUrl)).json.data;
    const cookie = await openPreview(link);
    expect((await ask(url, { headers: { cookie } })).text).toContain('<h1>two');
    expect((await rollBack(key, projectId, 2)).status).toBe(200);
    expect(await text(url)).toBe('<h1>two');
    expect(await pushed(key, projectId, pageOf('three'))).toBe('dep_v3');
  });

  test('is in the feed of the project with its note; a draft is not, and no stranger reads it', async () => {
    const { projectId, url } = await aSite();
    await pushed(key, projectId, pageOf('two'), { fields: { note: 'New <prices>' } });
    await pushed(key, projectId, pageOf('three'), { fields: { draft: 'true', note: 'Plans' } });
    const feed = `${url}/_slipway/versions.atom`;
    const answer = await ask(feed);
    expect(answer.status).toBe(200);
    expect(answer.headers['content-type']).toBe('application/atom+xml; charset=utf-8');
    expect(answer.text.match(/: version \d/g)).toEqual([': version 2', ': version 1']);
    expect(answer.text).toContain('New &#60;prices&#62;');
    expect(answer.text).not.toContain('Plans');
    const headers = { 'if-none-match': answer.headers['etag'] };
    expect((await ask(feed, { headers })).status).toBe(304);
    await rollBack(key, projectId, 3);
    expect((await ask(feed, { headers })).text).toContain('Plans');
    await patch(key, projectId, { access: 'private' });
    const locked = await ask(feed, { headers });
    expect([locked.status, locked.text.includes('Plans')]).toEqual([401, false]);
    await patch(key, projectId, { access: 'public', status: 'private' });
    expect((await ask(feed, { headers })).status).toBe(404);
  });

  test('brings settings with it, and a draft none', async () => {
    const { projectId } = await aSite();
    const shown = async () => (await get(`/v1/projects/${projectId}`, key)).json.data;
    const settings = { title: 'Pier', spa: 'false', prettyUrls: 'true' };
    await pushed(key, projectId, pageOf('two'), { fields: settings });
    const now = { title: 'Pier', spa: false, prettyUrls: true };
    expect(await shown()).toMatchObject({ ...now, version: 2 });
    const draft = { title: 'Quay', draft: 'true' };
    expectRefusal(
      await push(key, projectId, pageOf('three'), { fields: draft }),
      400,
      'INVALID_REQUEST',
    );
    expect(await shown()).toMatchObject({ ...now, version: 2 });
  });

  test('a rollback with an expected version never takes a newer one offline', async () => {
    const { projectId, url } = await aSite();
    await pushed(key, projectId, pageOf('two'));
    const back = (version: number, expectedVersion: unknown) =>
      sendWith(key, `${baseUrl}/v1/projects/${projectId}/rollback`, { version, expectedVersion });
    expect((await back(1, 2)).status).toBe(200);
    await pushed(key, projectId, pageOf('three'));
    expectRefusal(await back(2, 1), 409, 'VERSION_CONFLICT');
    expect(await text(url)).toBe('<h1>three');
    expect((await back(2, 3)).status).toBe(200);
    // The same call again, because its answer was lost.
    expect((await back(2, 3)).status).toBe(200);
    expect(await text(url)).toBe('<h1>two');
  });
});

local('two pushes at once', () => {
  test('both become versions, and the live files are exactly those of one of them', async () => {
    const { projectId, url } = await aSite();
    const of = (name: string) => [file('index.html', name), file('a.txt', name)];
    const names = ['first', 'second', 'third'];
    const ids = await Promise.all(names.map((name) => pushed(key, projectId, of(name))));
    expect(ids.toSorted()).toEqual(['dep_v2', 'dep_v3', 'dep_v4']);
    expect(await history(key, projectId)).toEqual(['4 active', '3 ready', '2 ready', '1 ready']);
    const live = names[ids.indexOf('dep_v4')];
    expect([await text(url), await text(`${url}/a.txt`)]).toEqual([live, live]);
  });

  test('if both expect the previous version, one is refused with the live version', async () => {
    const { projectId } = await aSite();
    const answers = await Promise.all(
      ['a', 'b'].map((name) =>
        push(key, projectId, pageOf(name), { fields: { expectedVersion: '1' } }),
      ),
    );
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
    expect(await history(key, projectId)).toEqual(['2 active', '1 ready']);
  });
});

local('a roll back', () => {
  test('shows the complete earlier version immediately, and the next push gets the next number', async () => {
    const { projectId, url } = await aSite();
    await pushed(key, projectId, [file('index.html', '<h1>two'), file('new.css', 'p{}')]);
    for (const path of ['/', '/new.css', '/style.css']) await ask(url + path);
    const answer = await rollBack(key, projectId, 1);
    expect(answer.json).toEqual({ status: 'success', data: { deploymentId: 'dep_v1', url } });
    expect(await text(url)).toBe('<h1>one');
    expect(await text(`${url}/style.css`)).toBe('body{}');
    expect((await ask(`${url}/new.css`)).status).toBe(404);
    expect(await history(key, projectId)).toEqual(['2 ready', '1 active']);
    expect(await pushed(key, projectId, pageOf('three'))).toBe('dep_v3');
    expect((await rollBack(key, projectId, 2)).status).toBe(200);
    expect(await history(key, projectId)).toEqual(['3 ready', '2 active', '1 ready']);
  });

  test('to the live version changes nothing', async () => {
    const { projectId } = await aSite();
    const before = (await get(`/v1/projects/${projectId}`, key)).json.data;
    expect((await rollBack(key, projectId, 1)).json.data.deploymentId).toBe('dep_v1');
    expect((await get(`/v1/projects/${projectId}`, key)).json.data).toEqual(before);
  });

  test('to an unknown version answers 404', async () => {
    const { projectId } = await aSite();
    for (const version of [2, 1_000_000, Number.MAX_SAFE_INTEGER]) {
      expectRefusal(await rollBack(key, projectId, version), 404, 'NOT_FOUND');
    }
  });
});

local('GET …/diff', () => {
  test('lists added, changed and removed files of a version', async () => {
    const { projectId } = await created(key, {
      files: [file('a.txt', 'a'), file('b.txt', 'b'), file('c.txt', 'c')],
    });
    await pushed(key, projectId, [file('a.txt', 'a'), file('b.txt', 'bbb'), file('d.txt', 'd')]);
    const changes = { added: ['d.txt'], changed: ['b.txt'], removed: ['c.txt'] };
    const none = { paths: [], bytes: 0, until: null };
    expect((await diff(key, projectId, 2)).json).toEqual({
      status: 'success',
      data: { against: 1, ...changes, sizeDelta: 2, retained: none },
    });
    const back = { added: ['c.txt'], changed: ['b.txt'], removed: ['d.txt'] };
    const first = (await diff(key, projectId, 1)).json.data;
    expect(first).toEqual({ against: 2, ...back, sizeDelta: -2, retained: none });
    await rollBack(key, projectId, 1);
    const oldest = (await diff(key, projectId, 1)).json.data;
    expect(oldest).toMatchObject({ against: null, changed: [], removed: [], sizeDelta: 3 });
    expect((await diff(key, projectId, 2)).json.data).toMatchObject({ against: 1, ...changes });
  });
});

local('the versions of a project that is not the caller’s', () => {
  const calls: [string, (apiKey: string, id: string) => Promise<Answer>][] = [
    ['PUT', (apiKey, id) => push(apiKey, id, pageOf('theirs'))],
    ['GET …/status', (apiKey, id) => get(`/v1/projects/${id}/status`, apiKey)],
    ['POST …/rollback', (apiKey, id) => rollBack(apiKey, id, 1)],
    ['GET …/diff', (apiKey, id) => diff(apiKey, id, 1)],
  ];

  test.each(calls)('%s: answer the same 404 as for an unknown project', async (_, call) => {
    const { projectId, url } = await aSite();
    const ids = ['11111111-1111-4111-8111-111111111111', 'nothing', `${projectId}x`, '%00'];
    const answers = await Promise.all(ids.map((id) => call(key, id)));
    answers.push(await call(stranger, projectId));
    for (const answer of answers) expectRefusal(answer, 404, 'NOT_FOUND');
    expect(new Set(answers.map(({ json }) => json.error)).size).toBe(1);
    expect(await text(url)).toBe('<h1>one');
    expect(await history(key, projectId)).toEqual(['1 active']);
  });

  test.each([
    ['PUT', ''],
    ['GET', '/status'],
    ['POST', '/rollback'],
    ['GET', '/versions/1/diff'],
  ])('%s %s without a valid key answers 401', async (method, path) => {
    const { projectId } = await aSite();
    const url = `${baseUrl}/v1/projects/${projectId}${path}`;
    expectRefusal(await ask(url, { method }), 401, 'API_KEY_MISSING');
    const wrong = await sendWith(`sw_live_${'a'.repeat(49)}`, url, undefined, method);
    expectRefusal(wrong, 401, 'API_KEY_INVALID');
  });
});
