import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createHash } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { exportFolder } from '../../../cli/export/export-folder.ts';
import { nameOfHash } from '../../../cli/local-file.ts';
import { run } from '../../../cli/run.ts';
import { operationTable } from '../../../scripts/web-app/operation-table.ts';
import { anArchive } from '../../fixtures/archives/an-archive.ts';

let root = '';
let folder = '';
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'slipway-hostile-'));
  folder = join(root, 'cloned');
  write('cloned/index.html', '<h1>A page');
  write('private.txt', 'of another folder');
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function write(file: string, text: string): string {
  const at = join(root, file);
  mkdirSync(join(at, '..'), { recursive: true });
  writeFileSync(at, text);
  return at;
}

const home = 'http://127.0.0.1:9';

async function command(
  args: readonly string[],
  { url = home, platform = 'linux' }: { url?: string; platform?: NodeJS.Platform } = {},
) {
  let [stdout, stderr] = ['', ''];
  const code = await run(args, {
    home: url,
    version: '1.0.0',
    operations: await operationTable(),
    env: { HOME: root, SLIPWAY_KEY: 'sw_live_of_nobody' },
    cwd: folder,
    platform,
    stdin: process.stdin,
    stdout: { write: (text) => (stdout += text) },
    stderr: { write: (text) => (stderr += text) },
    signal: new AbortController().signal,
  });
  return { code, stdout, stderr };
}

describe('a folder that somebody else made', () => {
  const dryRun = async (...more: string[]) => {
    const { stdout } = await command(['publish', '.', '--dry-run', '--json', ...more]);
    const { files, leftOut } = JSON.parse(stdout);
    return { paths: files.map((file: { path: string }) => file.path), leftOut };
  };

  test('publishes no file outside of it, to which a link leads', async () => {
    symlinkSync('../private.txt', join(folder, 'relative.txt'));
    symlinkSync(join(root, 'private.txt'), join(folder, 'absolute.txt'));
    symlinkSync('index.html', join(folder, 'home.html'));
    const files = ['home.html', 'index.html'];
    const leftOut = ['absolute.txt', 'relative.txt'];
    expect(await dryRun()).toEqual({ paths: files, leftOut });
    expect(await dryRun('--include-hidden')).toEqual({ paths: files, leftOut });
  });

  test('publishes no hidden file under another name', async () => {
    write('cloned/.git/config', 'token');
    symlinkSync('.git/config', join(folder, 'config.txt'));
    symlinkSync(join(root, 'private.txt'), join(folder, '.slipwayignore'));
    const { paths, leftOut } = await dryRun();
    expect(paths).toEqual(['index.html']);
    expect(leftOut).toEqual(expect.arrayContaining(['.git/', 'config.txt', '.slipwayignore']));
    const all = await dryRun('--include-hidden');
    expect(all.paths).toEqual(['.git/config', 'config.txt', 'index.html']);
  });

  test('does not say that a file outside of it is published without a path', async () => {
    const linked = { service: home, projectId: 'x', url: 'x', paths: ['../private.txt'] };
    write('cloned/.slipway/project.json', JSON.stringify(linked));
    const refused = await command(['publish', '--dry-run']);
    expect([refused.code, refused.stdout]).toEqual([2, '']);
    expect(refused.stderr).toContain('../private.txt, which is outside of this folder');
    const typed = await command(['publish', '../private.txt', '--dry-run']);
    expect([typed.code, typed.stdout]).toEqual([0, 'private.txt (17 bytes)\n']);
  });

  test.each([
    ['another folder', 'dist', '..'],
    ['a file outside', 'dist', '../private.txt'],
    ['what is hidden', 'dist', '.git'],
    ['another folder', 'below/dist', '../..'],
  ])('does not publish %s under the name that somebody typed', async (_, named, target) => {
    write('cloned/.git/config', 'token');
    write('cloned/below/page.html', '');
    symlinkSync(target, join(folder, named));
    const refused = await command(['publish', named, '--dry-run']);
    expect([refused.code, refused.stdout]).toEqual([2, '']);
    expect(refused.stderr).toContain(`${named} is a link to`);
  });
});

