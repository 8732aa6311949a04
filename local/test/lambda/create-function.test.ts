import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from '@jest/globals';
import { movableClock } from '../../time/clock.ts';
import type { LocalFunction } from '../../lambda/create-function.ts';
import { codeDir, lines, aFunction, payloadOf } from './a-function.ts';

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

  test('all end when a function falls idle, and the next request starts one', async () => {
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
