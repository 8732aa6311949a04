import { execFile, execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { tokenExchangeGrant } from '../../../contract/oauth/oauth-paths.ts';
import { FakeActions } from '../../fixtures/agents/fake-actions.ts';
import { ask } from '../../fixtures/clouds/client.ts';
import { LocalCloud } from '../../fixtures/clouds/local-cloud.ts';
import { expectRefusal } from '../../fixtures/clouds/refusals.ts';
import { Browser } from '../../fixtures/visits/browser.ts';

const action = fileURLToPath(
  new URL('../../../.github/actions/publish/publish.mjs', import.meta.url),
);
const actions = new FakeActions();
let cloud: LocalCloud;
let browser: Browser;
let home = '';

beforeAll(async () => {
  const issuer = await actions.start();
  cloud = await new LocalCloud(`ciIssuers.github=${issuer}`).start();
  browser = await new Browser(undefined, cloud.baseUrl).signIn();
  home = mkdtempSync(path.join(tmpdir(), 'slipway-publisher-'));
  writeFileSync(path.join(home, 'cli.tgz'), (await ask(`${cloud.baseUrl}/cli.tgz`)).body);
  execFileSync('tar', ['xzf', 'cli.tgz'], { cwd: home });
  mkdirSync(path.join(home, 'dist'));
});
afterAll(async () => {
  actions.stop();
  rmSync(home, { recursive: true, force: true });
  await cloud.remove();
});

const trust = async (more: object = {}) => {
  const main = { provider: 'github', repository: 'octo/site', branch: 'main' };
  const answer = await browser.send('POST', '/v1/trusted-publishers/add', { ...main, ...more });
  expect(answer.status).toBe(201);
  return answer.json.data;
};
const listed = async () =>
  (await browser.send('GET', '/v1/trusted-publishers')).json.data.publishers;

/** A program in a job of `octo/site`, without a stored key. */
function run(
  program: string,
  args: string[],
  publisher: string,
  more: Record<string, string> = {},
) {
  const env = {
    PATH: process.env['PATH'],
    HOME: home,
    npm_config_cache: `${home}/npm`,
    SLIPWAY_URL: cloud.baseUrl,
    SLIPWAY_PUBLISHER: publisher,
    ...actions.environment,
    ...more,
  };
  return new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
    execFile(process.execPath, [program, ...args], { cwd: home, env }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
    );
  });
}

const slipway = (publisher: string, args: string[], env: Record<string, string> = {}) =>
  run(path.join(home, 'package', 'main.mjs'), args, publisher, env);

function exchange(publisher: string, token: string) {
  const form = new URLSearchParams({
    grant_type: tokenExchangeGrant,
    client_id: publisher,
    subject_token: token,
    subject_token_type: 'urn:ietf:params:oauth:token-type:jwt',
  });
  return ask(`${cloud.baseUrl}/oauth/token`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: form.toString(),
  });
}

test('the action publishes a repository again and again without a stored key', async () => {
  const { id } = await trust();
  const [event, output, summary] = ['event', 'output', 'summary'].map((name) =>
    path.join(home, name),
  ) as [string, string, string];
  const step = async (text: string) => {
    writeFileSync(path.join(home, 'dist', 'index.html'), text);
    writeFileSync(event, '{}');
    for (const file of [output, summary]) writeFileSync(file, '');
    const { code, stdout } = await run(action, [], id, {
      PUBLISH_FOLDER: 'dist',
      GITHUB_EVENT_PATH: event,
      GITHUB_OUTPUT: output,
      GITHUB_STEP_SUMMARY: summary,
      GITHUB_REPOSITORY: 'octo/site',
    });
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
    const [, url = ''] = /^url=(.*)$/m.exec(readFileSync(output, 'utf8')) ?? [];
    return url;
  };
  const url = await step('from a job');
  expect((await ask(url)).text).toContain('from a job');
  expect(await step('from the next job')).toBe(url);
  expect((await ask(url)).text).toContain('from the next job');
  expect(await listed()).toMatchObject([
    { id, repositoryId: '74', lastUsedAt: expect.stringContaining('T') },
  ]);
  expect((await browser.send('GET', '/v1/keys')).json.data.keys).toEqual([]);
  const { projects } = (await browser.send('GET', '/v1/projects')).json.data;
  const versions = await browser.send('GET', `/v1/projects/${projects[0].id}/status`);
  const publishedBy = { kind: 'key', id, name: 'octo/site' };
  expect(versions.json.data).toMatchObject([{ publishedBy }, { publishedBy }]);
});

