import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { anEmail, mailsTo, sendWith, signIn } from '../../fixtures/accounts/accounts.ts';
import { adminCommand } from '../../fixtures/accounts/admin.ts';
import { ask, file } from '../../fixtures/clouds/client.ts';
import { LocalCloud } from '../../fixtures/clouds/local-cloud.ts';
import { hitsOf, look, open, whenCounted } from '../../fixtures/visits/opens.ts';
import { created } from '../../fixtures/projects/projects.ts';

const cloud = new LocalCloud(
  'plans.starter.maxVisitorsPerMonth=10',
  'plans.agency.maxVisitorsPerMonth=1000',
  'deletedKeptDays=0',
);
beforeAll(() => cloud.start());
afterAll(() => cloud.remove());

const setPlan = (email: string, tier: string) =>
  adminCommand('set-plan', email, tier, '--state-dir', cloud.stateDir);

async function anOwner(tier = 'starter') {
  const email = anEmail();
  const key = await signIn(email, cloud.baseUrl);
  expect((await setPlan(email, tier)).code).toBe(0);
  const project = async () => {
    const files = [file('index.html', '<h1>Limit</h1>')];
    return created(key, { files, service: cloud.baseUrl });
  };
  const subjects = async () =>
    (await mailsTo(email, cloud.baseUrl))
      .map(({ subject }) => String(subject))
      .filter((subject) => subject.includes('visits'));
  const visits = (projectId: string, count: number) =>
    whenCounted(key, projectId, (data) => data.visits.total >= count, cloud.baseUrl);
  return { email, key, project, subjects, visits };
}

async function until<T>(ask: () => Promise<T>, isThere: (value: T) => boolean): Promise<T> {
  const end = Date.now() + 20_000;
  for (;;) {
    const value = await ask();
    if (isThere(value) || Date.now() > end) return value;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

const visitTimes = async (url: string, count: number) => {
  for (let visit = 0; visit < count; visit += 1) await look(url);
};
const status = (url: string) =>
  until(
    async () => (await look(url)).status,
    (code) => code === 503,
  );

test('the owner gets one mail at 80 and one at 100 percent; at 200 the projects rest until the end of the month', async () => {
  const owner = await anOwner();
  const [busy, quiet] = [await owner.project(), await owner.project()];
  await visitTimes(busy.url, 7);
  await owner.visits(busy.projectId, 7);
  expect(await owner.subjects()).toEqual([]);

  await look(busy.url);
  expect(await until(owner.subjects, (mails) => mails.length > 0)).toEqual([
    expect.stringContaining('80 %'),
  ]);
  await visitTimes(busy.url, 4);
  expect(await until(owner.subjects, (mails) => mails.length > 1)).toHaveLength(2);
  expect((await owner.subjects())[0]).toContain('used all');

  await visitTimes(busy.url, 7);
  await owner.visits(busy.projectId, 19);
  expect((await look(busy.url)).status).toBe(200);
  expect(await status(busy.url)).toBe(503);
  expect(await status(quiet.url)).toBe(503);
  const rested = await look(busy.url);
  expect(rested.text).toMatch(/rest/i);
  expect(rested.headers['cache-control']).toContain('no-store');
  expect(await owner.subjects()).toHaveLength(2);

  // One that is made now rests from its first visit on.
  const late = await owner.project();
  expect((await look(late.url)).status).toBe(200);
  expect(await status(late.url)).toBe(503);

  expect((await setPlan(owner.email, 'agency')).code).toBe(0);
  for (const { url } of [busy, quiet, late]) expect((await look(url)).status).toBe(200);
}, 600_000);

test('a new month ends the rest', async () => {
  const owner = await anOwner();
  const { url } = await owner.project();
  await visitTimes(url, 20);
  expect(await status(url)).toBe(503);
  await cloud.advance(31 * 86_400);
  expect((await look(url)).status).toBe(200);
}, 600_000);

test('a plan without a limit sends no mail and rests no project', async () => {
  const owner = await anOwner('scale');
  const { projectId, url } = await owner.project();
  await visitTimes(url, 30);
  await owner.visits(projectId, 30);
  expect((await look(url)).status).toBe(200);
  expect(await owner.subjects()).toEqual([]);
}, 600_000);

test('a deleted project leaves no hits, nor does a later hit', async () => {
  const owner = await anOwner('agency');
  const { projectId, url } = await owner.project();
  await visitTimes(url, 3);
  await open(url);
  await owner.visits(projectId, 3);
  const rows = async () =>
    ((await cloud.state()).rows['analytics'] ?? []).filter(({ pk }) => pk?.S?.includes(projectId));
  const kinds = async () => new Set((await rows()).map(({ sk }) => sk?.S?.split('#')[0]));
  const all = await until(kinds, (found) => found.size === 3);
  expect(all).toEqual(new Set(['COUNT', 'OPENS', 'VISITS']));
  const deletion = sendWith(
    owner.key,
    `${cloud.baseUrl}/v1/projects/${projectId}`,
    undefined,
    'DELETE',
  );
  await Promise.all([deletion, visitTimes(url, 5)]);
  await cloud.advance(120);
  expect(await until(rows, (left) => left.length === 0)).toEqual([]);
  expect((await hitsOf(owner.key, projectId, '', cloud.baseUrl)).status).toBe(404);
  expect((await ask(url)).status).toBe(404);
}, 600_000);
