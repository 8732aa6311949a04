import { existsSync, mkdtempSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { codeSettingNames, codeSettings } from '../../../cli/code-settings.ts';
import { CommandError } from '../../../cli/command-error.ts';
import {
  lastPaths,
  linkedProject,
  linkProject,
  readProjectFile,
  unlinkProject,
} from '../../../cli/linked-project.ts';
import { readFileOf } from '../../../cli/local-file.ts';
import { collectFiles } from '../../../cli/local-files.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'slipway-settings-'));
  write('dist/index.html', '<h1>Home');
  write('dist/drafts/next.html', '<h1>Next');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function write(name: string, content: string): void {
  mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
  writeFileSync(path.join(folder, name), content);
}

function failureOf(written: Record<string, unknown>): CommandError {
  try {
    codeSettings(written);
  } catch (error) {
    if (error instanceof CommandError) return error;
  }
  throw new Error('It was accepted.');
}

describe('a setting', () => {
  test.each<[string, Record<string, unknown>]>([
    ['titel', { titel: 'Harbour' }],
    ['title', { title: '' }],
    ['title', { title: 'a\nb' }],
    ['title', { title: 'x'.repeat(256) }],
    ['spa', { spa: 'yes' }],
    ['prettyUrls', { prettyUrls: 1 }],
    ['headers', { headers: [] }],
    ['headers', { headers: { '/*': 'DENY' } }],
    ['headers', { headers: { '*': { 'X-A': 'b' } } }],
    ['headers', { headers: { '/*': { 'X-A': 'b\n  X-B: c' } } }],
    ['headers', { headers: { '/*': { 'X A': 'b' } } }],
    ['redirects', { redirects: '/a /b' }],
    ['redirects', { redirects: ['/a /b 999'] }],
    ['redirects', { redirects: ['/a /b\n/c /d'] }],
    ['ignore', { ignore: 'drafts' }],
    ['ignore', { ignore: [1] }],
  ])('%s is refused, with what is allowed: %j', (name, written) => {
    const { message, next, exitCode } = failureOf(written);
    expect(exitCode).toBe(2);
    expect(message).toContain(`.slipway/project.json`);
    expect(message).toContain(name);
    expect(`${message}\n${next}`).toMatch(/must be|Allowed are title, spa, prettyUrls, headers/);
  });

  test('is each described in docs/cli.md', () => {
    const document = readFileSync('docs/cli.md', 'utf8');
    const [, section = ''] = document.split('\n## Settings that belong to the code\n');
    const [table = ''] = section.split('\n## ');
    const rows = [...table.matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name);
    expect(rows).toEqual(codeSettingNames);
  });

  test('the example of docs/cli.md is accepted', () => {
    const [, json = '{}'] =
      /```json\n([\s\S]+?)```/.exec(readFileSync('docs/cli.md', 'utf8')) ?? [];
    const { project, files } = codeSettings(JSON.parse(json));
    expect(project).toEqual({ title: 'Harbour survey', spa: true });
    expect(files.rules.map((file) => file.path)).toEqual(['_headers', '_redirects']);
  });
});

describe('the files of a version', () => {
  const collected = async (written: Record<string, unknown>) =>
    collectFiles(['dist'], codeSettings(written).files, { cwd: folder, includeHidden: false });

  test('have the headers and redirects of the settings', async () => {
    const { files, published } = await collected({
      headers: { '/*': { 'X-Frame-Options': 'DENY', 'X-Two': 'b' }, '/a': { 'X-A': '1' } },
      redirects: ['/old /new 301', '/x /y'],
    });
    const texts = await Promise.all(
      published.map(async (file) => [file.path, await text(readFileOf(file))]),
    );
    expect(Object.fromEntries(texts)).toMatchObject({
      _headers: '/*\n  X-Frame-Options: DENY\n  X-Two: b\n/a\n  X-A: 1\n',
      _redirects: '/old /new 301\n/x /y\n',
    });
    expect(files.map((file) => file.path)).toEqual(published.map((file) => file.path));
  });

  test.each(['_headers', '_redirects'])('have one %s: two are refused', async (name) => {
    write(`dist/${name}`, '# mine');
    const both = { headers: { '/*': { 'X-A': 'b' } }, redirects: ['/a /b'] };
    await expect(collected(both)).rejects.toThrow(`in .slipway/project.json and in ${name}`);
  });

  test('do without what `ignore` names, after the patterns of the ignore file', async () => {
    const alone = await collected({ ignore: ['drafts/'] });
    expect(alone.published.map((file) => file.path)).toEqual(['index.html']);
    expect(alone.leftOut).toEqual(['drafts/next.html']);
    write('dist/.slipwayignore', '*.html\n');
    const { files, published } = await collected({ ignore: ['!index.html'] });
    expect(published.map((file) => file.path)).toEqual(['index.html']);
    const sent = files.find((file) => file.path === '.slipwayignore');
    expect(sent && (await text(readFileOf(sent)))).toBe('*.html\n\n!index.html');
  });

  test('cannot be joined to a ZIP', async () => {
    write('site.zip', 'PK');
    const { files } = codeSettings({ redirects: ['/a /b'] });
    const how = { cwd: folder, includeHidden: false };
    await expect(collectFiles(['site.zip'], files, how)).rejects.toThrow(
      'A ZIP takes no redirects',
    );
  });
});

describe('the file of a folder', () => {
  const linked = { service: 'https://a.example', projectId: 'id', url: 'x', paths: ['dist'] };
  const settings = { title: 'Harbour', ignore: ['drafts/'] };
  const content = () => JSON.parse(readFileSync(`${folder}/.slipway/project.json`, 'utf8'));

  test('keeps its settings when the folder is linked and unlinked', async () => {
    write('.slipway/project.json', JSON.stringify(settings));
    expect(await linkedProject(folder, linked.service)).toBeUndefined();
    await linkProject(folder, linked);
    expect(content()).toEqual({ ...linked, ...settings });
    expect(await linkedProject(folder, linked.service)).toMatchObject(linked);
    await unlinkProject(folder);
    expect(content()).toEqual({ paths: ['dist'], ...settings });
    expect(await lastPaths(folder)).toEqual(['dist']);
  });

  test('is gone where all of the folder was published, without settings', async () => {
    await linkProject(folder, { ...linked, paths: ['.'] });
    await unlinkProject(folder);
    expect(existsSync(`${folder}/.slipway/project.json`)).toBe(false);
    expect(await lastPaths(folder)).toEqual(['.']);
  });

  test.each(['{', '[]', 'null'])(
    'that holds %s is refused, and not overwritten',
    async (broken) => {
      write('.slipway/project.json', broken);
      await expect(readProjectFile(folder)).rejects.toThrow('is not a JSON object');
      await expect(linkProject(folder, linked)).rejects.toThrow('is not a JSON object');
      expect(readFileSync(`${folder}/.slipway/project.json`, 'utf8')).toBe(broken);
    },
  );

  test('links to no project by what is not of its form', async () => {
    write('.slipway/project.json', JSON.stringify({ ...linked, paths: 'dist' }));
    expect(await linkedProject(folder, linked.service)).toBeUndefined();
  });
});
