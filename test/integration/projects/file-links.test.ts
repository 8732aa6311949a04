import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { sendWith, signIn } from '../../fixtures/accounts/accounts.ts';
import { ask, file } from '../../fixtures/clouds/client.ts';
import { LocalCloud } from '../../fixtures/clouds/local-cloud.ts';
import { adminCommand } from '../../fixtures/accounts/admin.ts';
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

test('a link gives one file of a pack as a download, whole and in parts, and stores nothing', async () => {
  const { projectId } = await aProject();
  let url = '';
  const calls = await cloud.costOf(async () => {
    url = await linkTo(projectId, 'a.txt');
  });
  expect(Object.keys(calls).filter((name) => name.startsWith('s3:Put'))).toEqual([]);
  const { status, text, headers } = await ask(url);
  expect({ status, text }).toEqual({ status: 200, text: 'the text' });
  expect(headers).toMatchObject({
    'content-disposition': "attachment; filename*=UTF-8''a.txt",
    'content-security-policy': 'sandbox',
    'cache-control': 'private, no-store',
    'x-content-type-options': 'nosniff',
  });
  const part = await ask(url, { headers: { range: 'bytes=4-' } });
  expect([part.status, part.text]).toEqual([206, 'text']);
  const head = await ask(url, { method: 'HEAD' });
  expect([head.status, head.text]).toEqual([200, '']);
});

test('an empty file is downloaded as an empty one', async () => {
  const { projectId } = await aProject();
  const { status, body } = await ask(await linkTo(projectId, 'empty.txt'));
  expect([status, body.length]).toEqual([200, 0]);
});

test('a link outlives its version, whatever the status of the project, and ends after ten minutes', async () => {
  const { projectId } = await aProject();
  const url = await linkTo(projectId, 'a.txt');
  await pushed(key, projectId, [file('index.html', '<h1>Two')], { service });
  const settings = { status: 'private' };
  await sendWith(key, `${service}/v1/projects/${projectId}`, settings, 'PATCH');
  await cloud.advance(9 * minute);
  await cloud.maintain();
  expect((await ask(url)).text).toBe('the text');
  await cloud.advance(minute);
  const ended = await ask(url);
  expect(ended.status).toBe(404);
  expect(ended.text).toContain('This download link has ended');
});

test('a link gives nothing while its project is taken down, and after it was deleted', async () => {
  const { projectId } = await aProject();
  const url = await linkTo(projectId, 'a.txt');
  const state = ['--state-dir', cloud.stateDir];
  await adminCommand('takedown', projectId, '--reason', 'abuse', ...state);
  expect((await ask(url)).status).toBe(451);
  await adminCommand('release', projectId, ...state);
  expect((await ask(url)).status).toBe(200);
  await sendWith(key, `${service}/v1/projects/${projectId}`, undefined, 'DELETE');
  expect((await ask(url)).status).toBe(404);
});
