import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { anEmail, get, sendWith, signIn } from '../../fixtures/accounts/accounts.ts';
import { type Answer, ask, file } from '../../fixtures/clouds/client.ts';
import { LocalCloud } from '../../fixtures/clouds/local-cloud.ts';
import { expectRefusal } from '../../fixtures/clouds/refusals.ts';
import { created, usage } from '../../fixtures/projects/projects.ts';
import { history, patch, push, putAway } from '../../fixtures/projects/versions.ts';
import { Browser } from '../../fixtures/visits/browser.ts';
import { cookieFrom, unlock } from '../../fixtures/visits/access.ts';
import { look, open, whenCounted } from '../../fixtures/visits/opens.ts';

const cloud = new LocalCloud('plans.pro.maxStorageBytes=1000');
let service = '';
let key = '';
beforeAll(async () => {
  ({ baseUrl: service } = await cloud.start());
  key = await signIn(anEmail(), service);
}, 600_000);
afterAll(() => cloud.remove());

const page = (text: string) => [file('index.html', `<h1>${text}`)];
const aProject = (fields: Record<string, string> = {}, by = key) =>
  created(by, { files: page('live'), fields, service });
interface Put {
  fields?: Record<string, string>;
  by?: string;
}
const put = (id: string, name: string, text: string, { fields = {}, by = key }: Put = {}) =>
  push(by, `${id}/previews/${name}`, page(text), { fields, service });
async function shown(id: string, name: string, text: string, options?: Put) {
  const answer = await put(id, name, text, options);
  if (answer.status !== 200) throw new Error(`no preview: ${answer.text}`);
  return answer.json.data;
}
const previewsOf = async (id: string, by = key) =>
  (await get(`/v1/projects/${id}/previews`, by, service)).json.data.previews;
const sees = async (url: string, cookie?: string) =>
  (await ask(url, { headers: cookie === undefined ? {} : { cookie } })).text;
const statuses = (answers: Answer[]) => answers.map(({ status }) => status);

test('previews that are pushed at once, also of one name, all take effect and count once', async () => {
  const own = await signIn(anEmail(), service);
  const { projectId, url } = await aProject({}, own);
  const pushes = ['one', 'two', 'same', 'same', 'same'].map((name, at) =>
    put(projectId, name, `text ${at}`, { by: own }),
  );
  const live = push(own, projectId, page('next'), { service });
  const answers = await Promise.all([...pushes, live]);
  expect(statuses(answers)).toEqual([200, 200, 200, 200, 200, 200]);
  const previews = await previewsOf(projectId, own);
  expect(previews.map(({ name }: any) => name).toSorted()).toEqual(['one', 'same', 'two']);
  expect(await sees(url)).toContain('<h1>next');
  expect(await sees(url.replace('.', '--one.'))).toContain('<h1>text 0');
  expect(await sees(url.replace('.', '--same.'))).toMatch(/<h1>text [234]/);
  expect(await history(own, projectId, service)).toHaveLength(2);
  expect((await usage(own, service)).bytes).toBe(8 + 3 * 10);
});

test('a preview that the plan has no room for is refused, and nothing of it stays', async () => {
  const own = await signIn(anEmail(), service);
  const { projectId } = await aProject({}, own);
  const large = await put(projectId, 'large', 'x'.repeat(1000), { by: own });
  expectRefusal(large, 403, 'STORAGE_LIMIT_REACHED');
  expect(await previewsOf(projectId, own)).toEqual([]);
  expect(await usage(own, service)).toEqual({ projects: 1, bytes: 8 });
});

test('opens of a preview do not count, those of the project do', async () => {
  const { projectId, url } = await aProject();
  const preview = await shown(projectId, 'pr-1', 'x');
  for (const address of [preview.url, url]) {
    expect((await look(address)).status).toBe(200);
    await open(address);
  }
  await cloud.advance(0);
  const counted = await whenCounted(
    key,
    projectId,
    ({ opens, visits }) => opens.total + visits.total > 1,
    service,
  );
  expect([counted.opens.total, counted.visits.total]).toEqual([1, 1]);
});

