import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { anEmail, get, signIn } from '../../fixtures/accounts/accounts.ts';
import { ask, file } from '../../fixtures/clouds/client.ts';
import { LocalCloud } from '../../fixtures/clouds/local-cloud.ts';
import {
  claim,
  create,
  created,
  expectNoSite,
  remove,
  temporary,
  usage,
} from '../../fixtures/projects/projects.ts';
import { expectRefusal } from '../../fixtures/clouds/refusals.ts';

/** Every account is on the free plan immediately, and deleted projects are removed immediately. */
const cloud = new LocalCloud('trialDays=0', 'deletedKeptDays=0');
let service = '';
let key = '';
beforeAll(async () => {
  ({ baseUrl: service } = await cloud.start());
  key = await signIn(anEmail(), service);
  // Starts the function, so that its first start is not measured later.
  await claim(key, 'nothing', service);
}, 600_000);
afterAll(() => cloud.remove());

const day = 86_400;
const files = [file('index.html', '<h1>Mine</h1>'), file('style.css', 'body{}')];
const bytes = 19;
const show = (id: string) => get(`/v1/projects/${id}`, key, service);
const listed = async () => (await get('/v1/projects', key, service)).json.data.projects;

/** Moves the clock to `seconds` before (or, negative, after) an instant. */
async function moveTo(at: string, seconds: number): Promise<void> {
  const wait = (Date.parse(at) - (await cloud.now()).getTime()) / 1000 - seconds;
  await cloud.advance(Math.max(0, wait));
}

async function expectNothingLeft(...projectIds: string[]): Promise<void> {
  const { rows, keys } = await cloud.state();
  const left = JSON.stringify([rows['projects'], rows['sites'], keys]);
  for (const id of projectIds) expect(left).not.toContain(id);
}

/** Claims a temporary project in its last second. A busy machine may need longer, and then takes another project. */
async function claimedInTime(): ReturnType<typeof temporary> {
  for (let tries = 1; tries <= 10; tries += 1) {
    const early = await temporary(files, service);
    await moveTo(early.expiresAt, 5);
    const { status } = await claim(key, early.claimToken, service);
    const inTime = (await cloud.now()).getTime() < Date.parse(early.expiresAt);
    if (inTime) expect(status).toBe(200);
    if (inTime) return early;
    if (status === 200) expect((await remove(key, early.projectId, service)).status).toBe(200);
  }
  throw new Error('No claim was answered within a second: this machine is too busy.');
}

test('a temporary project can be claimed a second before its expiry and not a second after', async () => {
  const early = await claimedInTime();
  const late = await temporary(files, service);
  await moveTo(late.expiresAt, -1);
  expectRefusal(await claim(key, late.claimToken, service), 404, 'CLAIM_NOT_FOUND');
  expect((await ask(`${service}/claim/${late.claimToken}`)).status).toBe(404);
  await cloud.advance(60);
  await expectNothingLeft(late.projectId);
  expectRefusal(await claim(key, late.claimToken, service), 404, 'CLAIM_NOT_FOUND');
  expect((await ask(early.url)).status).toBe(200);
  expect((await remove(key, early.projectId, service)).status).toBe(200);
});

test('a project that is claimed in the last second is never swept', async () => {
  let timely = 0;
  for (let round = 1; round <= 10; round += 1) {
    const { claimToken, expiresAt, projectId, url } = await temporary(files, service);
    await moveTo(expiresAt, 5);
    const sweeps = [cloud.maintain(), cloud.maintain()];
    const answer = await claim(key, claimToken, service);
    const inTime = (await cloud.now()).getTime() < Date.parse(expiresAt);
    await Promise.all(sweeps);
    if (inTime) expect(answer.status).toBe(200);
    timely += inTime ? 1 : 0;
    await moveTo(expiresAt, -61);
    await cloud.maintain();
    const kept = answer.status === 200;
    expect((await ask(url)).status).toBe(kept ? 200 : 410);
    expect((await ask(`${url}/style.css`)).status).toBe(kept ? 200 : 410);
    expect((await show(projectId)).status).toBe(kept ? 200 : 404);
    if (kept) expect((await remove(key, projectId, service)).status).toBe(200);
    // The second purge of the edge comes a minute later, and is the last that is known of it.
    await cloud.advance(61);
    await expectNothingLeft(projectId);
  }
  expect(timely).toBeGreaterThan(5);
  expect(await usage(key, service)).toEqual({ projects: 0, bytes: 0 });
});

