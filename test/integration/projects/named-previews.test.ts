import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { anEmail, get, sendWith, signIn } from '../../fixtures/accounts/accounts.ts';
import { ask, file } from '../../fixtures/clouds/client.ts';
import { LocalCloud } from '../../fixtures/clouds/local-cloud.ts';
import { expectRefusal } from '../../fixtures/clouds/refusals.ts';
import { created, usage } from '../../fixtures/projects/projects.ts';
import { history, patch, push, pushed } from '../../fixtures/projects/versions.ts';

const cloud = new LocalCloud('plans.pro.versionsKept=2', 'plans.pro.maxStorageBytes=1000000');
let service = '';
let key = '';
beforeAll(async () => {
  ({ baseUrl: service } = await cloud.start());
  key = await signIn(anEmail(), service);
}, 600_000);
afterAll(() => cloud.remove());

const day = 86_400;
const page = (text: string) => [file('index.html', `<h1>${text}`), file('style.css', 'body{}')];
const aProject = (text = 'live') => created(key, { files: page(text), service });
const put = (id: string, name: string, text: string, fields: Record<string, string> = {}) =>
  push(key, `${id}/previews/${name}`, page(text), { fields, service });
async function shown(id: string, name: string, text: string, fields?: Record<string, string>) {
  const answer = await put(id, name, text, fields);
  if (answer.status !== 200) throw new Error(`no preview: ${answer.text}`);
  return answer.json.data;
}
const list = async (id: string) =>
  (await get(`/v1/projects/${id}/previews`, key, service)).json.data.previews;
const objects = async (id: string) =>
  (await cloud.state()).keys.filter((stored) => stored.includes(id)).length;

test('a preview keeps its address at each push, beside the live site and its history', async () => {
  const { projectId, url } = await aProject();
  const first = await shown(projectId, 'pr-42', 'one');
  expect(first).toMatchObject({
    name: 'pr-42',
    url: url.replace('.', '--pr-42.'),
    access: 'project',
    sizeBytes: 13,
    fileCount: 2,
    isUnchanged: false,
  });
  expect(Date.parse(first.expiresAt) - Date.parse(first.updatedAt)).toBe(7 * day * 1000);
  expect((await ask(first.url)).text).toContain('<h1>one');
  const second = await shown(projectId, 'pr-42', 'two!', { expiresIn: '90d' });
  expect(second).toMatchObject({ url: first.url, createdAt: first.createdAt, sizeBytes: 14 });
  const answer = await ask(second.url);
  expect(answer.text).toContain('<h1>two!');
  expect(answer.headers).toMatchObject({
    'x-robots-tag': 'noindex',
    'cache-control': expect.stringContaining('private'),
  });
  expect((await ask(url)).text).toContain('<h1>live');
  expect(await history(key, projectId, service)).toEqual(['1 active']);
  expect(await list(projectId)).toHaveLength(1);
});

test('pushes of the project never remove files of a preview, and its bytes count', async () => {
  const own = await signIn(anEmail(), service);
  const { projectId, url } = await created(own, { files: page('live'), service });
  const fields = { fields: {}, service };
  await push(own, `${projectId}/previews/pr-1`, page('live'), fields);
  expect(await usage(own, service)).toEqual({ projects: 1, bytes: 28 });
  for (const text of ['2', '3', '4'])
    await pushed(own, projectId, [file('index.html', text)], { service });
  await cloud.advance(day);
  await cloud.maintain();
  const at = url.replace('.', '--pr-1.');
  expect((await ask(at)).text).toContain('<h1>live');
  expect((await ask(`${at}/style.css`)).text).toBe('body{}');
  expect((await usage(own, service)).bytes).toBe(1 + 14);
});

test('the same files are no new push: only its end moves', async () => {
  const { projectId } = await aProject();
  await shown(projectId, 'pr-1', 'same', { expiresIn: '2h' });
  const before = await objects(projectId);
  const again = await shown(projectId, 'pr-1', 'same', { expiresIn: '3h' });
  expect(again.isUnchanged).toBe(true);
  expect(await objects(projectId)).toBe(before);
  await cloud.advance(2.5 * 3600);
  await cloud.maintain();
  expect((await ask(again.url)).text).toContain('<h1>same');
});

test('it ends: by its time, when it is deleted, and with the project', async () => {
  const { projectId, url } = await aProject();
  const before = await objects(projectId);
  const [short, kept] = [
    await shown(projectId, 'short', 'x', { expiresIn: '1h' }),
    await shown(projectId, 'kept', 'y'),
  ];
  await cloud.advance(3601);
  expect((await ask(short.url)).status).toBe(404);
  expect((await list(projectId)).map(({ name }: any) => name)).toEqual(['kept']);
  const ended = await sendWith(
    key,
    service + `/v1/projects/${projectId}/previews/kept`,
    undefined,
    'DELETE',
  );
  expect(ended.json.data).toEqual({ deleted: true });
  expect((await ask(kept.url)).status).toBe(404);
  await cloud.advance(3 * 3600);
  await cloud.maintain();
  expect(await objects(projectId)).toBe(before);
  const last = await shown(projectId, 'last', 'z');
  await sendWith(key, service + `/v1/projects/${projectId}`, undefined, 'DELETE');
  expect((await ask(last.url)).status).toBe(404);
  expect((await ask(url)).status).toBe(404);
});

test('who may view the project sees it; a public one everybody', async () => {
  const { projectId } = await aProject();
  const own = await shown(projectId, 'own', 'x');
  const open = await shown(projectId, 'open', 'x', { access: 'public' });
  await patch(key, projectId, { access: 'private' }, service);
  expect((await ask(own.url)).text).not.toContain('<h1>x');
  expect((await ask(open.url)).text).toContain('<h1>x');
});

describe('refuses', () => {
  let projectId = '';
  beforeAll(async () => {
    ({ projectId } = await aProject());
  });

  test.each(['v3', 'PR', 'a--b', '-a', 'a-', 'a_b', 'a.b', 'x'.repeat(31)])(
    'the name %s',
    async (name) => {
      expectRefusal(await put(projectId, name, 'x'), 400, 'INVALID_REQUEST');
    },
  );

  test.each(['91d', '0h', '5m', 'soon'])('expiresIn %s', async (expiresIn) => {
    expectRefusal(await put(projectId, 'pr-1', 'x', { expiresIn }), 400, 'INVALID_REQUEST');
  });

  test('more than 20 previews, a stranger, and the name of none', async () => {
    for (let number = 1; number <= 20; number += 1) await shown(projectId, `pr-${number}`, 'x');
    expectRefusal(await put(projectId, 'pr-21', 'x'), 400, 'INVALID_REQUEST');
    await shown(projectId, 'pr-20', 'y');
    const stranger = await signIn(anEmail(), service);
    const foreign = await push(stranger, `${projectId}/previews/pr-1`, page('x'), { service });
    expectRefusal(foreign, 404, 'NOT_FOUND');
    const path = `/v1/projects/${projectId}/previews/none`;
    expectRefusal(await sendWith(key, service + path, undefined, 'DELETE'), 404, 'NOT_FOUND');
  });
});
