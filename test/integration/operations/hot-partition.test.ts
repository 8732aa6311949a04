import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { sendWith, signIn } from '../../fixtures/accounts/accounts.ts';
import { postMcp, rpc } from '../../fixtures/agents/mcp.ts';
import { type Answer, ask, file, publishTo } from '../../fixtures/clouds/client.ts';
import { LocalCloud } from '../../fixtures/clouds/local-cloud.ts';

/**
 * DynamoDB gives each partition key a limited throughput; here so little that few requests use it
 * up. Requests that are retried in time succeed; all others must say when to try again.
 */
const cloud = new LocalCloud();
let site = '';
let projectId = '';
let apiKey = '';
beforeAll(async () => {
  await cloud.start();
  apiKey = await signIn(undefined, cloud.baseUrl);
  const { json } = await publishTo(cloud.baseUrl, [file('index.html', '<p>hi')]);
  site = json.data.url;
  projectId = json.data.projectId;
  const url = `${cloud.baseUrl}/v1/projects/claim/${json.data.claimToken}`;
  expect((await sendWith(apiKey, url)).status).toBe(200);
  await cloud.kill();
  await cloud.start('--partition-limits=4/2');
});
afterAll(async () => {
  await cloud.remove();
});

/** Beyond what a partition key has in the seconds in which they are retried. */
const many = 16;

async function atOnce(count: number, send: () => Promise<Answer>): Promise<Answer[]> {
  return Promise.all(Array.from({ length: count }, () => send()));
}

/** Whoever is refused learns when to try again; returns the refused ones. */
function expectRetryable(answers: readonly Answer[]): Answer[] {
  const statuses = answers.map(({ status }) => status);
  expect(statuses.filter((status) => status !== 200 && status !== 503)).toEqual([]);
  const refused = answers.filter(({ status }) => status === 503);
  for (const { headers } of refused) expect(Number(headers['retry-after'])).toBeGreaterThan(0);
  return refused;
}

test('visitors of a site whose row is too busy get a page with 503 and Retry-After', async () => {
  const refused = expectRetryable(await atOnce(30, () => ask(site)));
  expect(refused[0]?.text).toContain('very busy');
  expect(refused.length).toBeGreaterThan(0);
});

test('callers whose key is too busy get a coded 503 with Retry-After', async () => {
  const answers = await atOnce(many, () =>
    sendWith(apiKey, `${cloud.baseUrl}/v1/user`, undefined, 'GET'),
  );
  for (const { json } of expectRetryable(answers)) {
    expect(json).toMatchObject({ code: 'UNAVAILABLE', retryAfterSeconds: expect.any(Number) });
  }
});

test('a transaction that is throttled is tried again, or refused with 503', async () => {
  const url = `${cloud.baseUrl}/v1/projects/${projectId}`;
  const titles = Array.from({ length: 6 }, (_, at) => `Title ${at}`);
  const answers = await Promise.all(
    titles.map((title) => sendWith(apiKey, url, { title }, 'PATCH')),
  );
  const statuses = answers.map(({ status }) => status);
  expect(statuses.filter((status) => status !== 200 && status !== 503)).toEqual([]);
});

test('an agent whose key is too busy gets 503 with Retry-After, never 500', async () => {
  const body = rpc('tools/call', { name: 'get_account', arguments: {} });
  const options = { apiKey, service: cloud.baseUrl };
  expectRetryable(await atOnce(many, () => postMcp(body, options)));
});
