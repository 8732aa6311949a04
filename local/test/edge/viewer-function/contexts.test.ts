import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';

const program = fileURLToPath(new URL('count-contexts.mjs', import.meta.url));
/** CI gives the Node of deployed functions, which also runs its long proofs. */
const nodes = [...new Set([process.execPath, process.env['NEWER_NODE'] ?? process.execPath])];

function countContexts(node: string, code: string) {
  const args = ['--import', 'tsx', program, code];
  return JSON.parse(execFileSync(node, args, { encoding: 'utf8', env: {} }));
}

test.each(nodes)('one context serves all runs that leave nothing (%s)', (node) => {
  const code = 'function handler(event) { return event; }';
  expect(countContexts(node, code)).toEqual({
    contexts: 1,
    outputs: [1, 2, 3].map((count) => ({ json: { value: { count } } })),
  });
});

test.each(nodes)('a run that leaves a global gets the next one another context (%s)', (node) => {
  const code = 'function handler(event) { globalThis.left = 1; return event; }';
  expect(countContexts(node, code).contexts).toBe(3);
});
