import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { adminCommand } from '../../fixtures/accounts/admin.ts';
import { anEmail, get, signIn } from '../../fixtures/accounts/accounts.ts';
import { ask, baseUrl } from '../../fixtures/clouds/client.ts';

let root = '';
beforeAll(async () => {
  root = mkdtempSync(path.join(tmpdir(), 'slipway-import-'));
  writeFileSync(path.join(root, 'cli.tgz'), (await ask(`${baseUrl}/cli.tgz`)).body);
  execFileSync('tar', ['xzf', 'cli.tgz'], { cwd: root });
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

function write(name: string, content: string): void {
  mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
  writeFileSync(path.join(root, name), content);
}

/** The command in a folder with the key of an account. */
function commandOf(key: string, folder = '.') {
  mkdirSync(path.join(root, folder), { recursive: true });
  return async (...args: string[]) => {
    const child = spawn(process.execPath, [path.join(root, 'package', 'main.mjs'), ...args], {
      cwd: path.join(root, folder),
      env: { PATH: process.env['PATH'], HOME: root, SLIPWAY_KEY: key },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
    const [stdout, stderr, code] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      ended,
    ]);
    return { stdout, stderr, code, json: () => JSON.parse(stdout) };
  };
}

test('another account gets the projects with their versions and settings, once', async () => {
  const from = commandOf(await signIn(anEmail()), 'site');
  write('site/dist/index.html', '<h1>One</h1>');
  write('site/dist/empty.txt', '');
  const { url, projectId } = (await from('publish', 'dist', '--title', 'Harbour', '--json')).json();
  write('site/dist/index.html', '<h1>Two</h1>');
  expect((await from('publish')).code).toBe(0);
  write('site/dist/index.html', '<h1>Three</h1>');
  expect((await from('publish', '--draft')).code).toBe(0);
  expect((await from('set', 'noIndex=true', 'pageTitle=The harbour')).code).toBe(0);
  write('locked/index.html', '<h1>Locked</h1>');
  const other = commandOf(await signIn(anEmail()), 'locked');
  expect((await from('publish', '../locked', '--new', '--access', 'private')).code).toBe(0);
  expect((await from('export', '../out')).code).toBe(0);

  const first = await other('import', '../out', '--json');
  expect(first.code).toBe(0);
  expect(first.stderr).toContain('is taken here');
  const { imported } = first.json();
  expect(imported).toHaveLength(2);
  const made = imported.find((one: { from: string }) => one.from === projectId);
  expect(made.url).not.toBe(url);
  expect((await ask(made.url)).text).toContain('Two');
  expect((await ask(`${made.url}/empty.txt`)).status).toBe(200);
  const info = (await other('info', made.projectId, '--json')).json();
  expect(info).toMatchObject({ title: 'Harbour', noIndex: true, pageTitle: 'The harbour' });
  const { versions } = (await other('versions', made.projectId, '--json')).json();
  expect(versions.map(({ version, status }: any) => [version, status])).toEqual([
    [3, 'ready'],
    [2, 'active'],
    [1, 'ready'],
  ]);
  expect((await other('import', '../out', '--json')).json()).toEqual({ imported: [], leftOut: [] });
});

/** What an imported project of the account answers to visitors, from its first moment on. */
function watch(key: string) {
  const seen = new Set<string>();
  const over = new AbortController();
  const looking = (async () => {
    while (!over.signal.aborted) {
      const [project] = (await get('/v1/projects', key)).json.data.projects;
      if (project === undefined) continue;
      const { status, text: page } = await ask(project.url);
      seen.add(status === 200 ? page : String(status));
    }
  })();
  return async () => {
    over.abort();
    await looking;
    return [...seen];
  };
}

test('what its owner took back, and earlier versions, are seen by nobody while they are imported', async () => {
  const from = commandOf(await signIn(anEmail()), 'back');
  for (const [at, text] of ['One', 'Draft', 'Live'].entries()) {
    write('back/dist/index.html', text);
    expect((await from('publish', 'dist', ...(at === 1 ? ['--draft'] : []))).code).toBe(0);
  }
  expect((await from('export', '../public')).code).toBe(0);
  expect((await from('set', 'status=private')).code).toBe(0);
  expect((await from('export', '../back-out')).code).toBe(0);

  const [first, second, third] = [anEmail(), anEmail(), anEmail()];
  const keys = [await signIn(first), await signIn(second), await signIn(third)] as const;
  const seenPublic = watch(keys[0]);
  expect((await commandOf(keys[0], 'x')('import', '../public')).code).toBe(0);
  expect((await seenPublic()).filter((one) => one !== '401')).toEqual(['Live']);

  const seenBack = watch(keys[1]);
  expect((await commandOf(keys[1], 'y')('import', '../back-out')).code).toBe(0);
  expect((await seenBack()).filter((one) => one !== '401' && one !== '404')).toEqual([]);
  const [back] = (await get('/v1/projects', keys[1])).json.data.projects;
  expect([back.status, back.access]).toEqual(['private', 'public']);

  await adminCommand('set-plan', third, 'free', `--state-dir=${process.env['BASE_STATE_DIR']}`);
  const seenFree = watch(keys[2]);
  const free = await commandOf(keys[2], 'z')('import', '../back-out');
  expect(await seenFree()).toEqual(['401']);
  expect([free.code, free.stderr.includes('only you can see it')]).toEqual([0, true]);
}, 60_000);

test('a damaged project leaves nothing behind, and is imported once it is whole', async () => {
  const from = commandOf(await signIn(anEmail()), 'two');
  write('two/one/index.html', '<h1>Version one</h1>');
  write('two/one/other.html', 'unchanged');
  expect((await from('publish', 'one')).code).toBe(0);
  write('two/one/index.html', '<h1>Version two</h1>');
  expect((await from('publish')).code).toBe(0);
  expect((await from('export', 'out')).code).toBe(0);
  const objects = path.join(root, 'two/out/objects');
  const object = readdirSync(objects)
    .map((name) => path.join(objects, name))
    .find((file) => readFileSync(file, 'utf8').includes('Version two'));
  const whole = readFileSync(object ?? '');
  writeFileSync(object ?? '', 'damaged');

  const to = commandOf(await signIn(anEmail()), 'two');
  const failed = await to('import', 'out');
  expect([failed.code, failed.stdout]).toEqual([5, '']);
  expect(failed.stderr).toContain('one: not imported. A file is damaged');
  expect((await to('list', '--json')).json().projects).toEqual([]);
  writeFileSync(object ?? '', whole);
  expect((await to('import', 'out')).code).toBe(0);
  expect((await to('list', '--json')).json().projects).toHaveLength(1);
});
