import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { transform } from 'esbuild';
import { sourcePositions } from '../../../../lambdas/shared/source-positions.ts';

const folder = mkdtempSync(join(tmpdir(), 'slipway-bundle-'));
const url = new URL(`${pathToFileURL(folder).href}/`);
afterAll(() => rmSync(folder, { recursive: true }));

const source = `
export function fail(): never {
  throw new Error('x');
}
`;

beforeAll(async () => {
  const { code, map } = await transform(source, {
    loader: 'ts',
    minify: true,
    sourcemap: 'external',
    sourcefile: '../../../core/fail.ts',
  });
  writeFileSync(join(folder, 'index.mjs'), code);
  writeFileSync(join(folder, 'index.mjs.map'), map);
  writeFileSync(join(folder, 'unmapped.mjs'), code);
  writeFileSync(join(folder, 'damaged.mjs'), code);
  writeFileSync(join(folder, 'damaged.mjs.map'), '{');
});

/** The stack of an error that a file of the bundle throws. */
async function stackOf(name: string): Promise<string> {
  const { fail } = await import(new URL(name, url).href);
  try {
    fail();
  } catch (error) {
    if (error instanceof Error) return error.stack ?? '';
  }
  throw new Error('It did not fail.');
}

test('a stack trace names the line of the source', async () => {
  const stack = await stackOf('index.mjs');
  expect(stack).toContain(`${url.href}index.mjs:1:`);
  const named = sourcePositions(stack, url);
  expect(named).toMatch(/^Error: x\n {4}at \w+ \(core\/fail\.ts:3:9\)\n/);
  // The test itself is not part of the bundle.
  expect(named.split('\n').slice(2)).toEqual(stack.split('\n').slice(2));
});

test.each(['unmapped.mjs', 'damaged.mjs'])('%s keeps its places', async (name) => {
  const stack = await stackOf(name);
  expect(sourcePositions(stack, url)).toBe(stack);
});

test.each([
  '    at file:///etc/index.mjs:1:5',
  `    at ${url.href}../index.mjs:1:5`,
  `Error: told of ${url.href}index.mjs:1:5`,
  `    at ${' '.repeat(1000)}${url.href}index.mjs:1:5`,
  '    at node:internal/x:1:2',
])('%j stays as it is', (line) => {
  expect(sourcePositions(`Error\n${line}`, url)).toBe(`Error\n${line}`);
});
