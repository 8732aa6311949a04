import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { anEmail, signIn } from '../../fixtures/accounts/accounts.ts';
import { Person } from '../../fixtures/agents/oauth.ts';
import { ask, baseUrl } from '../../fixtures/clouds/client.ts';

const nodes = [...new Set([process.execPath, process.env['NEWER_NODE'] ?? process.execPath])];
let root: string;
let folder: string;
let key: string;

beforeAll(async () => {
  root = mkdtempSync(path.join(tmpdir(), 'slipway-command-'));
  const { body } = await ask(`${baseUrl}/cli.tgz`);
  writeFileSync(path.join(root, 'cli.tgz'), body);
  execFileSync('tar', ['xzf', 'cli.tgz'], { cwd: root });
  key = await signIn(anEmail());
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

beforeEach(() => {
  folder = mkdtempSync(path.join(root, 'project-'));
  mkdirSync(path.join(folder, 'dist', 'assets'), { recursive: true });
  write('dist/index.html', '<link rel="stylesheet" href="assets/site.css"><h1>One</h1>');
  write('dist/about.html', '<h1>About</h1>');
  write('dist/assets/site.css', 'body { color: teal }');
});

function write(name: string, content: string): void {
  writeFileSync(path.join(folder, name), content);
}

interface Run {
  node?: string;
  input?: string;
  env?: Record<string, string>;
}

/** A run of the packed command in the test's folder; its settings are in a folder of their own. */
async function slipway(args: readonly string[], { node = process.execPath, input, env }: Run = {}) {
  const child = spawn(node, [path.join(root, 'package', 'main.mjs'), ...args], {
    cwd: folder,
    env: { PATH: process.env['PATH'], HOME: folder, ...env },
  });
  child.stdin.end(input ?? '');
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  const [stdout, stderr, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  return { stdout, stderr, code };
}

/** The same with the account's key. */
const owned = (...args: string[]) => slipway(args, { env: { SLIPWAY_KEY: key } });

describe('the package', () => {
  test('is an npm package of one script, which knows this installation', async () => {
    const manifest = JSON.parse(readFileSync(path.join(root, 'package', 'package.json'), 'utf8'));
    expect(manifest).toMatchObject({
      name: 'slipway',
      homepage: baseUrl,
      bin: { slipway: 'main.mjs' },
      engines: { node: '>=20.19' },
    });
    expect(manifest).not.toHaveProperty('dependencies');
    expect(statSync(path.join(root, 'package', 'main.mjs')).size).toBeLessThan(150_000);
    const { headers } = await ask(`${baseUrl}/cli.tgz`, { method: 'HEAD' });
    expect(headers).toMatchObject({
      etag: `"${manifest.version}"`,
      'content-type': 'application/gzip',
    });
  });

  test('is the same bytes each time', async () => {
    const [one, two] = await Promise.all([ask(`${baseUrl}/cli.tgz`), ask(`${baseUrl}/cli.tgz`)]);
    expect(one.body.equals(two.body)).toBe(true);
  });

  test('runs by npx with nothing configured', () => {
    const env = { PATH: process.env['PATH'], HOME: folder, npm_config_cache: `${root}/npm` };
    const args = ['--yes', `${baseUrl}/cli.tgz`, 'publish', 'dist', '--dry-run'];
    const listed = execFileSync('npx', args, { cwd: folder, env, encoding: 'utf8' });
    expect(listed).toContain('index.html');
  });
});

test.each(nodes)('publishes without an account, and prints the claim link: %s', async (node) => {
  const { stdout, stderr, code } = await slipway(['publish', 'dist'], { node });
  expect(code).toBe(0);
  expect(stdout).toMatch(/^https?:\/\/[^\s]+\n$/);
  expect(stderr).toMatch(/^Publishing 3 files \(\d+ bytes\) as a new project, live at once\.\n/);
  expect(stderr).toContain(`To keep it, open ${baseUrl}/claim/`);
  expect((await ask(stdout.trim())).text).toContain('One');
});

test('more files than a request may have parts go as one ZIP', async () => {
  for (let number = 0; number < 20; number += 1) write(`dist/${number}.txt`, `${number}`);
  const { stdout, code } = await slipway(['publish', 'dist', '--json']);
  expect(code).toBe(0);
  const { url, sent } = JSON.parse(stdout);
  expect(sent.files).toBe(23);
  expect((await ask(`${url}/19.txt`, { headers: { accept: 'text/plain' } })).status).toBe(200);
});

test('later runs update the project of the folder, and send only what is new', async () => {
  const first = await owned('publish', 'dist');
  expect(first.code).toBe(0);
  const linked = readFileSync(path.join(folder, '.slipway', 'project.json'), 'utf8');
  expect(JSON.parse(linked)).toMatchObject({ service: baseUrl, paths: ['dist'] });
  expect(linked).not.toContain(key);
  write('dist/about.html', '<h1>Changed</h1>');
  const second = JSON.parse((await owned('publish', '--json')).stdout);
  expect(second).toMatchObject({ version: 2, sent: { files: 1, bytes: 16 }, draft: false });
  expect(`${second.url}\n`).toBe(first.stdout);
  const same = JSON.parse((await owned('publish', '--json')).stdout);
  expect(same.sent).toEqual({ files: 0, bytes: 0 });
});

test('a draft is not live before it is promoted, and a rollback undoes it', async () => {
  const url = (await owned('publish', 'dist')).stdout.trim();
  write('dist/index.html', '<h1>Two</h1>');
  const { stdout, stderr } = await owned('publish', '--draft', '--note', 'A new pier');
  expect(stdout).toContain('/_slipway/preview/');
  expect(stderr).toContain('as a draft');
  expect((await ask(url)).text).toContain('One');
  expect((await owned('diff', '2')).stdout).toBe('~ index.html\n');
  const before = '<link rel="stylesheet" href="assets/site.css"><h1>One</h1>';
  const lines = `~ index.html\n⋯\n-${before}\n+<h1>Two</h1>\n`;
  expect((await owned('diff', '2', 'index.html')).stdout).toBe(lines);
  const missing = (await owned('diff', '2', 'none.html')).stdout;
  expect(missing).toBe('none.html: does not exist\n');
  expect((await owned('promote', '2')).stdout).toBe(`${url}\n`);
  expect((await ask(url)).text).toContain('Two');
  expect((await owned('rollback')).code).toBe(0);
  expect((await ask(url)).text).toContain('One');
  const { versions } = JSON.parse((await owned('versions', '--json')).stdout);
  expect(versions.map(({ version, status, note }: any) => [version, status, note])).toEqual([
    [2, 'ready', 'A new pier'],
    [1, 'active', undefined],
  ]);
});

test('settings are chosen with a new project and with a later version', async () => {
  const args = ['publish', 'dist', '--title', 'Harbour', '--expires', '1h', '--password-stdin'];
  const made = await slipway([...args, '--json'], {
    input: 'a long password\n',
    env: { SLIPWAY_KEY: key },
  });
  const { projectId, expiresAt } = JSON.parse(made.stdout);
  expect(Date.parse(expiresAt)).toBeGreaterThan(Date.now());
  const info = JSON.parse((await owned('info', '--json')).stdout);
  expect(info).toMatchObject({ title: 'Harbour', access: 'password' });
  const slug = `moved-${projectId.slice(0, 8)}`;
  const moved = await owned('publish', '--title', 'Pier', '--slug', slug, '--access', 'public');
  expect(moved.stdout).toContain(slug);
  expect(JSON.parse((await owned('info', slug, '--json')).stdout)).toMatchObject({
    title: 'Pier',
    access: 'public',
  });
  expect((await owned('set', 'noIndex=true', 'title=Quay')).code).toBe(0);
  expect(JSON.parse((await owned('info', moved.stdout.trim(), '--json')).stdout)).toMatchObject({
    title: 'Quay',
    noIndex: true,
  });
});

test('settings of the code come with the files, and alone where no file changed', async () => {
  mkdirSync(path.join(folder, '.slipway'));
  write('.slipway/project.json', '{"title":"Harbour","prettyUrls":true}');
  expect((await owned('publish', 'dist')).code).toBe(0);
  const info = async () => JSON.parse((await owned('info', '--json')).stdout);
  expect(await info()).toMatchObject({ title: 'Harbour', prettyUrls: true, version: 1 });
  const settings = async (changes: object) => {
    const written = JSON.parse(readFileSync(`${folder}/.slipway/project.json`, 'utf8'));
    write('.slipway/project.json', JSON.stringify({ ...written, ...changes }));
    return (await owned('publish')).code;
  };
  write('dist/about.html', '<h1>Changed</h1>');
  expect(await settings({ title: 'Pier', spa: true, prettyUrls: false })).toBe(0);
  const pushed = { title: 'Pier', spa: true, prettyUrls: false, version: 2 };
  expect(await info()).toMatchObject(pushed);
  expect(await settings({ title: 'Quay' })).toBe(0);
  expect(await info()).toMatchObject({ ...pushed, title: 'Quay' });
});

test('a project is listed, deleted, restored, unlinked and linked again', async () => {
  const url = (await owned('publish', 'dist')).stdout.trim();
  const { projectId } = JSON.parse(readFileSync(`${folder}/.slipway/project.json`, 'utf8'));
  expect((await owned('list')).stdout).toContain(url);
  expect((await owned('qr')).stdout).toMatch(/^<svg /);
  expect((await owned('opens')).stdout).toMatch(/^0 opens/);
  expect((await owned('unlink')).code).toBe(0);
  expect((await owned('info')).code).toBe(2);
  expect((await owned('link', projectId, 'dist')).code).toBe(0);
  expect((await owned('rm')).code).toBe(0);
  expect((await ask(url)).status).toBe(404);
  expect((await owned('restore', projectId)).stdout).toBe(`${url}\n`);
  expect(await owned('rm', projectId, 'nothing-here')).toMatchObject({ code: 5 });
});

test('the key of login is kept in a file that only its owner reads, and logout forgets it', async () => {
  const { code, stdout } = await slipway(['login', '--key'], { input: `${key}\n` });
  expect([code, stdout]).toEqual([0, expect.stringContaining('Signed in as person-')]);
  const file = path.join(folder, '.config', 'slipway', 'credentials.json');
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect((await slipway(['whoami'])).stdout).toContain('person-');
  expect((await slipway(['logout'])).code).toBe(0);
  expect(readFileSync(file, 'utf8')).not.toContain(key);
  expect((await slipway(['whoami'])).code).toBe(3);
});

test.each<[number, string, string[], Record<string, string>]>([
  [2, 'slipway list has no option --title.', ['list', '--title', 'x'], {}],
  [
    2,
    '--access must be one of public, private, people, identify.',
    ['publish', 'dist', '--access', 'all'],
    {},
  ],
  [2, 'x is not the address of an installation.', ['list', '--url', 'x'], {}],
  [3, 'You are not signed in at', ['list'], {}],
  [3, 'This API key does not exist.', ['list'], { SLIPWAY_KEY: 'sw_live_nothing' }],
  [3, 'Without an account, a project has no settings.', ['publish', 'dist', '--slug', 'x'], {}],
])('exit code %d: %s', async (code, message, args, env) => {
  const answer = await slipway(args, { env });
  expect(answer).toMatchObject({ code, stdout: '', stderr: expect.stringContaining(message) });
  const asJson = await slipway([...args, '--json'], { env });
  expect(JSON.parse(asJson.stdout)).toMatchObject({ error: expect.stringContaining(message) });
});

test('exit code 1: keys in files are named, and nothing is published', async () => {
  write('dist/config.js', `const key = '${['AKIA', 'ABCDEFGHIJKLMNOP'].join('')}';`);
  const { code, stderr } = await owned('publish', 'dist');
  expect(code).toBe(1);
  expect(stderr).toContain('config.js:1');
  expect(stderr).toContain('--allow-secrets');
});

describe('on a terminal', () => {
  test.each(nodes)('progress is shown, and the address last: %s', (node) => {
    const command = `${node} ${root}/package/main.mjs publish dist`;
    const env = { PATH: process.env['PATH'], HOME: folder, SLIPWAY_KEY: key };
    const how = { cwd: folder, env, encoding: 'utf8' } as const;
    const shown = execFileSync('script', ['-qec', command, '/dev/null'], how);
    expect(shown).toContain('\r\u001B[KSent ');
    // Nothing but the removal of a line: no colors.
    const sequences = shown.split('\u001B[').slice(1);
    expect(sequences.filter((one) => !one.startsWith('K'))).toEqual([]);
    expect(shown.trimEnd().split('\r\n').at(-1)).toMatch(/^https?:\/\//);
  });
});

test('login waits for the browser, and keeps the key that somebody allows there', async () => {
  const child = spawn(process.execPath, [path.join(root, 'package', 'main.mjs'), 'login'], {
    cwd: folder,
    env: { PATH: process.env['PATH'], HOME: folder },
  });
  const page = await new Promise<string>((resolve) => {
    let shown = '';
    child.stderr.on('data', (chunk) => {
      shown += String(chunk);
      const [found] = /http\S+user_code=\S+/.exec(shown) ?? [];
      if (found !== undefined) resolve(found);
    });
  });
  const person = new Person();
  await person.submit(await person.reachConsent(page), {}, ['decision', 'allow']);
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  expect([await text(child.stdout), await ended]).toEqual([
    `Signed in as ${person.email} at ${baseUrl}.\n`,
    0,
  ]);
  expect((await slipway(['whoami'])).stdout).toContain(person.email);
});

test('advice is what the user can type, also by npx', async () => {
  const plain = await slipway(['list']);
  expect(plain.stderr).toContain('Run: slipway login');
  const byNpx = await slipway(['list'], { env: { npm_command: 'exec' } });
  expect(byNpx.stderr).toContain(`Run: npx ${baseUrl}/cli.tgz login`);
});
