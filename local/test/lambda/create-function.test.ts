import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { movableClock } from '../../time/clock.ts';
import { createFunction, type LocalFunction } from '../../lambda/create-function.ts';
import type { FunctionOptions } from '../../lambda/lambda-environment.ts';

let codeDir: string;
let running: LocalFunction[];
let lines: string[];

beforeEach(async () => {
  codeDir = await mkdtemp(join(tmpdir(), 'slipway-lambda-'));
  running = [];
  lines = [];
});

afterEach(async () => {
  await Promise.all(running.map((fn) => fn.close()));
  await rm(codeDir, { recursive: true });
});

async function aFunction(
  source: string,
  overrides: Partial<FunctionOptions> = {},
): Promise<LocalFunction> {
  await writeFile(join(codeDir, 'index.mjs'), source);
  const fn = createFunction({
    name: 'gate',
    arn: 'arn:aws:lambda:us-east-1:000000000000:function:gate',
    codeDir,
    handler: 'index.handler',
    environment: {},
    timeoutSeconds: 10,
    memoryMb: 128,
    clock: movableClock(),
    log: (line) => lines.push(line),
    ...overrides,
  });
  running.push(fn);
  return fn;
}

async function payloadOf(fn: LocalFunction, event: unknown = {}): Promise<unknown> {
  const result = await fn.invoke(event);
  if (!result.ok) throw new Error(`${result.errorType}: ${result.errorMessage}`);
  return result.payload;
}

describe('a bundle', () => {
  test('passes the event and the answer through JSON', async () => {
    const fn = await aFunction(
      `export const handler = async (event) => ({ event, gone: undefined, at: new Date(0) });`,
    );
    expect(await payloadOf(fn, { a: [1, 'ü'], b: undefined })).toEqual({
      event: { a: [1, 'ü'] },
      at: '1970-01-01T00:00:00.000Z',
    });
  });

  test('answers null for a handler that returns nothing', async () => {
    const fn = await aFunction(`export const handler = async () => {};`);
    expect(await payloadOf(fn)).toBeNull();
  });

  test('has the variables of the template and of Lambda, and none of the parent', async () => {
    process.env['SLIPWAY_TEST_LEAK'] = 'leaked';
    const fn = await aFunction(`export const handler = async () => process.env;`, {
      environment: { SITES_TABLE: 'sites', AWS_ACCESS_KEY_ID: 'local' },
    });
    const seen = await payloadOf(fn);
    delete process.env['SLIPWAY_TEST_LEAK'];
    expect(seen).toEqual({
      LANG: 'en_US.UTF-8',
      SITES_TABLE: 'sites',
      AWS_ACCESS_KEY_ID: 'local',
      TZ: ':UTC',
      AWS_REGION: 'us-east-1',
      AWS_DEFAULT_REGION: 'us-east-1',
      AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x',
      AWS_LAMBDA_FUNCTION_NAME: 'gate',
      AWS_LAMBDA_FUNCTION_MEMORY_SIZE: '128',
      AWS_LAMBDA_FUNCTION_VERSION: '$LATEST',
      AWS_LAMBDA_INITIALIZATION_TYPE: 'on-demand',
      AWS_LAMBDA_LOG_GROUP_NAME: '/aws/lambda/gate',
      AWS_LAMBDA_LOG_STREAM_NAME: expect.stringMatching(/^\d{4}\/\d\d\/\d\d\/\[\$LATEST\]\w{32}$/),
      LAMBDA_TASK_ROOT: codeDir,
      _HANDLER: 'index.handler',
      _X_AMZN_TRACE_ID: expect.stringMatching(/^Root=1-\w{8}-\w{24};Parent=\w{16};Sampled=0$/),
    });
  });

  test('has a context with the limits of its function', async () => {
    const fn = await aFunction(
      `export const handler = async (event, context) => ({
        ...context, remaining: context.getRemainingTimeInMillis() });`,
      { timeoutSeconds: 5 },
    );
    const result = await fn.invoke({});
    expect(result).toMatchObject({
      ok: true,
      payload: {
        functionName: 'gate',
        functionVersion: '$LATEST',
        invokedFunctionArn: 'arn:aws:lambda:us-east-1:000000000000:function:gate',
        memoryLimitInMB: '128',
        logGroupName: '/aws/lambda/gate',
        callbackWaitsForEmptyEventLoop: true,
        awsRequestId: result.ok ? result.requestId : '',
      },
    });
    const { remaining } = (result as { payload: { remaining: number } }).payload;
    expect(remaining).toBeGreaterThan(4000);
    expect(remaining).toBeLessThanOrEqual(5000);
  });

  test('forwards its output line by line, before the response', async () => {
    const fn = await aFunction(
      `export const handler = async () => {
        console.log('{"level":"INFO"}'); console.error('two\\nlines');
        const [first, second] = [Buffer.from('é').subarray(0, 1), Buffer.from('é\\n').subarray(1)];
        process.stdout.write(first); process.stdout.write(second);
        await new Promise((done) => process.stdout.write('half', done)); };`,
    );
    await fn.invoke({});
    expect(lines).toEqual(['{"level":"INFO"}', 'two', 'lines', 'é']);
    await fn.close();
    expect(lines.at(-1)).toBe('half');
  });

  test.each([
    ['exits', 'process.exit(1);', 'Runtime.ExitError'],
    ['hangs', 'for (;;);', 'Sandbox.Timedout'],
  ])('keeps what it printed before it %s', async (_name, end, errorType) => {
    const fn = await aFunction(
      `export const handler = async () => {
        for (let line = 1; line <= 50; line += 1) console.log('line ' + line); ${end} };`,
      { timeoutSeconds: 1 },
    );
    expect(await fn.invoke({})).toMatchObject({ errorType });
    expect(lines.filter((line) => line.startsWith('line '))).toHaveLength(50);
  });
});

