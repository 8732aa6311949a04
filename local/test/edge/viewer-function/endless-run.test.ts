import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';

const program = fileURLToPath(new URL('run-once.mjs', import.meta.url));

function runOnce(code: string, ...more: string[]) {
  const args = ['--import', 'tsx', program, code, ...more];
  return spawnSync(process.execPath, args, {
    encoding: 'utf8',
    env: { PATH: process.env['PATH'] },
  });
}

const message =
  'The viewer function in VisitorsViewerRequest.js does not end. CloudFront would stop it after about a millisecond and answer 503. The local cloud ends here: correct the loop in the function, then start it again.\n';

test.each([
  ['a loop', 'function handler() { for (;;) {} }'],
  ['promises that follow each other', 'async function handler() { for (;;) await null; }'],
])('%s without an end ends the process with a message', (_what, code) => {
  expect(runOnce(code)).toMatchObject({ signal: 'SIGKILL', stdout: '', stderr: message });
});

test('a process that is ended leaves no program that it started', () => {
  const { stdout: pid, stderr } = runOnce('function handler() { for (;;) {} }', 'sleep');
  expect(stderr).toBe(message);
  expect(isAlive(Number(pid))).toBe(false);
});

/** A process that nobody waits for is a zombie for a while. */
function isAlive(pid: number): boolean {
  const file = `/proc/${pid}/stat`;
  return existsSync(file) && !/^\d+ \(.*\) Z/.test(readFileSync(file, 'utf8'));
}

test('a process whose function has ended ends by itself', () => {
  expect(runOnce('function handler() { return 1; }')).toMatchObject({
    status: 0,
    stdout: '{"json":{"value":1}}',
    stderr: '',
  });
});