test('a job of another branch, and one without a token, are told what to do', async () => {
  const { id } = await trust();
  actions.claims = { sub: 'repo:octo/site:ref:refs/heads/dev', ref: 'refs/heads/dev' };
  const refused = await slipway(id, ['list', '--json']);
  actions.claims = {};
  expect(refused.code).toBe(3);
  expect(JSON.parse(refused.stdout)).toEqual({
    error: 'The trusted publisher is for another branch. The token has dev.',
    code: 'branch_differs',
    next: `Compare the job with the trusted publisher: ${cloud.baseUrl}/dashboard/keys`,
  });
  const without = await slipway(id, ['list'], { ACTIONS_ID_TOKEN_REQUEST_URL: '' });
  expect(without).toMatchObject({ code: 3, stderr: expect.stringContaining('id-token: write') });
});

test('a token in SLIPWAY_ID_TOKEN works once, as at GitLab', async () => {
  const { id } = await trust();
  const env = { SLIPWAY_ID_TOKEN: await actions.token(cloud.baseUrl) };
  expect((await slipway(id, ['list', '--json'], env)).code).toBe(0);
  const again = await slipway(id, ['list', '--json'], env);
  expect(JSON.parse(again.stdout)).toMatchObject({ code: 'token_used' });
});

test('a refusal has a reason, and is never an error of the service', async () => {
  const { id } = await trust();
  const foreign = await exchange(id, await actions.token('https://other.example'));
  expect(foreign).toMatchObject({
    status: 400,
    headers: { 'cache-control': 'no-store' },
    json: {
      error: 'invalid_request',
      reason: 'audience_differs',
      error_description: expect.any(String),
      nextStep: expect.any(String),
    },
  });
  for (const token of ['x', 'a.b.c', '..', 'e30.e30.', `${'a'.repeat(9000)}.b.c`]) {
    expect(await exchange(id, token)).toMatchObject({ status: 400 });
  }
});

test('a key is for the projects of its publisher, and ends with it', async () => {
  const { projects } = (await browser.send('GET', '/v1/projects')).json.data;
  const { id } = await trust({ projectIds: [projects[0].id] });
  const { json } = await exchange(id, await actions.token(cloud.baseUrl));
  expect(json).toMatchObject({ expires_in: 600, scope: 'projects:read projects:write' });
  const headers = { authorization: `Bearer ${json.access_token}` };
  const get = (route: string) => ask(cloud.baseUrl + route, { headers });
  expect((await get(`/v1/projects/${projects[0].id}`)).status).toBe(200);
  expectRefusal(await get('/v1/trusted-publishers'), 403, 'FORBIDDEN');
  const added = await ask(`${cloud.baseUrl}/v1/trusted-publishers/add`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ provider: 'github', repository: 'evil/site', branch: 'main' }),
  });
  expectRefusal(added, 401, 'SESSION_MISSING');
  const removed = await browser.send('DELETE', `/v1/trusted-publishers/${id}`);
  expect(removed).toMatchObject({ status: 200, json: { data: { deleted: true } } });
  expectRefusal(await get(`/v1/projects/${projects[0].id}`), 401, 'API_KEY_INVALID');
});

test('the command lists and removes publishers with a key, and shows the page that adds one', async () => {
  const { id } = await trust();
  const { key } = (await browser.send('POST', '/v1/keys', { name: 'Laptop' })).json.data;
  const owned = (...args: string[]) => slipway('', args, { SLIPWAY_KEY: key });
  expect((await owned('trust')).stdout).toMatch(
    new RegExp(`^github +octo/site +main +never used +${id}$`, 'm'),
  );
  expect((await owned('trust', 'rm', id)).code).toBe(0);
  expect((await listed()).map((one: { id: string }) => one.id)).not.toContain(id);
  const { stdout } = await slipway('', ['trust', 'add', 'octo/site', '--project', 'harbour']);
  expect(stdout).toBe(
    `${cloud.baseUrl}/dashboard/keys?repository=octo%2Fsite&project=harbour#publishers\n`,
  );
});

test.each([
  [{ branch: 'release/*' }],
  [{ repository: 'octo/*' }],
  [{ repository: 'octo' }],
  [{ repository: 'octo/web/site' }],
  [{ branch: undefined }],
  [{ environment: 'prod' }],
  [{ provider: 'gitlab', branch: undefined, environment: 'prod' }],
  [{ provider: 'other' }],
  [{ permissions: [] }],
  [{ pullRequests: false }],
])('%j is refused', async (more) => {
  const main = { provider: 'github', repository: 'octo/site', branch: 'main' };
  const answer = await browser.send('POST', '/v1/trusted-publishers/add', { ...main, ...more });
  expectRefusal(answer, 400, 'INVALID_REQUEST');
});
