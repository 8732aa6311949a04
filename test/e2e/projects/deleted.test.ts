import { beforeAll, describe, expect, test } from '@jest/globals';
import { get, sendWith, signIn } from '../../fixtures/accounts/accounts.ts';
import { ask, baseUrl, file, isLocal } from '../../fixtures/clouds/client.ts';
import { created, expectNoSite, remove, usage } from '../../fixtures/projects/projects.ts';
import { expectRefusal } from '../../fixtures/clouds/refusals.ts';
import { pushed, rollBack } from '../../fixtures/projects/versions.ts';

// The codes are read from the local inbox.
const local = isLocal ? describe : describe.skip;

let key = '';
let stranger = '';
beforeAll(async () => {
  if (isLocal) [key, stranger] = await Promise.all([signIn(), signIn()]);
});

const deleted = async (as = key) => (await get('/v1/projects/deleted', as)).json.data.projects;
const restore = (projectId: string, body: object = {}, as = key) =>
  sendWith(as, `${baseUrl}/v1/projects/${projectId}/restore`, body);

local('a deleted project', () => {
  test('is listed for its owner, and comes back with its address and its versions', async () => {
    const { projectId, url } = await created(key, { files: [file('index.html', '<h1>one')] });
    await pushed(key, projectId, [file('index.html', '<h1>two')]);
    const before = await usage(key);
    await remove(key, projectId);
    await expectNoSite(url);
    expect(await deleted()).toMatchObject([{ id: projectId, url, bytes: 7 }]);
    expect(await deleted(stranger)).toEqual([]);
    expectRefusal(await restore(projectId, {}, stranger), 404, 'NOT_FOUND');
    expect((await restore(projectId)).json.data).toMatchObject({ id: projectId, url });
    expect((await ask(url)).text).toBe('<h1>two');
    expect(await usage(key)).toEqual(before);
    expect(await deleted()).toEqual([]);
    expect((await rollBack(key, projectId, 1)).status).toBe(200);
    expectRefusal(await restore(projectId), 404, 'NOT_FOUND');
  });

  test('is found in pages, most recently deleted first', async () => {
    const owner = await signIn();
    const ids: string[] = [];
    for (let count = 0; count < 3; count += 1) {
      const { projectId } = await created(owner);
      await remove(owner, projectId);
      ids.unshift(projectId);
    }
    const page = async (query: string) =>
      (await get(`/v1/projects/deleted?${query}`, owner)).json.data;
    const first = await page('limit=2');
    expect(first.projects.map(({ id }: { id: string }) => id)).toEqual(ids.slice(0, 2));
    const rest = await page(`limit=2&cursor=${encodeURIComponent(first.nextCursor)}`);
    expect(rest).toMatchObject({ projects: [{ id: ids[2] }], nextCursor: null });
    for (const cursor of ['x', '%00', '~'.repeat(100)])
      expect((await page(`cursor=${encodeURIComponent(cursor)}`)).projects.length).toBeLessThan(4);
    expectRefusal(await get('/v1/projects/deleted?limit=101', owner), 400, 'INVALID_REQUEST');
  });

  test('whose address its owner uses again comes back at another', async () => {
    const { projectId, slug } = await created(key);
    await remove(key, projectId);
    await created(key, { fields: { slug } });
    expectRefusal(await restore(projectId), 409, 'SLUG_TAKEN');
    expectRefusal(await restore(projectId, { slug: 'admin' }), 409, 'SLUG_TAKEN');
    const other = `${slug.slice(0, 40)}-again`;
    expect((await restore(projectId, { slug: other })).json.data.slug).toBe(other);
  });

  test('that does not exist is not restored', async () => {
    for (const id of ['x', '11111111-1111-4111-8111-111111111111']) {
      expectRefusal(await restore(id), 404, 'NOT_FOUND');
    }
  });
});
