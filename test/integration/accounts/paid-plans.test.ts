import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { anEmail, get, sendWith, signIn } from '../../fixtures/accounts/accounts.ts';
import { adminCommand } from '../../fixtures/accounts/admin.ts';
import { type Answer, ask } from '../../fixtures/clouds/client.ts';
import { LocalCloud } from '../../fixtures/clouds/local-cloud.ts';
import { expectRefusal } from '../../fixtures/clouds/refusals.ts';

const upgradeUrl = 'https://example.org/upgrade';
const cloud = new LocalCloud(`upgradeUrl=${upgradeUrl}`);
beforeAll(() => cloud.start());
afterAll(() => cloud.remove());

const setPlan = (email: string, tier: string) =>
  adminCommand('set-plan', email, tier, '--state-dir', cloud.stateDir);
const at = (path: string) => `${cloud.baseUrl}/v1/workspaces${path}`;

/** Every operation on workspaces, malformed bodies included. */
const calls: ((key: string) => Promise<Answer>)[] = [
  (key) => get('/v1/workspaces', key, cloud.baseUrl),
  (key) => sendWith(key, at(''), { name: 'A' }),
  (key) => sendWith(key, at(''), '{'),
  (key) => sendWith(key, at(`/${randomUUID()}`), { name: 'A' }, 'PATCH'),
  (key) => sendWith(key, at(`/${randomUUID()}`), { strange: 1 }, 'PATCH'),
  (key) => sendWith(key, at(`/${randomUUID()}`), undefined, 'DELETE'),
];

async function expectRefused(key: string): Promise<void> {
  for (const call of calls) {
    const answer = await call(key);
    expectRefusal(answer, 403, 'FREE_TIER_RESTRICTED');
    expect(answer.json.requiredTier).toBe('starter');
    expect(answer.json.plan).toMatchObject({ tier: 'free', upgradeUrl });
    expect(answer.json.quota.projects).toMatchObject({ used: 0 });
    expect(answer.json.nextStep).toBe(
      `Upgrade to a paid plan (starter or higher) at ${upgradeUrl}. Do not sign in again.`,
    );
  }
}

test('a trial includes paid operations until its exact end, a plan after it', async () => {
  const email = anEmail();
  const key = await signIn(email, cloud.baseUrl);
  const workspace = (await sendWith(key, at(''), { name: 'In the trial' })).json.data;
  await cloud.advance(7 * 86_400 - 60);
  expect((await get('/v1/workspaces', key, cloud.baseUrl)).status).toBe(200);
  await cloud.advance(61);
  await expectRefused(key);
  expectRefusal(await ask(at('')), 401, 'API_KEY_MISSING');
  expect((await get('/v1/user', key, cloud.baseUrl)).json.data.plan.tier).toBe('free');

  for (const tier of ['starter', 'pro', 'agency', 'scale']) {
    expect((await setPlan(email, tier)).code).toBe(0);
    const answer = await get('/v1/workspaces', key, cloud.baseUrl);
    expect(answer.json.data).toEqual({ workspaces: [workspace] });
    const statuses: number[] = [];
    for (const call of calls) statuses.push((await call(key)).status);
    expect(statuses).toEqual([200, 201, 422, 404, 422, 404]);
    const { workspaces } = (await get('/v1/workspaces', key, cloud.baseUrl)).json.data;
    await sendWith(key, at(`/${workspaces[0].id}`), undefined, 'DELETE');
  }

  expect((await setPlan(email, 'free')).code).toBe(0);
  await expectRefused(key);
});

test('a plan that is set during a trial applies at once, and `free` ends the trial', async () => {
  const email = anEmail();
  const key = await signIn(email, cloud.baseUrl);
  const tier = async () => (await get('/v1/user', key, cloud.baseUrl)).json.data.plan.tier;
  expect(await tier()).toBe('pro');
  for (const set of ['starter', 'free', 'agency', 'free']) {
    expect((await setPlan(email, set)).code).toBe(0);
    expect(await tier()).toBe(set);
  }
  await expectRefused(key);
});
