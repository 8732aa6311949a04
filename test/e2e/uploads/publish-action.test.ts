import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, statSync, writeFileSync, mkdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { anEmail, codeSentTo, get } from '../../fixtures/accounts/accounts.ts';
import { ask, baseUrl, isLocal, somebody } from '../../fixtures/clouds/client.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const helper = path.join(root, 'skills/slipway/scripts/slipway.sh');
const action = path.join(root, '.github/actions/publish/publish.sh');

// The codes are read from the local inbox.
const local = isLocal ? describe : describe.skip;

let home = '';
beforeAll(() => {
  home = mkdtempSync(path.join(tmpdir(), 'slipway-helper-'));
  // An address of its own: uploads without an account are limited by address.
  writeFileSync(path.join(home, '.curlrc'), `interface = "${somebody()}"\n`);
});
afterAll(() => rmSync(home, { recursive: true }));

interface Outcome {
  code: number;
  /** The lines `name=value` of the output. */
  values: Record<string, string>;
  stdout: string;
  stderr: string;
}

function shell(script: string, args: string[], env: Record<string, string> = {}): Promise<Outcome> {
  const options = { env: { PATH: process.env['PATH'], HOME: home, SLIPWAY_URL: baseUrl, ...env } };
  return new Promise((resolve) => {
    execFile('sh', [script, ...args], options, (error, stdout, stderr) => {
      const lines = stdout.split('\n').flatMap((line) => {
        const [, name, value] = /^(\w+)=(.*)$/.exec(line) ?? [];
        return name === undefined || value === undefined ? [] : [[name, value]];
      });
      const code = error === null ? 0 : Number(error.code);
      resolve({ code, values: Object.fromEntries(lines), stdout, stderr });
    });
  });
}

async function run(...args: string[]): Promise<Outcome> {
  const outcome = await shell(helper, args);
  expect({ code: outcome.code, stderr: outcome.stderr }).toEqual({ code: 0, stderr: '' });
  return outcome;
}

function aFolder(files: Record<string, string>): string {
  const folder = mkdtempSync(path.join(home, 'site-'));
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), content);
  }
  return folder;
}

const text = async (url: string | undefined) => (await ask(url ?? '')).text;