test.each(['15m', '1h', '24h', '7d'])(
  'a project created for %s ends at the exact second',
  async (expiresIn) => {
    const made = await created(key, { fields: { expiresIn }, files, service });
    await moveTo(made.expiresAt, 5);
    expect((await ask(made.url)).status).toBe(200);
    expect((await ask(`${made.url}/style.css`)).status).toBe(200);
    await moveTo(made.expiresAt, -1);
    for (const path of ['/', '/style.css', '/nothing']) {
      expect((await ask(made.url + path)).status).toBe(410);
    }
    expect((await show(made.projectId)).json.data.status).toBe('expired');
    expect(await usage(key, service)).toEqual({ projects: 1, bytes });
    expect((await remove(key, made.projectId, service)).status).toBe(200);
    await expectNoSite(made.url);
    expect(await usage(key, service)).toEqual({ projects: 0, bytes: 0 });
  },
);

test('a claimed project on the free plan lives seven days, counts for thirty more, and leaves nothing behind', async () => {
  const temp = await temporary(files, service);
  const before = (await cloud.now()).getTime();
  const { expiresAt, projectId, url } = (await claim(key, temp.claimToken, service)).json.data;
  const after = (await cloud.now()).getTime();
  expect(Date.parse(expiresAt)).toBeGreaterThanOrEqual(before + 7 * day * 1000);
  expect(Date.parse(expiresAt)).toBeLessThanOrEqual(after + 7 * day * 1000);

  await moveTo(expiresAt, 5);
  expect((await ask(url)).status).toBe(200);
  expect((await show(projectId)).json.data.status).toBe('public');
  await moveTo(expiresAt, -1);
  expect((await ask(url)).status).toBe(410);
  expect((await ask(`${url}/style.css`)).status).toBe(410);
  expectRefusal(await claim(key, temp.claimToken, service), 409, 'ALREADY_CLAIMED');

  await cloud.advance(2 * day);
  expect(await listed()).toMatchObject([{ id: projectId, status: 'expired', expiresAt }]);
  expect((await show(projectId)).json.data.status).toBe('expired');
  expect(await usage(key, service)).toEqual({ projects: 1, bytes });
  for (let more = 1; more <= 4; more += 1) await created(key, { files, service });
  expectRefusal(await create(key, { files, service }), 403, 'PROJECT_LIMIT_REACHED');

  const removedAt = new Date(Date.parse(expiresAt) + 30 * day * 1000).toISOString();
  await moveTo(removedAt, 2);
  expect((await show(projectId)).json.data.status).toBe('expired');
  expect((await ask(url)).status).toBe(410);
  expect((await usage(key, service)).projects).toBe(5);
  await moveTo(removedAt, -1);
  await cloud.maintain();
  expectRefusal(await show(projectId), 404, 'NOT_FOUND');
  await expectNoSite(url, ['/', '/style.css'], 410);
  expect(await usage(key, service)).toEqual({ projects: 4, bytes: 4 * bytes });
  await expectNothingLeft(projectId);

  for (const { id } of await listed()) await remove(key, id, service);
  await cloud.advance(120);
  const { rows, keys } = await cloud.state();
  // Addresses stay with the account, or say that their project expired.
  const serving = rows['sites']?.filter(
    ({ heldFor, expired }) => (heldFor ?? expired) === undefined,
  );
  expect({ projects: rows['projects'], serving, keys }).toEqual({
    projects: [],
    serving: [],
    keys: [],
  });
  expect(await usage(key, service)).toEqual({ projects: 0, bytes: 0 });
}, 600_000);
