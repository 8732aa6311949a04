import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { buffer, text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { movableClock } from '../../time/clock.ts';
import { createFunction, type LocalFunction } from '../../lambda/create-function.ts';

const kibibyte = 1024;
let codeDir: string;
let running: LocalFunction[];
let lines: string[];

beforeEach(async () => {
  codeDir = await mkdtemp(join(tmpdir(), 'slipway-stream-'));
  running = [];
  lines = [];
});

afterEach(async () => {
  await Promise.all(running.map((fn) => fn.close()));
  await rm(codeDir, { recursive: true });
});

/** A function whose handler streams; `body` sees `event` and `out`. */
async function streaming(body: string, timeoutSeconds = 10): Promise<LocalFunction> {
  return aFunction(
    `import { Readable } from 'node:stream';
    import { pipeline } from 'node:stream/promises';
    import { setTimeout as sleep } from 'node:timers/promises';
    let served = 0;
    export const handler = awslambda.streamifyResponse(async (event, out, context) => {
      served += 1; ${body} });`,
    timeoutSeconds,
  );
}

async function aFunction(source: string, timeoutSeconds = 10): Promise<LocalFunction> {
  await writeFile(join(codeDir, 'index.mjs'), source);
  const fn = createFunction({
    name: 'zip',
    arn: 'arn:aws:lambda:us-east-1:000000000000:function:zip',
    codeDir,
    handler: 'index.handler',
    environment: {},
    timeoutSeconds,
    memoryMb: 128,
    clock: movableClock(),
    log: (line) => lines.push(line),
    maxConcurrency: 1,
  });
  running.push(fn);
  return fn;
}

async function bodyOf(fn: LocalFunction, event: unknown = {}): Promise<Readable> {
  const result = await fn.stream(event);
  if (!result.ok) throw new Error(`${result.errorType}: ${result.errorMessage}`);
  return result.body;
}

describe('a streamed answer', () => {
  test('arrives while it is written, before the function ends', async () => {
    const fn = await streaming(`out.write('first'); await sleep(400); out.end('second');`);
    const body = await bodyOf(fn);
    const seen: [string, number][] = [];
    const startedAt = performance.now();
    for await (const chunk of body) seen.push([String(chunk), performance.now() - startedAt]);
    expect(seen.map(([chunk]) => chunk)).toEqual(['first', 'second']);
    expect((seen[1]?.[1] ?? 0) - (seen[0]?.[1] ?? 0)).toBeGreaterThan(200);
  });

  test('has the type that was set before the first byte, or the default type', async () => {
    const fn = await streaming(
      `if (event.type) out.setContentType(event.type); out.write({ a: 1 }); out.end();`,
    );
    const typed = await fn.stream({ type: 'application/json' });
    expect(typed).toMatchObject({ ok: true, contentType: 'application/json' });
    if (typed.ok) expect(await text(typed.body)).toBe('{"a":1}');
    const plain = await fn.stream({});
    expect(plain).toMatchObject({ ok: true, contentType: 'application/octet-stream' });
    if (plain.ok) plain.body.destroy();
  });

  test('is complete for all chunk sizes', async () => {
    const fn = await streaming(
      `await pipeline(Readable.from((function* () {
        for (const size of [1, 70_000, 3_000_000, 5, 65_536]) yield Buffer.alloc(size, size % 251);
      })()), out);`,
    );
    const expected = [1, 70_000, 3_000_000, 5, 65_536].map((size) =>
      Buffer.alloc(size, size % 251),
    );
    expect(Buffer.compare(await buffer(await bodyOf(fn)), Buffer.concat(expected))).toBe(0);
  });

  test.each([
    ['many small chunks', 64 * kibibyte, 100],
    ['one large chunk', 6400 * kibibyte, 1],
  ])('waits for its reader: %s', async (_name, chunkBytes, chunks) => {
    const fn = await streaming(
      `await pipeline(Readable.from((function* () {
        for (let made = 1; made <= ${chunks}; made += 1) {
          console.log('made ' + made); yield Buffer.alloc(${chunkBytes});
        }
      })(), { objectMode: false, highWaterMark: 1 }), out); console.log('done');`,
    );
    const body = await bodyOf(fn);
    await sleep(500);
    const madeBytes = lines.length * chunkBytes;
    expect(lines).not.toContain('done');
    // Bytes on their way to the parent, and in each stream that they pass.
    if (chunks > 1) expect(madeBytes).toBeLessThanOrEqual(640 * kibibyte);
    expect(body.readableLength).toBeLessThanOrEqual(256 * kibibyte);
    expect((await buffer(body)).length).toBe(chunks * chunkBytes);
    await sleep(50);
    expect(lines).toContain('done');
  });

  test('of more than 200 MB is aborted', async () => {
    const fn = await streaming(
      `await pipeline(Readable.from((function* () {
        for (let made = 0; made < 202; made += 1) yield Buffer.alloc(1_000_000);
      })()), out);`,
      60,
    );
    let received = 0;
    const reading = async () => {
      for await (const chunk of await bodyOf(fn)) received += chunk.length;
    };
    await expect(reading()).rejects.toThrow('longer than 200000000 bytes');
    expect(received).toBeLessThanOrEqual(200_000_000);
    expect(received).toBeGreaterThan(199_000_000);
  }, 600_000);
});

describe('a reader that disconnects', () => {
  test('does not stop the function, which serves its next request normally', async () => {
    const fn = await streaming(
      `await pipeline(Readable.from((function* () {
        for (let made = 0; made < 100; made += 1) yield Buffer.alloc(64 * 1024);
      })()), out); console.log('done ' + served);`,
    );
    const body = await bodyOf(fn);
    body.destroy();
    // One environment: it is free again only when the first request has ended.
    expect((await buffer(await bodyOf(fn))).length).toBe(6400 * kibibyte);
    expect(lines).toContain('done 1');
  });
});

describe('a function that streams and fails', () => {
  test.each([
    ['before its first byte', `throw new TypeError('no file');`, 'TypeError', 'no file'],
    [
      'by setting a type too late',
      `out.write('x'); out.setContentType('text/plain');`,
      'Runtime.InvalidStreamingOperation',
      'too late',
    ],
    ['by destroying its stream', `out.destroy(new RangeError('gone'));`, 'RangeError', 'gone'],
  ])('%s is told as a failure or breaks the answer', async (name, body, errorType, message) => {
    const fn = await streaming(`if (event.fails) { ${body} } out.end('whole ' + served);`);
    const result = await fn.stream({ fails: true });
    if (name.includes('type')) {
      expect(result.ok).toBe(true);
      await expect(buffer((result as { body: Readable }).body)).rejects.toThrow(message);
    } else {
      expect(result).toMatchObject({ ok: false, errorType, errorMessage: message });
    }
    expect(lines.join('\n')).toContain(errorType);
    // The environment lives on.
    expect(await text(await bodyOf(fn))).toBe('whole 2');
  });

  test('after its first byte aborts the response, never completes it', async () => {
    const fn = await streaming(`out.write('half'); await sleep(50); throw new Error('storage');`);
    const chunks: string[] = [];
    const reading = async () => {
      for await (const chunk of await bodyOf(fn)) chunks.push(String(chunk));
    };
    await expect(reading()).rejects.toThrow('Error: storage');
    expect(chunks).toEqual(['half']);
  });

  test.each([
    ['never ends its answer', `out.write('half');`],
    ['hangs', `out.write('half'); await sleep(50); for (;;);`],
    ['exits', `out.write('half'); await sleep(50); process.exit(1);`],
  ])('%s: the answer breaks and the next comes from a fresh environment', async (name, body) => {
    const fn = await streaming(
      `if (event.fails) { ${body} return; } out.end('whole ' + served);`,
      1,
    );
    const broken = await bodyOf(fn, { fails: true });
    await expect(buffer(broken)).rejects.toThrow(name === 'exits' ? /exit status 1/ : /timed out/);
    expect(await text(await bodyOf(fn))).toBe('whole 1');
  });
});

describe('a handler and a caller with different invoke modes', () => {
  test('are both refused', async () => {
    const whole = await aFunction(`export const handler = async () => ({ a: 1 });`);
    expect(await whole.stream({})).toMatchObject({
      ok: false,
      errorMessage: expect.stringContaining('not wrapped by awslambda.streamifyResponse'),
    });
    const streamed = await streaming(`out.end('x');`);
    expect(await streamed.invoke({})).toMatchObject({
      ok: false,
      errorMessage: expect.stringContaining('its caller expects a buffered one'),
    });
  });
});
