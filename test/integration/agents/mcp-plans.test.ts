import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { tools } from '../../../contract/tools.ts';
import { anEmail, get, signIn } from '../../fixtures/accounts/accounts.ts';
import { ask } from '../../fixtures/clouds/client.ts';
import { LocalCloud } from '../../fixtures/clouds/local-cloud.ts';
import { called, callTool, postMcp, rpc } from '../../fixtures/agents/mcp.ts';

const cloud = new LocalCloud(
  'trialDays=0',
  'upgradeUrl=https://example.org/plans',
  'plans.free.requestsPerMinute=60',
  'plans.free.maxProjects=2',
  'plans.free.maxFilesPerProject=2',
);
let key = '';
beforeAll(async () => {
  await cloud.start();
  key = await signIn(anEmail(), cloud.baseUrl);
});
afterAll(() => cloud.remove());

const use = (name: string, args: Record<string, unknown> = {}) =>
  callTool(key, name, args, cloud.baseUrl);
const files = [{ path: 'index.html', content: '<h1>Free</h1>' }];

test('on the free plan tools of paid operations are refused, for every project and every input', async () => {
  const { projectId, url } = await called(key, 'publish_site', { files }, cloud.baseUrl);
  const paid = tools.filter(({ operation }) => operation.paid).map(({ name }) => name);
  expect(paid).toEqual([
    'update_project_files',
    'update_project_settings',
    'get_link_opens',
    'wait_for_open',
  ]);
  for (const name of paid) {
    for (const args of [{ projectId }, { projectId: randomUUID() }, { strange: 1 }]) {
      const { isError, content } = await use(name, args);
      expect([isError, content[0].text]).toEqual([
        true,
        expect.stringContaining('FREE_TIER_RESTRICTED'),
      ]);
      expect(content[0].text).toContain('"requiredTier":"starter"');
      expect(content[0].text).toContain('Next: Tell the user to upgrade to a paid plan');
      const told = JSON.parse(content[0].text.split('\n').at(-1));
      expect(told).toMatchObject({
        plan: {
          tier: 'free',
          trialEndsAt: expect.any(String),
          upgradeUrl: 'https://example.org/plans',
          limits: { maxUploadBytes: 26_214_400 },
        },
        quota: { projects: { used: 1, limit: 2 }, storage: { usedBytes: expect.any(Number) } },
      });
    }
  }
  for (const [name, args] of [
    ['get_qr_code', { projectId }],
    ['create_upload_link', { projectId }],
  ] as const) {
    expect((await use(name, args)).content[0].text).toContain('FREE_TIER_RESTRICTED');
  }
  expect((await ask(url)).text).toContain('Free');
});

test('get_account tells the end of the trial, the limits of an upload, the usage and where to change the plan', async () => {
  const own = await signIn(anEmail(), cloud.baseUrl);
  await called(own, 'publish_site', { files }, cloud.baseUrl);
  const account = await called(own, 'get_account', {}, cloud.baseUrl);
  expect(account.plan).toMatchObject({
    tier: 'free',
    trialEndsAt: expect.any(String),
    upgradeUrl: 'https://example.org/plans',
    limits: { maxFilesPerProject: 2, maxUploadBytes: 26_214_400 },
  });
  expect(account.quota).toMatchObject({
    projects: { used: 1, limit: 2 },
    storage: { usedBytes: 13, limitBytes: 262_144_000 },
  });
  expect((await get('/v1/user', own, cloud.baseUrl)).json.data).toEqual(account);
});

test('errors about plan limits name the tool that helps', async () => {
  const many = [...files, { path: 'a', content: '' }, { path: 'b', content: '' }];
  const tooMany = (await use('publish_site', { files: many })).content[0].text;
  expect(tooMany).toContain('"code":"TOO_MANY_FILES"');
  expect(tooMany).toContain('create_upload_link');
  await called(key, 'publish_site', { files }, cloud.baseUrl);
  const full = (await use('publish_site', { files })).content[0].text;
  expect(full).toContain('"code":"PROJECT_LIMIT_REACHED"');
  expect(full).toContain('Next: Call get_account');
});

test('requests count together with those of the HTTP API, and are refused with the time to wait', async () => {
  const other = await signIn(anEmail(), cloud.baseUrl);
  const seconds = (await cloud.now()).getTime() / 1000;
  await cloud.advance(60 - (seconds % 60) + 1);
  await get('/v1/user', other, cloud.baseUrl);
  const call = () => postMcp(rpc('ping'), { apiKey: other, service: cloud.baseUrl });
  const answers = await Promise.all(Array.from({ length: 60 }, call));
  const refused = answers.filter(({ status }) => status === 429);
  expect(refused).toHaveLength(1);
  const told = refused.map(({ headers, json }) => ({ headers, ...json.error.data }));
  const { code, retryAfterSeconds, headers } = told[0];
  expect(code).toBe('RATE_LIMITED');
  expect(headers['retry-after']).toBe(String(retryAfterSeconds));
  expect(headers['ratelimit-remaining']).toBe('0');
  expect(headers['access-control-allow-origin']).toBe('*');
});

test('a key that was not used for too long is a bad credential', async () => {
  const old = await signIn(anEmail(), cloud.baseUrl);
  await cloud.advance(91 * 86_400);
  const answer = await postMcp(rpc('ping'), { apiKey: old, service: cloud.baseUrl });
  expect(answer.status).toBe(401);
});