local('skills/slipway/scripts/slipway.sh', () => {
  const odd = 'a "quoted" name; with, odd & größe.txt';
  const site = { 'index.html': '<p>one</p>', 'assets/app.css': 'a{}', [`more/${odd}`]: 'odd' };

  test('publishes without a key, signs in, claims, and pushes only what changed', async () => {
    const folder = aFolder({ ...site, '.env': 'SECRET=1' });
    const published = (await run('publish', folder)).values;
    expect(await text(published['url'])).toContain('one');
    expect((await ask(`${published['url']}/.env`)).status).toBe(404);

    const email = anEmail();
    await run('sign-in', email);
    const signedIn = (await run('sign-in', email, await codeSentTo(email))).values;
    expect(signedIn['email']).toBe(email);
    const keyFile = signedIn['keyFile'] ?? '';
    expect(statSync(keyFile).mode & 0o077).toBe(0);
    const key = readFileSync(keyFile, 'utf8').trim();

    const { projectId = '' } = (await run('claim', published['claimUrl'] ?? '')).values;
    expect((await run('push', projectId, folder)).values).toMatchObject({
      changed: '0',
      deleted: '0',
      version: '1',
      url: published['url'],
    });

    writeFileSync(path.join(folder, 'index.html'), '<p>two</p>');
    writeFileSync(path.join(folder, 'new.txt'), 'new');
    rmSync(path.join(folder, 'assets'), { recursive: true });
    const draft = (await run('push', '--draft', projectId, folder)).values;
    expect(draft).toMatchObject({ changed: '2', deleted: '1', version: '2' });
    expect(draft['previewUrl']).toMatch(/\/_slipway\/preview\//);
    expect(await text(published['url'])).toContain('one');

    const pushed = (await run('push', projectId, folder)).values;
    expect(pushed).toMatchObject({ changed: '2', deleted: '1', url: published['url'] });
    expect(await text(published['url'])).toContain('two');
    const { files } = (await get(`/v1/projects/${projectId}/files`, key)).json.data;
    const paths = files.map((one: { path: string }) => one.path).toSorted();
    expect(paths).toEqual(['index.html', `more/${odd}`, 'new.txt'].toSorted());

    expect(JSON.parse((await run('opens', projectId)).stdout).status).toBe('success');
  });

  test('leaves out what the service leaves out, and what an ignore file names', async () => {
    const kept = { 'index.html': 'home', 'a/.well-known/z': 'z' };
    const folder = aFolder({
      ...kept,
      '.slipwayignore': 'private.txt\n',
      'private.txt': 'private',
      'a/.env': 'MODE=test',
      'node_modules/x/i.js': 'x',
      'a/Thumbs.db': 'x',
    });
    const { url, projectId = '' } = (await run('publish', folder)).values;
    expect(await text(`${url}/a/.well-known/z`)).toBe('z');
    for (const left of [
      'private.txt',
      '.slipwayignore',
      'a/.env',
      'node_modules/x/i.js',
      'a/Thumbs.db',
    ]) {
      expect([left, (await ask(`${url}/${left}`)).status]).toEqual([left, 404]);
    }
    writeFileSync(path.join(folder, 'index.html'), 'second');
    expect((await run('push', projectId, folder)).values).toMatchObject({ version: '2' });
    expect(await text(url)).toBe('second');
    expect((await ask(`${url}/private.txt`)).status).toBe(404);
  });

  test('sends what does not fit into one request straight to storage', async () => {
    const folder = aFolder({ 'index.html': 'big', 'data.bin': 'x'.repeat(4_100_000) });
    const { url, projectId = '' } = (await run('publish', '--title', 'A "big" one', folder)).values;
    expect(await text(`${url}/data.bin`)).toHaveLength(4_100_000);
    writeFileSync(path.join(folder, 'data.bin'), 'y'.repeat(4_100_000));
    const pushed = (await run('push', projectId, folder)).values;
    expect(pushed).toMatchObject({ changed: '1', deleted: '0', version: '2' });
    expect((await text(`${url}/data.bin`)).slice(0, 3)).toBe('yyy');
  });

  test.each<[string, string[], RegExp]>([
    ['a command that it does not know', ['fly'], /slipway\.sh publish/],
    ['a folder that is not there', ['publish', '/nowhere/at/all'], /does not exist/],
    ['a project of somebody else', ['push', crypto.randomUUID(), 'skills'], /\nNext: \S/],
  ])('says what to do after %s', async (_, args, message) => {
    const { code, stderr, stdout } = await shell(helper, args);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(message);
  });
});

local('.github/actions/publish', () => {
  test('publishes, then previews for a pull request, with the link as output and in the summary', async () => {
    const folder = aFolder({ 'index.html': 'from a build' });
    const email = anEmail();
    await run('sign-in', email);
    const { keyFile = '' } = (await run('sign-in', email, await codeSentTo(email))).values;
    const files = { output: path.join(home, 'output'), summary: path.join(home, 'summary') };
    const step = async (env: Record<string, string>) => {
      for (const file of Object.values(files)) writeFileSync(file, '');
      const outcome = await shell(action, [], {
        SLIPWAY_KEY: readFileSync(keyFile, 'utf8').trim(),
        PUBLISH_FOLDER: folder,
        GITHUB_OUTPUT: files.output,
        GITHUB_STEP_SUMMARY: files.summary,
        ...env,
      });
      expect({ code: outcome.code, stderr: outcome.stderr }).toEqual({ code: 0, stderr: '' });
      const lines = readFileSync(files.output, 'utf8').trimEnd().split('\n');
      return Object.fromEntries(lines.map((line) => line.split(/=(.*)/s, 2)));
    };

    const first = await step({ GITHUB_EVENT_NAME: 'push', PUBLISH_TITLE: 'Built' });
    expect(await text(first.url)).toContain('from a build');
    expect(readFileSync(files.summary, 'utf8')).toContain(first.url);
    expect(first['preview-url']).toBe('');

    writeFileSync(path.join(folder, 'index.html'), 'from a branch');
    const project = { PUBLISH_PROJECT: first['project-id'] };
    const preview = await step({ GITHUB_EVENT_NAME: 'pull_request', ...project });
    expect(readFileSync(files.summary, 'utf8')).toContain(preview['preview-url']);
    expect(await text(first.url)).toContain('from a build');
    await step({ GITHUB_EVENT_NAME: 'push', ...project });
    expect(await text(first.url)).toContain('from a branch');
  });

  test('says why there is no key in a pull request from a fork', async () => {
    const { code, stderr } = await shell(action, [], { PUBLISH_FOLDER: '.' });
    expect([code, stderr]).toEqual([1, expect.stringContaining('forks get no secrets')]);
  });
});