describe('a service that somebody else runs', () => {
  let server: Server;
  let url = '';
  let answer: object = {};
  beforeEach(async () => {
    server = createServer((_, response) => response.end(JSON.stringify({ data: answer })));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
  });
  afterEach(() => void server.close());

  test('sends no control characters to the terminal', async () => {
    const title = 'a\u001b]52;c;Y2FsYw==\u0007\u009b2Jb\u202e\u007f';
    const project = { url: 'x', title, status: 'live', updatedAt: '2026-01-01T00:00:00Z', id: 'y' };
    answer = { projects: [project], nextCursor: null };
    const shown = await command(['list'], { url });
    expect(shown.stdout).toContain('a\\u001b]52;c;Y2FsYw==\\u0007\\u009b2Jb\\u202e\\u007f');
    const json = await command(['list', '--json'], { url });
    // oxlint-disable-next-line no-control-regex -- looks for control characters
    expect(shown.stdout + json.stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/);
    expect(JSON.parse(json.stdout).projects[0].title).toBe(title);
  });

  test.each<[NodeJS.Platform, string, string, string]>([
    ['linux', 'xdg-open', 'file:///etc/passwd', ''],
    ['linux', 'xdg-open', '--help', ''],
    ['win32', 'cmd', 'https://example.com/?a&calc.exe', ''],
    ['linux', 'xdg-open', 'https://example.com/?a&b', 'https://example.com/?a&b'],
    [
      'win32',
      'rundll32',
      'https://example.com/?a&b',
      'url.dll,FileProtocolHandler https://example.com/?a&b',
    ],
  ])('on %s, opens in %s an address %s as %j', async (platform, program, opened, expected) => {
    const bin = write(`bin/${program}`, '#!/bin/sh\necho "$*" > "$0.args"\n');
    execFileSync('chmod', ['+x', bin]);
    const { PATH } = process.env;
    process.env['PATH'] = `${join(root, 'bin')}${delimiter}${PATH}`;
    answer = { url: opened };
    try {
      const id = '01234567-89ab-4cde-8f01-23456789abcd';
      expect((await command(['open', id], { url, platform })).code).toBe(0);
      const args = `${bin}.args`;
      for (let turn = 0; turn < (expected === '' ? 10 : 100) && !existsSync(args); turn += 1)
        await sleep(20);
      expect(existsSync(args) ? readFileSync(args, 'utf8').trim() : '').toBe(expected);
    } finally {
      process.env['PATH'] = PATH;
    }
  });

  test('gets a key, and no other service to which it sends the request', async () => {
    const keys: (string | undefined)[] = [];
    const other = createServer((request, response) => {
      keys.push(request.headers.authorization);
      response.end('{}');
    });
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const address = other.address();
    const port = typeof address === 'object' ? address?.port : '';
    server.removeAllListeners('request');
    server.on('request', (request, response) => {
      keys.push(request.headers.authorization);
      response.writeHead(307, { location: `http://localhost:${port}/` }).end();
    });
    await command(['open', '01234567-89ab-4cde-8f01-23456789abcd'], { url }).catch(() => {});
    other.close();
    expect(keys).toEqual(['Bearer sw_live_of_nobody', undefined]);
  });

  test.each([
    ['a file', '.slipway/project.json', '../../private.txt', 0],
    ['a folder', '.slipway', '..', 2],
  ])('overwrites nothing outside of the folder through %s that is a link', async (...link) => {
    const [, name, target, code] = link;
    mkdirSync(join(folder, name, '..'), { recursive: true });
    symlinkSync(target, join(folder, name));
    answer = { id: 'x', url: 'https://example.com' };
    const id = '01234567-89ab-4cde-8f01-23456789abcd';
    expect((await command(['link', id], { url })).code).toBe(code);
    expect(readFileSync(join(root, 'private.txt'), 'utf8')).toBe('of another folder');
    expect(existsSync(join(root, 'project.json'))).toBe(false);
    if (code === 0) expect(readFileSync(join(folder, name), 'utf8')).toContain('example.com');
  });

  const ofExport = async () => {
    const content = async function* () {
      yield Buffer.from('abc');
    };
    const target = exportFolder(folder);
    const hash = nameOfHash(createHash('sha256').update('abc'));
    return { target, written: target.write({ hash, size: 3 }, content()), name: `${hash}-3` };
  };

  test('writes no export through a folder that is a link', async () => {
    symlinkSync('..', join(folder, 'objects'));
    await expect((await ofExport()).written).rejects.toThrow('is a link');
    expect(readdirSync(root).toSorted()).toEqual(['cloned', 'private.txt']);
  });

  test.each([
    'export.json',
    `export.json.${process.pid}`,
    `objects/ungWv48Bz-pBQUDe-3.${process.pid}.part`,
  ])('writes no export through the file %s that is a link', async (named) => {
    mkdirSync(join(folder, 'objects'));
    symlinkSync(join(root, 'private.txt'), join(folder, named));
    const { target, written, name } = await ofExport();
    expect([await written, name]).toEqual([true, 'ungWv48Bz-pBQUDe-3']);
    await target.writeArchive(anArchive([]));
    expect(JSON.parse(await target.readArchive())).toEqual(anArchive([]));
    expect(readFileSync(join(folder, 'objects', name), 'utf8')).toBe('abc');
    expect(readFileSync(join(root, 'private.txt'), 'utf8')).toBe('of another folder');
  });

  test('writes no file of an export outside of its folder', async () => {
    const target = exportFolder(join(root, 'export'));
    const object = { hash: '../../cloned/evil', size: 3 };
    const content = async function* () {
      yield Buffer.from('abc');
    };
    await expect(target.write(object, content())).rejects.toThrow('export');
    expect(existsSync(join(folder, 'evil-3.part'))).toBe(false);
  });
});
