import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from '@jest/globals';

const program = fileURLToPath(new URL('run-function.mjs', import.meta.url));
/** CI gives the Node of deployed functions, which can keep compiled code. */
const nodes = [...new Set([process.execPath, process.env['NEWER_NODE'] ?? process.execPath])];

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'slipway-compiled-'));
  mkdirSync(join(dir, 'code'));
  writeFileSync(join(dir, 'code', 'index.mjs'), 'export const handler = async () => "hello";');
});
afterEach(() => rmSync(dir, { recursive: true }));

/** Runs the function in a process of its own; Node says on the second stream what it does with compiled code. */
function run(node: string) {
  const args = ['--import', 'tsx', program, join(dir, 'code'), join(dir, 'compile-cache')];
  const env = { NODE_DEBUG_NATIVE: 'COMPILE_CACHE' };
  const { stdout, stderr } = spawnSync(node, args, { encoding: 'utf8', env, timeout: 30_000 });
  const own = stderr.split('\n').filter((line) => line.includes(join('code', 'index.mjs')));
  return { ...JSON.parse(stdout), isUsed: own.some((line) => line.includes('was accepted')) };
}

test.each(nodes)("the next environment uses a function's compiled code (%s)", (node) => {
  const first = run(node);
  const { canKeep } = first;
  expect(first).toEqual({ payload: 'hello', canKeep, isKept: canKeep, isUsed: false });
  expect(run(node)).toEqual({ payload: 'hello', canKeep, isKept: canKeep, isUsed: canKeep });
});
