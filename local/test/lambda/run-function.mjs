import { existsSync, readdirSync } from 'node:fs';
import nodeModule from 'node:module';
import { setTimeout } from 'node:timers/promises';

/** Calls a function once and ends when its compiled code is kept; run by `compiled-code.test.ts` under several Nodes. */
const { createFunction } = await import('../../lambda/create-function.ts');
const [codeDir = '', compileCacheDir = ''] = process.argv.slice(2);
const fn = createFunction({
  name: 'gate',
  arn: 'arn:aws:lambda:us-east-1:000000000000:function:gate',
  codeDir,
  handler: 'index.handler',
  environment: {},
  timeoutSeconds: 10,
  memoryMb: 128,
  clock: { now: () => new Date(), offsetMs: 0 },
  compileCacheDir,
  log: () => undefined,
});
const result = await fn.invoke({});
const isKept = () =>
  existsSync(compileCacheDir) && readdirSync(compileCacheDir, { recursive: true }).length > 1;
const canKeep = 'flushCompileCache' in nodeModule;
if (canKeep) while (!isKept()) await setTimeout(20);
await fn.close();
process.stdout.write(JSON.stringify({ payload: result.payload, isKept: isKept(), canKeep }));
