import { execFileSync } from 'node:child_process';
import { expect, test } from '@jest/globals';
import { completionScript } from '../../../cli/completion.ts';
import { commands } from '../../../cli/commands.ts';
import { run } from '../../../cli/run.ts';

/** What bash offers after these words; the last one is being typed. */
function offered(...words: string[]): string[] {
  const program = `${completionScript('bash', commands)}
COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')})
COMP_CWORD=${words.length - 1}
_slipway
printf '%s\\n' "\${COMPREPLY[@]}"`;
  const said = execFileSync('bash', ['-uc', program], { encoding: 'utf8' });
  return said.split('\n').filter((line) => line !== '');
}

test.each([
  [['slipway', 'pub'], ['publish']],
  [
    ['slipway', 'r'],
    ['rollback', 'request-files', 'rm', 'restore'],
  ],
  [
    ['slipway', 'publish', 'dist', '--dr'],
    ['--draft', '--dry-run'],
  ],
  [['slipway', 'login', '--k'], ['--key']],
  [['slipway', 'help', 'dom'], ['domains']],
  [['slipway', 'domains', 'a'], ['add']],
  [['slipway', 'completion', 'z'], ['zsh']],
  [['slipway', 'request-files', '--not'], ['--notify']],
  [['slipway', 'nothing', '--'], []],
])('bash completes %j', (words, expected) => {
  expect(offered(...words)).toEqual(expected);
});

test('zsh uses the script of bash, and fish describes commands and options', () => {
  expect(completionScript('zsh', commands)).toContain('bashcompinit\n_slipway() {');
  const fish = completionScript('fish', commands);
  expect(fish).toContain("-a publish -d 'publishes a file");
  expect(fish).toContain("__fish_seen_subcommand_from publish' -l title -r -d");
});

test('another shell is a wrong command line', async () => {
  let stderr = '';
  const context = {
    home: 'http://localhost:8787',
    version: '1.0.0',
    operations: {},
    env: { HOME: '/nowhere' },
    cwd: '/nowhere',
    platform: 'linux' as const,
    stdin: process.stdin,
    stdout: { write: () => true },
    stderr: { write: (text: string) => (stderr += text) },
    signal: new AbortController().signal,
  };
  expect(await run(['completion', 'tcsh'], context)).toBe(2);
  expect(stderr).toBe(
    'Name a shell: bash, zsh, fish.\nFor example: source <(slipway completion bash)\n',
  );
});
