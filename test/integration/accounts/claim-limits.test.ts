import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { anEmail, get, mailsTo, post, signIn } from '../../fixtures/accounts/accounts.ts';
import { ask, file } from '../../fixtures/clouds/client.ts';
import { LocalCloud } from '../../fixtures/clouds/local-cloud.ts';
import { claim, temporary } from '../../fixtures/projects/projects.ts';
import { expectRefusal } from '../../fixtures/clouds/refusals.ts';

const cloud = new LocalCloud(
  'trialDays=0',
  'plans.free.maxProjects=2',
  'plans.free.maxStorageBytes=1000',
);
beforeAll(() => cloud.start());
afterAll(() => cloud.remove());

const bytes = (count: number) => [file('a.txt', 'x'.repeat(count))];
const quotaOf = async (key: string) => (await get('/v1/user', key, cloud.baseUrl)).json.data.quota;
const tokens = async (count: number, size: number): Promise<string[]> => {
  const found: string[] = [];
  for (let index = 0; index < count; index += 1) {
    found.push((await temporary(bytes(size), cloud.baseUrl)).claimToken);
  }
  return found;
};

test('a claim over the bytes is refused with the figures, changes nothing and works later', async () => {
  const key = await signIn(anEmail(), cloud.baseUrl);
  const [token = ''] = await tokens(1, 1001);
  const refused = await claim(key, token, cloud.baseUrl);
  expectRefusal(refused, 403, 'STORAGE_LIMIT_REACHED');
  expect(refused.json.error).toMatch(/1000.*1001/);
  expect(await quotaOf(key)).toMatchObject({ projects: { used: 0 }, storage: { usedBytes: 0 } });
  const [exact = ''] = await tokens(1, 1000);
  expect((await claim(key, exact, cloud.baseUrl)).status).toBe(200);
});

test('of twenty requests to send a code again, one sends a mail', async () => {
  const email = anEmail();
  const send = (more = {}) =>
    post('/v1/auth/otp/request', { email, ...more }, { service: cloud.baseUrl });
  await send();
  await cloud.advance(61);
  const answers = await Promise.all(Array.from({ length: 20 }, () => send({ resend: true })));
  expect(answers.every(({ status }) => status === 200)).toBe(true);
  expect(answers.filter(({ json }) => json.data.resent)).toHaveLength(1);
  expect(await mailsTo(email, cloud.baseUrl)).toHaveLength(2);
});

test('the claim page answers a full account with 403 and the next step', async () => {
  const email = anEmail();
  const key = await signIn(email, cloud.baseUrl);
  for (const token of await tokens(2, 1)) await claim(key, token, cloud.baseUrl);
  const { claimUrl } = await temporary(bytes(1), cloud.baseUrl);
  const form = (fields: Record<string, string>) =>
    ask(claimUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams(fields).toString(),
    });
  await form({ email });
  const [latest] = await mailsTo(email, cloud.baseUrl);
  const [, code = ''] = /(\d{6})/.exec(latest.subject) ?? [];
  const page = await form({ email, code });
  expect(page.status).toBe(403);
  expect(page.text).toContain('Your plan’s project limit is reached');
  expect(page.headers['cache-control']).toContain('no-store');
});