describe('the clock', () => {
  const source = `
    class Later extends Date { constructor(...args) { super(...args); this.later = true; } }
    export const handler = async () => {
      const now = new Date();
      const subclass = new Later();
      return {
        now: now.getTime(), staticNow: Date.now(), text: Date(), viaConstructor: new now.constructor().getTime(),
        fixed: new Date(2026, 0, 31, 12).getMonth(), invalid: String(new Date(undefined)),
        utc: Date.UTC(2026, 0, 1), parsed: Date.parse('2026-01-01T00:00:00Z'), length: Date.length,
        isInstance: now instanceof Date, nativeIsInstance: structuredClone(now) instanceof Date,
        subclass: [subclass instanceof Later, subclass instanceof Date, subclass.later, subclass.getTime()],
        performance: performance.now() < 86_400_000,
      };
    };`;
  const dayMs = 86_400_000;

  test('is moved for a bundle by the offset of the cloud, with Date as it was', async () => {
    const clock = movableClock();
    clock.advance(400 * dayMs);
    const fn = await aFunction(source, { clock });
    const at = Date.now() + 400 * dayMs;
    const seen = (await payloadOf(fn)) as Record<string, number> & {
      text: string;
      subclass: unknown[];
    };
    for (const time of [seen['now'], seen['staticNow'], seen['viaConstructor'], seen.subclass[3]]) {
      expect(Math.abs((time as number) - at)).toBeLessThan(60_000);
    }
    expect(Math.abs(Date.parse(seen.text) - at)).toBeLessThan(60_000);
    expect(seen.subclass.slice(0, 3)).toEqual([true, true, true]);
    expect(seen).toMatchObject({
      fixed: 0,
      invalid: 'Invalid Date',
      utc: 1_767_225_600_000,
      parsed: 1_767_225_600_000,
      length: 7,
      isInstance: true,
      nativeIsInstance: true,
      performance: true,
    });
  });

  test('applies to running bundles, and to those that start later', async () => {
    const fn = await aFunction(
      `export const handler = async (event) => {
        await new Promise((done) => setTimeout(done, event.ms)); return Date.now(); };`,
    );
    await payloadOf(fn, { ms: 0 });
    fn.setClockOffset(dayMs);
    const times = await Promise.all([payloadOf(fn, { ms: 100 }), payloadOf(fn, { ms: 100 })]);
    for (const time of times) {
      expect(Math.abs((time as number) - Date.now() - dayMs)).toBeLessThan(60_000);
    }
  });
});

