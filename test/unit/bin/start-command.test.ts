import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { terminal } from '../../../bin/command-line.ts';
import { runImport } from '../../../bin/run-import.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'slipway-start-'));
const file = path.join(folder, 'file');
writeFileSync(file, '');
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test.each([
  [
    'an unknown option',
    ['--bogus'],
    "Unknown option '--bogus'. npm start -- --help lists the options.\n",
  ],
  [
    'an option without its value',
    ['--port'],
    "Option '--port <value>' argument missing. npm start -- --help",
  ],
  ['an operand', ['now'], "Unexpected argument 'now'. npm start -- --help"],
  [
    'a folder that cannot be made',
    [`--state-dir=${file}/state`],
    `${file}/state cannot be used, because a part of this path is not a folder.\n`,
  ],
  [
    'a file in place of its folder',
    [`--state-dir=${file}`],
    `${file} exists and is not a folder.\n`,
  ],
  [
    'a folder without an assembly',
    ['--port=0', `--state-dir=${folder}/state`, `--assembly=${folder}/none`],
    `${folder}/none/manifest.json does not exist.\n`,
  ],
  [
    'settings for an assembly',
    [`--state-dir=${folder}/state`, `--assembly=${folder}/none`, '--setting=trialDays=0'],
    '--assembly has its settings already: leave out --setting and --stage.\n',
  ],
])('npm start refuses %s in a sentence', (_, args, sentence) => {
  const { status, stderr } = spawnSync(
    process.execPath,
    ['--import', 'tsx', 'bin/local.ts', ...args],
    { encoding: 'utf8', env: { ...process.env, NODE_OPTIONS: '' } },
  );
  expect(stderr).toContain(sentence);
  expect(stderr.trim().split('\n')).toHaveLength(1);
  expect(status).toBe(1);
});

test('npm run import names a folder that is missing', async () => {
  const lines: string[] = [];
  const from = path.join(folder, 'nowhere');
  const output = { ...terminal, printError: (line: string) => void lines.push(line) };
  expect(await runImport(['--from', from], output)).toBe(1);
  expect(lines).toEqual([
    `${from}/export.json does not exist. --from must name a folder that slipway export wrote.`,
  ]);
});
