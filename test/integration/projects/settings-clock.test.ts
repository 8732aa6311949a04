import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { anEmail, get, sendWith, signIn } from '../../fixtures/accounts/accounts.ts';
import { adminCommand } from '../../fixtures/accounts/admin.ts';
import { type Answer, ask, file } from '../../fixtures/clouds/client.ts';
import { LocalCloud } from '../../fixtures/clouds/local-cloud.ts';
import { created, expectNoSite } from '../../fixtures/projects/projects.ts';
import { expectRefusal } from '../../fixtures/clouds/refusals.ts';
import {
  diff,
  history,
  patch,
  push,
  pushed,
  putAway,
  rollBack,
} from '../../fixtures/projects/versions.ts';

const cloud = new LocalCloud();
let service = '';
beforeAll(async () => {
  ({ baseUrl: service } = await cloud.start());
}, 600_000);
afterAll(() => cloud.remove());

const day = 86_400;
const files = [file('index.html', '<h1>Mine'), file('style.css', 'body{}')];
const paths = ['/', '/style.css', '/nothing'];
const newKey = (email = anEmail()) => signIn(email, service);
const aSlug = () => `s-${randomBytes(6).toString('hex')}`;
const show = async (key: string, id: string) =>
  (await get(`/v1/projects/${id}`, key, service)).json.data;

/** Moves the clock to `seconds` before (or, negative, after) an instant. */
async function moveTo(at: string, seconds: number): Promise<void> {
  const wait = (Date.parse(at) - (await cloud.now()).getTime()) / 1000 - seconds;
  await cloud.advance(Math.max(0, wait));
}

test('an expiry counts from the request, and applies at the exact second', async () => {
  const key = await newKey();
  const { projectId, url } = await created(key, { files, service });
  for (const path of ['/', '/style.css', '/style.css']) await ask(url + path);
  const before = (await cloud.now()).getTime();
  expect((await patch(key, projectId, { expiresIn: '15m' }, service)).status).toBe(200);
  const after = (await cloud.now()).getTime();
  const { expiresAt } = await show(key, projectId);
  expect(Date.parse(expiresAt)).toBeGreaterThanOrEqual(before + 900_000);
  expect(Date.parse(expiresAt)).toBeLessThanOrEqual(after + 900_000);
  await moveTo(expiresAt, 5);
  for (const path of ['/', '/style.css', '/style.css']) {
    expect((await ask(url + path)).status).toBe(200);
  }
  await moveTo(expiresAt, -1);
  for (const path of paths) expect((await ask(url + path)).status).toBe(410);
  expect((await show(key, projectId)).status).toBe('expired');
});

test('a new expiry, or none, restores an expired project at the next request', async () => {
  const key = await newKey();
  const { projectId, url } = await created(key, { files, service, fields: { expiresIn: '15m' } });
  await cloud.advance(901);
  expect((await ask(url)).status).toBe(410);
  await patch(key, projectId, { expiresIn: '1h' }, service);
  expect((await ask(url)).text).toBe('<h1>Mine');
  expect((await ask(`${url}/style.css`)).status).toBe(200);
  await patch(key, projectId, { expiresIn: 'none' }, service);
  expect((await show(key, projectId)).expiresAt).toBeNull();
  await cloud.advance(40 * day);
  expect((await ask(url)).text).toBe('<h1>Mine');
  expect((await show(key, projectId)).status).toBe('public');
});

test('a project that moves during a push is complete at its new address', async () => {
  const key = await newKey();
  const { projectId } = await created(key, { files, service });
  for (let round = 1; round <= 5; round += 1) {
    const slug = aSlug();
    const name = `round ${round}`;
    const old = (await show(key, projectId)).url;
    const [deployment, moved] = await Promise.all([
      pushed(key, projectId, [file('index.html', name), file('a.txt', name)], { service }),
      patch(key, projectId, { slug }, service),
    ]);
    expect([deployment, moved.status]).toEqual([`dep_v${round + 1}`, 200]);
    const { url } = await show(key, projectId);
    expect(new URL(url).hostname.split('.')[0]).toBe(slug);
    for (const path of ['/', '/a.txt']) expect((await ask(url + path)).text).toBe(name);
    await expectNoSite(old);
  }
});

/** Every paid operation on one project, malformed bodies among them. */
const paidCalls: ((key: string, id: string) => Promise<Answer>)[] = [
  (key, id) => push(key, id, files, { service }),
  (key, id) => push(key, id, [], { service }),
  (key, id) => patch(key, id, { title: 'Paid' }, service),
  (key, id) => patch(key, id, '{', service),
  (key, id) => get(`/v1/projects/${id}/status`, key, service),
  (key, id) => rollBack(key, id, 1, service),
  (key, id) => rollBack(key, id, 'x', service),
  (key, id) => diff(key, id, 1, service),
  (key, id) => putAway(key, id, 'archive', service),
  (key, id) => putAway(key, id, 'unarchive', service),
];

async function expectRestricted(key: string, id: string): Promise<void> {
  for (const call of paidCalls) {
    const answer = await call(key, id);
    expectRefusal(answer, 403, 'FREE_TIER_RESTRICTED');
    expect(answer.json.requiredTier).toBe('starter');
    expect(answer.json.nextStep).toContain('Do not sign in again');
  }
}

test('a trial includes paid operations until its exact end, a plan after it; nothing is lost between', async () => {
  const email = anEmail();
  const key = await newKey(email);
  const begun = (await cloud.now()).toISOString();
  const setPlan = async (tier: string) => {
    const { code } = await adminCommand('set-plan', email, tier, '--state-dir', cloud.stateDir);
    expect(code).toBe(0);
  };
  const { projectId, url } = await created(key, { files, service });
  const away = await created(key, { files, service });
  await putAway(key, away.projectId, 'archive', service);
  await moveTo(begun, 60 - 7 * day);
  const two = [file('index.html', 'two')];
  expect(await pushed(key, projectId, two, { service })).toBe('dep_v2');
  await moveTo(begun, -7 * day - 5);

  await expectRestricted(key, projectId);
  await expectRestricted(key, '11111111-1111-4111-8111-111111111111');
  const unsigned = await sendWith('x', `${service}/v1/projects/${projectId}`, {}, 'PATCH');
  expectRefusal(unsigned, 401, 'API_KEY_INVALID');
  expect((await ask(url)).text).toBe('two');
  expect(await show(key, projectId)).toMatchObject({ title: 'A title', status: 'public' });
  expect(await show(key, away.projectId)).toMatchObject({ status: 'archived' });

  for (const tier of ['starter', 'pro', 'agency', 'scale']) {
    await setPlan(tier);
    const statuses = [];
    for (const call of paidCalls) statuses.push((await call(key, projectId)).status);
    expect(statuses).toEqual([200, 400, 200, 422, 200, 200, 400, 200, 200, 200]);
  }
  expect((await putAway(key, away.projectId, 'unarchive', service)).status).toBe(200);
  expect((await history(key, projectId, service)).length).toBeGreaterThan(1);
  await setPlan('free');
  await expectRestricted(key, projectId);
}, 600_000);
