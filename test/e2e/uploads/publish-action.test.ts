import { execFile, execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { anEmail, signIn } from '../../fixtures/accounts/accounts.ts';
import { ask, baseUrl } from '../../fixtures/clouds/client.ts';
import { created } from '../../fixtures/projects/projects.ts';
import { FakeGithub } from '../../fixtures/uploads/fake-github.ts';

const action = fileURLToPath(
  new URL('../../../.github/actions/publish/publish.mjs', import.meta.url),
);

let home = '';
/** A folder whose `npx` runs the command at once. The real one installs it each time, for seconds. */
let quick = '';
beforeAll(async () => {
  home = mkdtempSync(path.join(tmpdir(), 'slipway-action-'));
  quick = path.join(home, 'quick');
  mkdirSync(quick);
  const input = (await ask(`${baseUrl}/cli.tgz`)).body;
  execFileSync('tar', ['xz'], { cwd: quick, input });
  const command = path.join(quick, 'package/main.mjs');
  const program = `#!/bin/sh\nshift 2\nexec '${process.execPath}' '${command}' "$@"\n`;
  writeFileSync(path.join(quick, 'npx'), program, { mode: 0o755 });
});
afterAll(() => rmSync(home, { recursive: true }));

interface Step {
  code: number;
  stdout: string;
}

/** A run of the action's step in a folder of its own. */
function step(env: Record<string, string>): Promise<Step> {
  const own = { PATH: `${quick}:${process.env['PATH']}`, HOME: home, SLIPWAY_URL: baseUrl };
  const options = {
    cwd: mkdtempSync(path.join(home, 'run-')),
    env: { ...own, npm_config_cache: `${home}/npm`, ...env },
  };
  return new Promise((resolve) => {
    execFile(process.execPath, [action], options, (error, stdout) =>
      resolve({ code: error === null ? 0 : Number(error.code), stdout }),
    );
  });
}

const text = async (url: string | undefined) => (await ask(url ?? '')).text;

const github = new FakeGithub();
let api = '';
beforeAll(async () => {
  api = await github.start();
});
afterAll(() => github.stop());

/** A repository with a built site, and runs of the action there. */
class Repository {
  readonly #folder = mkdtempSync(path.join(home, 'site-'));
  readonly #key: string;

  constructor(key: string) {
    this.#key = key;
  }

  write(content: string): void {
    writeFileSync(path.join(this.#folder, 'index.html'), content);
  }

  /** A run for an event; its outputs, summary and log. */
  async run(name: string, event: object = {}, env: Record<string, string> = {}) {
    const [payload, output, summary] = ['event', 'output', 'summary'].map((file) =>
      path.join(home, file),
    ) as [string, string, string];
    writeFileSync(payload, JSON.stringify(event));
    for (const file of [output, summary]) writeFileSync(file, '');
    const { code, stdout } = await step({
      SLIPWAY_KEY: this.#key,
      PUBLISH_FOLDER: this.#folder,
      GITHUB_EVENT_NAME: name,
      GITHUB_EVENT_PATH: payload,
      GITHUB_REPOSITORY: 'owner/site',
      GITHUB_REF_NAME: 'Feature/x_y',
      GITHUB_API_URL: api,
      GITHUB_TOKEN: 'of-the-run',
      GITHUB_OUTPUT: output,
      GITHUB_STEP_SUMMARY: summary,
      ...env,
    });
    if (code !== 0) throw new Error(stdout);
    const lines = readFileSync(output, 'utf8').trimEnd().split('\n');
    const outputs = Object.fromEntries(lines.map((line) => line.split(/=(.*)/s, 2)));
    return { outputs, stdout, summary: readFileSync(summary, 'utf8') };
  }
}

const pullRequest = (action: string, sha: string) => ({
  action,
  pull_request: { number: 7, head: { sha } },
});

test('a pull request has one preview, one comment and a deployment for each change, until it is closed', async () => {
  const site = new Repository(await signIn(anEmail()));
  site.write('from main');
  const first = await site.run('push');
  const { url, 'project-id': projectId } = first.outputs;
  expect(await text(url)).toContain('from main');
  expect(first.summary).toContain(url);
  expect(first.outputs['preview-url']).toBe('');

  // Anybody may write such a comment, and change it later.
  const forged = { id: 1, body: '<!-- slipway pr-7 -->', user: { type: 'User' } as const };
  const others = Array.from({ length: 100 }, (_, at) => ({ ...forged, id: at + 2, body: 'Hello' }));
  github.comments.push(forged, ...others);
  site.write('from a branch');
  const opened = await site.run('pull_request', pullRequest('opened', 'a'.repeat(40)));
  const preview = opened.outputs['preview-url'];
  expect(preview).toBe(url?.replace('.', '--pr-7.'));
  expect(opened.outputs['project-id']).toBe(projectId);
  expect(opened.summary).toContain(preview);
  expect(await text(preview)).toContain('from a branch');
  expect(await text(url)).toContain('from main');

  const unchanged = await site.run('pull_request', pullRequest('synchronize', 'b'.repeat(40)));
  expect(unchanged.outputs['preview-url']).toBe(preview);
  expect(github.comments.at(-1)?.body).toContain('No change with bbbbbbb');
  site.write('changed');
  await site.run('pull_request', pullRequest('synchronize', 'c'.repeat(40)));
  expect(await text(preview)).toContain('changed');
  expect(github.comments).toHaveLength(102);
  expect(github.comments.at(-1)?.body).toMatch(
    /^<!-- slipway pr-7 -->\n.*--pr-7\..*\n\nccccccc: 1 file, 7 bytes/,
  );
  expect(github.comments[0]).toEqual(forged);
  const success = [{ state: 'success', environment_url: preview }];
  expect(github.deployments).toMatchObject([
    { ref: 'a'.repeat(40), environment: 'pr-7', states: success },
    { ref: 'c'.repeat(40), environment: 'pr-7', states: success },
  ]);

  await site.run('pull_request', pullRequest('closed', 'c'.repeat(40)));
  expect((await ask(preview ?? '')).status).toBe(404);
  expect(github.comments.at(-1)?.body).toContain('The preview has ended');
  expect(github.deployments.map(({ states }) => states.at(-1)?.state)).toEqual([
    'inactive',
    'inactive',
  ]);
  // Closed again: nothing is left to end.
  await site.run('pull_request', pullRequest('closed', 'c'.repeat(40)));
  expect(github.comments).toHaveLength(102);

  site.write('merged');
  const merged = await site.run('push');
  expect(merged.outputs).toMatchObject({ url, 'project-id': projectId });
  expect(await text(url)).toContain('merged');
  const branch = await site.run('push', {}, { PUBLISH_PREVIEW: 'true', PUBLISH_ACCESS: 'public' });
  expect(branch.outputs['preview-url']).toBe(url?.replace('.', '--branch-feature-x-y.'));
}, 300_000);

test('after the build of a fork the pull request is the one that GitHub names', async () => {
  const site = new Repository(await signIn(anEmail()));
  site.write('from main');
  await site.run('push');
  const sha = 'd'.repeat(40);
  const run = {
    event: 'pull_request',
    head_sha: sha,
    head_branch: 'a&b',
    head_repository: { owner: { login: 'fork' } },
  };
  github.pulls.push({ number: 6, head: { sha: 'e'.repeat(40) } }, { number: 7, head: { sha } });
  const shown = await site.run('workflow_run', { action: 'completed', workflow_run: run });
  expect(shown.outputs['preview-url']).toContain('--pr-7.');
  expect(github.requests).toContain('GET /repos/owner/site/pulls?state=open&head=fork%3Aa%26b');
  github.pulls.length = 0;
  // Never live: the commit is no longer that of a pull request.
  await expect(site.run('workflow_run', { workflow_run: run })).rejects.toThrow(
    'No open pull request',
  );
}, 300_000);

test('the site is published also where GitHub refuses the comment, and by npx itself', async () => {
  const site = new Repository(await signIn(anEmail()));
  site.write('from main');
  await site.run('push', {}, { PATH: String(process.env['PATH']) });
  site.write('x');
  github.refusal = 403;
  const { stdout, outputs } = await site.run('pull_request', pullRequest('opened', 'f'.repeat(40)));
  github.refusal = undefined;
  expect(stdout).toContain('::warning::GitHub answered 403');
  expect(await text(outputs['preview-url'])).toBe('x');
}, 300_000);

test('the action says what is wrong: no key, no folder, no project yet, two of one title', async () => {
  const wrong = async (env: Record<string, string>, words: string) =>
    expect(await step(env)).toEqual({ code: 1, stdout: expect.stringContaining(words) });
  await wrong({ PUBLISH_FOLDER: '.' }, 'Pull requests from forks get no secrets');
  const key = await signIn(anEmail());
  const ours = { SLIPWAY_KEY: key, PUBLISH_FOLDER: '/nowhere/at/all', PUBLISH_TITLE: 'Ours' };
  await wrong(ours, '/nowhere/at/all');
  await wrong(
    { ...ours, PUBLISH_PREVIEW: 'true', GITHUB_REF_NAME: 'x' },
    'No project has the title Ours',
  );
  for (const _ of [1, 2]) await created(key, { fields: { title: 'Ours' } });
  await wrong(ours, '2 projects have the title Ours');
}, 300_000);
