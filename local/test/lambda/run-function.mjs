import { existsSync, readdirSync } from 'node:fs';
import nodeModule from 'node:module';
import { setTimeout } from 'node:timers/promises';

/** Calls a function once and ends when its compiled code is kept; run by `compiled-code.test.ts` under several Nodes. */
const { createFunction } = await import('../../lambda/create-function.ts');
const { functionOptions } = await import('./function-options.ts');
const [codeDir = '', compileCacheDir = ''] = process.argv.slice(2);
const options = functionOptions(codeDir, () => undefined);
const fn = createFunction({ ...options, compileCacheDir });
const result = await fn.invoke({});
const isKept = () =>
  existsSync(compileCacheDir) && readdirSync(compileCacheDir, { recursive: true }).length > 1;
const canKeep = 'flushCompileCache' in nodeModule;
if (canKeep) while (!isKept()) await setTimeout(20);
await fn.close();
process.stdout.write(JSON.stringify({ payload: result.payload, isKept: isKept(), canKeep }));
