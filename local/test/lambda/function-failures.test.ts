import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from '@jest/globals';
import { lines, aFunction, payloadOf } from './a-function.ts';

describe('failures', () => {
  test.each([
    [
      'a thrown error',
      `export const handler = async () => { throw new TypeError('no such slug'); };`,
      'TypeError',
      'no such slug',
    ],
    ['a thrown text', `export const handler = async () => { throw 'oops'; };`, 'string', 'oops'],
    [
      'an answer that is no JSON',
      `export const handler = async () => 1n;`,
      'Error',
      'Unable to stringify response body',
    ],
    [
      'a missing export',
      `export const other = 1;`,
      'Runtime.HandlerNotFound',
      'index.handler is undefined or not exported',
    ],
    [
      'a callback handler',
      `export const handler = (event, context, callback) => callback(null, 1);`,
      'Runtime.CallbackHandlerDeprecated',
      /async handlers only/,
    ],
    [
      'a bundle that does not parse',
      `export const handler = ;`,
      'Runtime.UserCodeSyntaxError',
      /Unexpected token/,
    ],
    [
      'a bundle that lacks a module',
      `import 'not-bundled'; export const handler = async () => 1;`,
      'Runtime.ImportModuleError',
      /not-bundled/,
    ],
    [
      'a bundle that throws while loading',
      `throw new RangeError('at init');`,
      'RangeError',
      'at init',
    ],
    [
      'an exit',
      `export const handler = async () => { process.exit(3); };`,
      'Runtime.ExitError',
      'Error: Runtime exited with error: exit status 3',
    ],
    [
      'an unhandled rejection',
      `export const handler = () => { void Promise.reject(new EvalError('lost')); return new Promise(() => setTimeout(() => {}, 9e6)); };`,
      'EvalError',
      'lost',
    ],
    [
      'a heap over the memory size',
      `export const handler = async () => { const all = []; for (;;) all.push(new Array(1e5).fill(all.length)); };`,
      'Runtime.ExitError',
      /memory limit/,
    ],
    [
      'a handler that never ends',
      `export const handler = async () => { for (;;); };`,
      'Sandbox.Timedout',
      'Error: Task timed out after 1.00 seconds',
    ],
    [
      'an answer over 6 MB',
      `export const handler = async () => 'x'.repeat(6_291_555);`,
      'Function.ResponseSizeTooLarge',
      /6291556 bytes/,
    ],
  ])(
    'reports %s',
    async (_name, source, errorType, errorMessage) => {
      const fn = await aFunction(source, { timeoutSeconds: source.includes('for (;;);') ? 1 : 20 });
      expect(await fn.invoke({})).toEqual({
        ok: false,
        errorType,
        errorMessage:
          typeof errorMessage === 'string' ? errorMessage : expect.stringMatching(errorMessage),
      });
    },
    30_000,
  );

  test('writes the stack to the log and not to the result', async () => {
    const fn = await aFunction(
      `export const handler = async () => { throw new Error('inside'); };`,
    );
    const result = await fn.invoke({});
    expect(JSON.stringify(result)).not.toContain('index.mjs');
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ level: 'ERROR', errorMessage: 'inside' });
    expect(lines[0]).toContain('index.mjs');
  });

  test('keeps the environment after a thrown error and replaces it after a timeout', async () => {
    const fn = await aFunction(
      `let served = 0;
      export const handler = async (event) => {
        served += 1; if (event.throws) throw new Error('no'); if (event.hangs) for (;;); return served; };`,
      { timeoutSeconds: 1 },
    );
    await fn.invoke({ throws: true });
    expect(await payloadOf(fn)).toBe(2);
    expect(await fn.invoke({ hangs: true })).toMatchObject({ errorType: 'Sandbox.Timedout' });
    expect(await payloadOf(fn)).toBe(1);
  });

  test('serves waiting requests from a fresh environment when one ends', async () => {
    const fn = await aFunction(
      `export const handler = async (event) => { if (event.exits) process.exit(1); return 'fresh'; };`,
      { maxConcurrency: 1 },
    );
    const [ended, served] = await Promise.all([fn.invoke({ exits: true }), fn.invoke({})]);
    expect(ended).toMatchObject({ ok: false, errorType: 'Runtime.ExitError' });
    expect(served).toMatchObject({ ok: true, payload: 'fresh' });
  });

  test('replaces an environment that ended between two requests', async () => {
    const fn = await aFunction(
      `export const handler = async () => { setTimeout(() => process.exit(1), 20); return 'served'; };`,
    );
    expect(await payloadOf(fn)).toBe('served');
    await sleep(200);
    expect(await payloadOf(fn)).toBe('served');
  });

  test.each([
    [6_291_556 - 2, { ok: true }],
    [6_291_556 - 1, { ok: false, errorType: 'RequestEntityTooLarge' }],
  ])('accepts an event of up to 6,291,556 bytes of JSON (text of %d)', async (length, expected) => {
    const fn = await aFunction(`export const handler = async (event) => event.length;`);
    expect(await fn.invoke('x'.repeat(length))).toMatchObject(expected);
  });
});
