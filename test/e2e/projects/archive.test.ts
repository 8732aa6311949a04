import { beforeAll, describe, expect, test } from '@jest/globals';
import { get, signIn } from '../../fixtures/accounts/accounts.ts';
import { ask, file, isLocal } from '../../fixtures/clouds/client.ts';
import { create, created, expectNoSite, remove, usage } from '../../fixtures/projects/projects.ts';
import { expectRefusal } from '../../fixtures/clouds/refusals.ts';
import { history, patch, pushed, putAway } from '../../fixtures/projects/versions.ts';

// The codes are read from the local inbox.
const local = isLocal ? describe : describe.skip;
const unknownId = '11111111-1111-4111-8111-111111111111';
/** The limit of the trial's plan. */
const maxProjects = 25;

let key = '';
let stranger = '';
beforeAll(async () => {
  if (isLocal) [key, stranger] = await Promise.all([signIn(), signIn()]);
});

const files = [file('index.html', '<h1>Mine'), file('style.css', 'body{}')];
const bytes = 14;
const paths = ['/', '/style.css', '/nothing'];
const show = async (apiKey: string, id: string) =>
  (await get(`/v1/projects/${id}`, apiKey)).json.data;
const ids = async (apiKey: string, query = ''): Promise<string[]> =>
  (await get(`/v1/projects${query}`, apiKey)).json.data.projects.map(({ id }: any) => id);
const archive = (apiKey: string, id: string) => putAway(apiKey, id, 'archive');
const unarchive = (apiKey: string, id: string) => putAway(apiKey, id, 'unarchive');

local('an archived project', () => {
  test('is hidden and out of the quota immediately, and returns unchanged to its address', async () => {
    const own = await signIn();
    const { projectId, url } = await created(own, { files });
    const other = await created(own, { files });
    for (const path of ['/', '/style.css', '/style.css']) await ask(url + path);
    const before = await show(own, projectId);
    const answer = await archive(own, projectId);
    expect(answer.status).toBe(200);
    expect(answer.json).toEqual({ status: 'success', data: { archived: true } });
    await expectNoSite(url, paths);
    expect(await usage(own)).toEqual({ projects: 1, bytes });

    const { archivedAt, updatedAt, ...archived } = await show(own, projectId);
    expect({ ...before, status: 'archived' }).toMatchObject(archived);
    expect(Date.parse(archivedAt)).toBe(Date.parse(updatedAt));
    expect(await ids(own)).toEqual([other.projectId]);
    expect(await ids(own, '?archived=false')).toEqual([other.projectId]);
    expect(await ids(own, '?archived=true')).toEqual([projectId]);
    expect(await ids(own, '?archived=all')).toEqual([other.projectId, projectId]);

    const back = await unarchive(own, projectId);
    expect(back.json).toEqual({ status: 'success', data: { archived: false } });
    expect((await ask(url)).text).toBe('<h1>Mine');
    expect((await ask(`${url}/style.css`)).text).toBe('body{}');
    expect(await usage(own)).toEqual({ projects: 2, bytes: 2 * bytes });
    const again = await show(own, projectId);
    expect(again).toEqual({ ...before, updatedAt: again.updatedAt });
    expect(await ids(own, '?archived=true')).toEqual([]);
  });

  test('twice has the same effect as once, in both directions', async () => {
    const own = await signIn();
    const { projectId } = await created(own, { files });
    await unarchive(own, projectId);
    expect(await usage(own)).toEqual({ projects: 1, bytes });
    await archive(own, projectId);
    const once = await show(own, projectId);
    expect((await archive(own, projectId)).json.data).toEqual({ archived: true });
    expect(await show(own, projectId)).toEqual(once);
    expect(await usage(own)).toEqual({ projects: 0, bytes: 0 });
  });

  test('keeps its address reserved', async () => {
    const { projectId, slug } = await created(key, { files });
    await archive(key, projectId);
    expectRefusal(await create(stranger, { fields: { slug } }), 409, 'SLUG_TAKEN');
    expectRefusal(await create(key, { fields: { slug } }), 409, 'SLUG_TAKEN');
  });

  test('can be updated while it is archived, and counts its live version afterwards', async () => {
    const own = await signIn();
    const { projectId, url } = await created(own, { files });
    await archive(own, projectId);
    expect(await pushed(own, projectId, [file('index.html', 'two')])).toBe('dep_v2');
    expect((await patch(own, projectId, { title: 'Changed' })).status).toBe(200);
    await expectNoSite(url, paths);
    expect(await usage(own)).toEqual({ projects: 0, bytes: 0 });
    expect(await history(own, projectId)).toEqual(['2 active', '1 ready']);
    await unarchive(own, projectId);
    expect(await usage(own)).toEqual({ projects: 1, bytes: 3 });
    expect((await ask(url)).text).toBe('two');
    expect(await show(own, projectId)).toMatchObject({ title: 'Changed', status: 'public' });
  });

  test('can be deleted, and releases its quota only once', async () => {
    const own = await signIn();
    const { projectId, url, slug } = await created(own, { files });
    await created(own, { files });
    await archive(own, projectId);
    expect((await remove(own, projectId)).json.data).toEqual({ deleted: true });
    expect(await usage(own)).toEqual({ projects: 1, bytes });
    expect(await ids(own, '?archived=all')).not.toContain(projectId);
    expectRefusal(await unarchive(own, projectId), 404, 'NOT_FOUND');
    await expectNoSite(url);
    // Its address stays with the account.
    expectRefusal(await create(stranger, { fields: { slug } }), 409, 'SLUG_TAKEN');
    await created(own, { fields: { slug } });
  });

  test('that is not public stays so', async () => {
    const { projectId, url } = await created(key, {
      files,
      fields: { access: 'password', password: 'open sesame' },
    });
    await archive(key, projectId);
    await expectNoSite(url);
    await unarchive(key, projectId);
    expect((await ask(url)).status).toBe(401);
  });
});

local('a project comes back only where there is room', () => {
  test('answers 403 with the figures at the limit, and archiving another project makes room', async () => {
    const own = await signIn();
    const made = await Promise.all(
      Array.from({ length: maxProjects }, () => created(own, { files })),
    );
    const [first, second] = made;
    await archive(own, first.projectId);
    const added = await created(own, { files: [file('index.html', 'added')] });
    const refused = await unarchive(own, first.projectId);
    expectRefusal(refused, 403, 'PROJECT_LIMIT_REACHED');
    expect(refused.json.error).toMatch(/\b25\b.*\b25\b/);
    await expectNoSite(first.url);
    expect(await show(own, first.projectId)).toMatchObject({ status: 'archived' });
    expect((await usage(own)).projects).toBe(maxProjects);
    await archive(own, second.projectId);
    expect((await unarchive(own, first.projectId)).status).toBe(200);
    expect((await ask(first.url)).text).toBe('<h1>Mine');
    expect((await ask(added.url)).text).toBe('added');
  });
});

local.each(['archive', 'unarchive'] as const)('POST …/%s', (action) => {
  test('answers the same 404 for an unknown, malformed or foreign id', async () => {
    const { projectId, url } = await created(key, { files });
    const answers = await Promise.all(
      [unknownId, 'nothing', `${projectId}x`, '%00'].map((id) => putAway(key, id, action)),
    );
    answers.push(await putAway(stranger, projectId, action));
    for (const answer of answers) expectRefusal(answer, 404, 'NOT_FOUND');
    expect(new Set(answers.map(({ json }) => json.error)).size).toBe(1);
    expect((await ask(url)).status).toBe(200);
  });
});
