import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { anEmail, mailsTo, signIn } from '../../fixtures/accounts/accounts.ts';
import { adminCommand } from '../../fixtures/accounts/admin.ts';
import { ask, file } from '../../fixtures/clouds/client.ts';
import { LocalCloud } from '../../fixtures/clouds/local-cloud.ts';
import { created } from '../../fixtures/projects/projects.ts';
import { expectRefusal } from '../../fixtures/clouds/refusals.ts';
import { linked, sendTo, uploadTo } from '../../fixtures/uploads/upload-links.ts';
import { history, push, pushed, rollBack } from '../../fixtures/projects/versions.ts';

const kilobyte = 1000;
const maxBytes = 30 * kilobyte;
const cloud = new LocalCloud(
  'plans.pro.versionsKept=6',
  `plans.pro.maxStorageBytes=${maxBytes}`,
  'plans.starter.versionsKept=2',
  `plans.starter.maxStorageBytes=${maxBytes}`,
);
beforeAll(async () => {
  await cloud.start();
}, 600_000);
afterAll(() => cloud.remove());

const day = 86_400;
const page = (letter: string, bytes = 10 * kilobyte) => [
  file('index.html', letter.repeat(bytes), 'text/html'),
];

async function anOwner() {
  const email = anEmail();
  const key = await signIn(email, cloud.baseUrl);
  const make = async () => {
    const project = await created(key, { files: page('a'), service: cloud.baseUrl });
    return { projectId: String(project.projectId), url: String(project.url) };
  };
  const change = (projectId: string, letter: string, bytes?: number) =>
    pushed(key, projectId, page(letter, bytes), { service: cloud.baseUrl });
  const kept = (projectId: string) => history(key, projectId, cloud.baseUrl);
  const notices = async () =>
    (await mailsTo(email, cloud.baseUrl))
      .map(({ subject }) => String(subject))
      .filter((subject) => subject.includes('Earlier versions'));
  const setPlan = async (tier: string) => {
    const { code } = await adminCommand('set-plan', email, tier, '--state-dir', cloud.stateDir);
    expect(code).toBe(0);
  };
  return { email, key, make, change, kept, notices, setPlan };
}

/** The numbers of a project's stored versions, the oldest first. */
async function storedVersions(projectId: string): Promise<number[]> {
  const { projects = [] } = (await cloud.state()).rows;
  return projects
    .filter(({ pk, sk }) => pk?.S === `PROJECT#${projectId}` && sk?.S?.startsWith('VERSION#'))
    .map(({ version }) => Number(version?.N))
    .toSorted((a, b) => a - b);
}

test('earlier versions of all projects use at most the plan’s storage, the oldest are pruned first', async () => {
  const owner = await anOwner();
  const [first, second] = [await owner.make(), await owner.make()];
  await owner.change(first.projectId, 'b');
  await owner.change(second.projectId, 'b');
  await owner.change(first.projectId, 'c');
  expect(await owner.kept(first.projectId)).toEqual(['3 active', '2 ready', '1 ready']);
  await owner.change(second.projectId, 'c');
  expect(await owner.kept(first.projectId)).toEqual(['3 active', '2 ready']);
  expect(await owner.kept(second.projectId)).toEqual(['3 active', '2 ready', '1 ready']);
  const answer = await rollBack(owner.key, first.projectId, 1, cloud.baseUrl);
  expectRefusal(answer, 404, 'NOT_FOUND');
  // Going back makes a version live that would have been the next to leave.
  expect((await rollBack(owner.key, second.projectId, 1, cloud.baseUrl)).status).toBe(200);
  await owner.change(first.projectId, 'd');
  expect(await owner.kept(first.projectId)).toEqual(['4 active', '3 ready']);
  expect(await owner.kept(second.projectId)).toEqual(['3 ready', '2 ready', '1 active']);
  expect((await ask(second.url)).text).toContain('aaa');
});