describe('execution environments', () => {
  const source = `
    import { threadId } from 'node:worker_threads';
    let served = 0;
    export const handler = async (event) => {
      served += 1;
      await new Promise((done) => setTimeout(done, event.ms ?? 0));
      return { threadId, served };
    };`;
  type Seen = { threadId: number; served: number };

  test('keep module state and serve one request after the other', async () => {
    const fn = await aFunction(source);
    const first = (await payloadOf(fn)) as Seen;
    const second = (await payloadOf(fn)) as Seen;
    expect(second).toEqual({ threadId: first.threadId, served: 2 });
  });

  test('multiply for concurrent requests up to the limit, beyond which requests wait', async () => {
    const fn = await aFunction(source, { maxConcurrency: 2 });
    const seen = (await Promise.all([1, 2, 3, 4].map(() => payloadOf(fn, { ms: 300 })))) as Seen[];
    expect(new Set(seen.map(({ threadId }) => threadId)).size).toBe(2);
    expect(seen.map(({ served }) => served).toSorted((a, b) => a - b)).toEqual([1, 1, 2, 2]);
  });

  test('18: multiply beyond two for each core only while they wait for something', async () => {
    const computing = `
      import { threadId } from 'node:worker_threads';
      export const handler = async () => {
        const end = performance.now() + 60;
        while (performance.now() < end);
        return { threadId };
      };`;
    const threadsOf = async (fn: LocalFunction, event: unknown) => {
      const seen = (await Promise.all(
        Array.from({ length: 16 }, () => payloadOf(fn, event)),
      )) as Seen[];
      return new Set(seen.map(({ threadId }) => threadId)).size;
    };
    expect(await threadsOf(await aFunction(computing, { cores: 1 }), {})).toBe(2);
    expect(await threadsOf(await aFunction(source, { cores: 1 }), { ms: 700 })).toBeGreaterThan(2);
  });

  test('except the first are stopped when idle', async () => {
    const fn = await aFunction(source, { idleMs: 50 });
    const before = (await Promise.all([
      payloadOf(fn, { ms: 50 }),
      payloadOf(fn, { ms: 50 }),
    ])) as Seen[];
    await sleep(300);
    const after = (await Promise.all([
      payloadOf(fn, { ms: 50 }),
      payloadOf(fn, { ms: 50 }),
    ])) as Seen[];
    const known = new Set(before.map(({ threadId }) => threadId));
    expect(after.filter(({ threadId }) => known.has(threadId))).toHaveLength(1);
    expect(after.map(({ served }) => served).toSorted((a, b) => a - b)).toEqual([1, 2]);
  });

  test('18: all end when a function falls idle, and the next request starts one', async () => {
    const fn = await aFunction(source, { idleMs: 20, lastIdleMs: 60 });
    const before = (await Promise.all([
      payloadOf(fn, { ms: 20 }),
      payloadOf(fn, { ms: 20 }),
    ])) as Seen[];
    await sleep(500);
    const after = (await payloadOf(fn, { ms: 0 })) as Seen;
    expect(after.served).toBe(1);
    expect(before.map(({ threadId }) => threadId)).not.toContain(after.threadId);
  });

  test('throttle requests after a closed or full queue', async () => {
    const fn = await aFunction(source, { maxConcurrency: 1 });
    const requests = Array.from({ length: 1003 }, () => fn.invoke({}));
    const results = await Promise.all(requests);
    const refused = results.filter((result) => !result.ok);
    expect(refused).toHaveLength(2);
    expect(refused[0]).toMatchObject({ errorType: 'TooManyRequestsException' });
    await fn.close();
    expect(await fn.invoke({})).toMatchObject({ errorType: 'TooManyRequestsException' });
  });
});

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
