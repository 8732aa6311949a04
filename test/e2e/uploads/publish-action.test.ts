import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { anEmail, signIn } from '../../fixtures/accounts/accounts.ts';
import { ask, baseUrl } from '../../fixtures/clouds/client.ts';

const action = fileURLToPath(
  new URL('../../../.github/actions/publish/publish.sh', import.meta.url),
);

let home = '';
beforeAll(() => {
  home = mkdtempSync(path.join(tmpdir(), 'slipway-action-'));
});
afterAll(() => rmSync(home, { recursive: true }));

/** A run of the action's step in a folder of its own. */
function step(env: Record<string, string>): Promise<{ code: number; stderr: string }> {
  const own = { PATH: process.env['PATH'], HOME: home, SLIPWAY_URL: baseUrl };
  const options = { cwd: home, env: { ...own, npm_config_cache: `${home}/npm`, ...env } };
  return new Promise((resolve) => {
    execFile('sh', [action], options, (error, _, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code), stderr }),
    );
  });
}

const text = async (url: string | undefined) => (await ask(url ?? '')).text;

test('the action publishes, then previews for a pull request, with the link as output and in the summary', async () => {
  const folder = mkdtempSync(path.join(home, 'site-'));
  const write = (content: string) => writeFileSync(path.join(folder, 'index.html'), content);
  const key = await signIn(anEmail());
  const files = { output: path.join(home, 'output'), summary: path.join(home, 'summary') };
  const outputs = async (env: Record<string, string>) => {
    for (const file of Object.values(files)) writeFileSync(file, '');
    const { code, stderr } = await step({
      SLIPWAY_KEY: key,
      PUBLISH_FOLDER: folder,
      GITHUB_OUTPUT: files.output,
      GITHUB_STEP_SUMMARY: files.summary,
      ...env,
    });
    expect([code, stderr]).toEqual([0, expect.any(String)]);
    const lines = readFileSync(files.output, 'utf8').trimEnd().split('\n');
    return Object.fromEntries(lines.map((line) => line.split(/=(.*)/s, 2)));
  };

  write('from a build');
  const first = await outputs({ GITHUB_EVENT_NAME: 'push', PUBLISH_TITLE: 'Built' });
  expect(await text(first.url)).toContain('from a build');
  expect(readFileSync(files.summary, 'utf8')).toContain(first.url);
  expect(first['preview-url']).toBe('');

  write('from a branch');
  const project = { PUBLISH_PROJECT: first['project-id'] };
  const preview = await outputs({ GITHUB_EVENT_NAME: 'pull_request', ...project });
  expect(readFileSync(files.summary, 'utf8')).toContain(preview['preview-url']);
  // It leads to the page with a cookie, as previews.test.ts shows.
  expect(preview['preview-url']).toMatch(/\/_slipway\/preview\//);
  expect(await text(first.url)).toContain('from a build');
  await outputs({ GITHUB_EVENT_NAME: 'push', ...project });
  expect(await text(first.url)).toContain('from a branch');
});

test('the action says what is wrong: no key in a pull request from a fork, and a folder that is not there', async () => {
  expect(await step({ PUBLISH_FOLDER: '.' })).toEqual({
    code: 1,
    stderr: expect.stringContaining('forks get no secrets'),
  });
  const missing = await step({ SLIPWAY_KEY: 'sw_live_x', PUBLISH_FOLDER: '/nowhere/at/all' });
  expect(missing).toEqual({ code: 1, stderr: expect.stringContaining('/nowhere/at/all') });
});
