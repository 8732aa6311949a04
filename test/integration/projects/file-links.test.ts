import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { sendWith, signIn } from '../../fixtures/accounts/accounts.ts';
import { ask, file } from '../../fixtures/clouds/client.ts';
import { LocalCloud } from '../../fixtures/clouds/local-cloud.ts';
import { created } from '../../fixtures/projects/projects.ts';
import { pushed } from '../../fixtures/projects/versions.ts';

/** A version leaves the history as soon as another one is live. */
const cloud = new LocalCloud('plans.pro.versionsKept=1');
let service = '';
let key = '';
beforeAll(async () => {
  ({ baseUrl: service } = await cloud.start());
  key = await signIn(undefined, service);
}, 600_000);
afterAll(() => cloud.remove());

const put = 's3:PutObject';
const minute = 60;

/** Files that share a pack: texts, and an empty one between them. */
const aProject = () =>
  created(key, {
    files: [file('index.html', '<h1>One'), file('empty.txt', ''), file('a.txt', 'the text')],
    service,
  });

async function linkTo(projectId: string, path: string): Promise<string> {
  const at = `${service}/v1/projects/${projectId}/file-link`;
  const answer = await sendWith(key, at, { path });
  if (answer.status !== 200) throw new Error(`no link: ${answer.text}`);
  return answer.json.data.url;
}

const copiesOf = async (projectId: string) =>
  (await cloud.state()).keys.filter(
    (stored) => stored.includes(projectId) && stored.includes('/manifest/file/'),
  );

test('links to a file of a pack that are made at once are to one copy, which later links use', async () => {
  const { projectId } = await aProject();
  const atOnce = await Promise.all([1, 2, 3].map(() => linkTo(projectId, 'a.txt')));
  expect(await copiesOf(projectId)).toHaveLength(1);
  let later = '';
  const calls = await cloud.costOf(async () => {
    later = await linkTo(projectId, 'a.txt');
  });
  expect(calls[put]).toBeUndefined();
  for (const url of [...atOnce, later]) expect((await ask(url)).text).toBe('the text');
});

test('an empty file of a pack is downloaded as an empty one, and copied once', async () => {
  const { projectId } = await aProject();
  expect((await ask(await linkTo(projectId, 'empty.txt'))).body).toHaveLength(0);
  const calls = await cloud.costOf(() => linkTo(projectId, 'empty.txt'));
  expect(calls[put]).toBeUndefined();
});

test('a link to an earlier copy stays valid when its version leaves the history, and the copy goes after two hours', async () => {
  const { projectId } = await aProject();
  await linkTo(projectId, 'a.txt');
  const url = await linkTo(projectId, 'a.txt');
  await pushed(key, projectId, [file('index.html', '<h1>Two')], { service });
  await cloud.advance(9 * minute);
  await cloud.maintain();
  expect((await ask(url)).text).toBe('the text');
  await cloud.advance(2 * 60 * minute);
  await cloud.maintain();
  expect(await copiesOf(projectId)).toEqual([]);
});