test('many concurrent pushes are all accepted, and the history fits afterwards', async () => {
  const owner = await anOwner();
  const projects = [await owner.make(), await owner.make()];
  const pushes = ['b', 'c', 'd', 'e'].flatMap((letter) =>
    projects.map(({ projectId }) =>
      push(owner.key, projectId, page(letter, 4 * kilobyte), { service: cloud.baseUrl }),
    ),
  );
  expect((await Promise.all(pushes)).map(({ status }) => status)).toEqual(pushes.map(() => 200));
  const { accounts = [], projects: rows = [] } = (await cloud.state()).rows;
  const account = accounts.find(({ email }) => email?.S === owner.email);
  const ids = projects.map(({ projectId }) => `PROJECT#${projectId}`);
  const own = rows.filter(({ pk }) => ids.includes(pk?.S ?? ''));
  const live = new Map(
    own.filter(({ sk }) => sk?.S === 'META').map(({ pk, version }) => [pk?.S, version?.N]),
  );
  const earlier = own.filter(
    ({ pk, sk, version }) => sk?.S?.startsWith('VERSION#') && live.get(pk?.S) !== version?.N,
  );
  const bytes = earlier.reduce((sum, row) => sum + Number(row['bytes']?.N), 0);
  expect(bytes).toBeLessThanOrEqual(maxBytes);
  expect(Number(account?.['earlierBytes']?.N)).toBe(bytes);
});

test('a week after the trial’s end and a mail only live versions are left', async () => {
  const owner = await anOwner();
  const { projectId, url } = await owner.make();
  for (const letter of ['b', 'c']) await owner.change(projectId, letter);
  await cloud.advance(7 * day - 60);
  expect(await owner.notices()).toEqual([]);
  await cloud.advance(180);
  expect(await owner.notices()).toHaveLength(1);
  await cloud.advance(7 * day - 300);
  expect(await storedVersions(projectId)).toEqual([1, 2, 3]);
  await cloud.advance(600);
  expect(await storedVersions(projectId)).toEqual([3]);
  expect(await owner.notices()).toHaveLength(1);
  await cloud.advance(3 * 3600);
  const { keys, rows } = await cloud.state();
  expect(keys.filter((key) => key.startsWith(`content/${projectId}/`))).toHaveLength(1);
  expect(rows['projects']?.filter(({ sk }) => sk?.S === 'TRIM')).toEqual([]);
  const checks = rows['accounts']?.filter(({ pk, sk }) => `${pk?.S} ${sk?.S}`.includes('PLAN'));
  expect(checks).toEqual([]);
  expect((await ask(url)).text).toContain('ccc');
}, 600_000);

test('an account that is on a larger plan again within the week keeps everything', async () => {
  const owner = await anOwner();
  const { projectId } = await owner.make();
  await owner.setPlan('pro');
  for (const letter of ['b', 'c', 'd']) await owner.change(projectId, letter);
  await owner.setPlan('starter');
  await cloud.advance(120);
  expect(await owner.notices()).toHaveLength(1);
  // A push takes one version for the one that it adds, not all that are above the plan.
  await owner.change(projectId, 'e', 10);
  expect(await storedVersions(projectId)).toEqual([2, 3, 4, 5]);
  await owner.setPlan('pro');
  await cloud.advance(8 * day);
  expect(await storedVersions(projectId)).toEqual([2, 3, 4, 5]);
  await owner.setPlan('starter');
  await cloud.advance(120);
  expect(await owner.notices()).toHaveLength(2);
  await cloud.advance(8 * day);
  expect(await storedVersions(projectId)).toEqual([4, 5]);
}, 600_000);

test('an upload by link for which the plan has no room is refused before a byte is sent', async () => {
  const owner = await anOwner();
  await created(owner.key, { files: page('a', 28 * kilobyte), service: cloud.baseUrl });
  const { uploadUrl } = await linked(owner.key, {}, cloud.baseUrl);
  const uploadRows = async () =>
    (await cloud.state()).rows['projects']?.filter(({ pk }) => pk?.S?.startsWith('UPLOAD#'));
  const before = await uploadRows();
  const files = [{ path: 'film.mp4', size: 3 * kilobyte }];
  const answer = await sendTo(`${uploadUrl}/uploads`, 'POST', { files });
  expectRefusal(answer, 403, 'STORAGE_LIMIT_REACHED');
  // A guest learns nothing of the account, and the link is not used up.
  expect(answer.text).not.toContain(owner.email);
  expect(await uploadRows()).toEqual(before);
  expect((await uploadTo(uploadUrl, page('b', kilobyte))).status).toBe(200);
});
