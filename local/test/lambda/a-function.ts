import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach } from '@jest/globals';
import { createFunction, type LocalFunction } from '../../lambda/create-function.ts';
import type { FunctionOptions } from '../../lambda/lambda-environment.ts';
import { functionOptions } from './function-options.ts';

export let codeDir: string;
let running: LocalFunction[];
export let lines: string[];

beforeEach(async () => {
  codeDir = await mkdtemp(join(tmpdir(), 'slipway-lambda-'));
  running = [];
  lines = [];
});

afterEach(async () => {
  await Promise.all(running.map((fn) => fn.close()));
  await rm(codeDir, { recursive: true });
});

export async function aFunction(
  source: string,
  overrides: Partial<FunctionOptions> = {},
): Promise<LocalFunction> {
  await writeFile(join(codeDir, 'index.mjs'), source);
  const options = functionOptions(codeDir, (line) => lines.push(line));
  const fn = createFunction({ ...options, ...overrides });
  running.push(fn);
  return fn;
}

export async function payloadOf(fn: LocalFunction, event: unknown = {}): Promise<unknown> {
  const result = await fn.invoke(event);
  if (!result.ok) throw new Error(`${result.errorType}: ${result.errorMessage}`);
  return result.payload;
}