test('a password opens a preview at its own address', async () => {
  const { projectId, url } = await aProject({ access: 'password', password: 'open it' });
  const preview = await shown(projectId, 'pr-1', 'a secret');
  expect(await sees(preview.url)).not.toContain('a secret');
  expect((await unlock(preview.url, 'wrong')).status).not.toBe(303);
  const cookie = cookieFrom(await unlock(preview.url, 'open it'));
  expect(await sees(preview.url, cookie)).toContain('<h1>a secret');
  await patch(key, projectId, { password: 'another' }, service);
  expect(await sees(preview.url, cookie)).not.toContain('a secret');
  const other = await aProject({ access: 'private' });
  const closed = await shown(other.projectId, 'pr-1', 'a secret');
  expect(await sees(closed.url, cookie)).not.toContain('a secret');
  expect(await sees(url, cookie)).not.toContain('live');
});

test('a preview follows the address of its project, and is shown as long as the project is', async () => {
  const { projectId, url } = await aProject({ slug: 'first-name' });
  const preview = await shown(projectId, 'pr-1', 'x', { fields: { access: 'public' } });
  await patch(key, projectId, { slug: 'second-name' }, service);
  const moved = preview.url.replace('first-name', 'second-name');
  expect(await previewsOf(projectId)).toMatchObject([{ url: moved }]);
  expect(await sees(moved)).toContain('<h1>x');
  expect(await sees(preview.url)).not.toContain('<h1>x');
  await putAway(key, projectId, 'archive', service);
  expect((await ask(moved)).status).toBe(404);
  expectRefusal(await put(projectId, 'pr-2', 'more'), 400, 'INVALID_REQUEST');
  await putAway(key, projectId, 'unarchive', service);
  expect(await sees(moved)).toContain('<h1>x');
  expect(url).toContain('first-name');
});

test('no name of a project is that of a preview, and no preview that of another project', async () => {
  const { projectId } = await aProject({ slug: 'victim' });
  const preview = await shown(projectId, 'pr-1', 'mine');
  const stranger = await signIn(anEmail(), service);
  const attack = { files: page('attack'), service };
  const { projectId: theirs } = await created(stranger, attack);
  for (const slug of ['victim--pr-1', 'victim--pr-2', 'victim--v1']) {
    expectRefusal(await patch(stranger, theirs, { slug }, service), 409, 'SLUG_TAKEN');
  }
  // Without `xn--`: browsers would show other letters.
  const { projectId: foreign } = await aProject({ slug: 'xn' });
  expectRefusal(await put(foreign, 'pr-1', 'x'), 400, 'INVALID_REQUEST');
  expect(await sees(preview.url)).toContain('<h1>mine');
});

test('a key reaches the previews of its own projects with its own permissions', async () => {
  const owner = await new Browser(anEmail(), service).signIn();
  const own = await signIn(owner.email, service);
  const { projectId } = await aProject({}, own);
  const { projectId: other } = await aProject({}, own);
  await shown(projectId, 'pr-1', 'x', { by: own });
  const keyWith = async (fields: object) =>
    (await owner.send('POST', '/v1/keys', { name: 'CI', ...fields })).json.data.key;
  const one = await keyWith({ projectIds: [other] });
  const reading = await keyWith({ permissions: ['projects:read'] });
  const path = `${service}/v1/projects/${projectId}/previews`;
  const remove = (by: string) => sendWith(by, `${path}/pr-1`, undefined, 'DELETE');
  expectRefusal(await put(projectId, 'pr-1', 'y', { by: one }), 404, 'NOT_FOUND');
  expectRefusal(await remove(one), 404, 'NOT_FOUND');
  expect((await sendWith(one, path, undefined, 'GET')).status).toBe(404);
  expect((await put(other, 'pr-1', 'y', { by: one })).status).toBe(200);
  expect(
    statuses([await put(projectId, 'pr-1', 'y', { by: reading }), await remove(reading)]),
  ).toEqual([403, 403]);
  expect((await sendWith(reading, path, undefined, 'GET')).status).toBe(200);
  expect(statuses([await sendWith('none', path, undefined, 'GET')])).toEqual([401]);
});
