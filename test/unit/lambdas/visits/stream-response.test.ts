import { Writable } from 'node:stream';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import {
  streamResponse,
  untilRead,
  withFirstRead,
} from '../../../../lambdas/visits/stream-response.ts';

const part = Buffer.alloc(64 * 1024, 'v');
/** As storage is read. */
const piece = Buffer.alloc(4 * 1024 * 1024, 'v');
beforeEach(() => {
  Object.assign(globalThis, {
    awslambda: { HttpResponseStream: { from: (stream: unknown) => stream } },
  });
  jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate'] });
});
afterEach(() => void jest.useRealTimers());

/** A download of 20 MiB by a reader who takes a part every so many milliseconds, for five minutes at most. */
async function download(everyMs: number, remainingMs?: number) {
  let received = 0;
  let ended = 0;
  const reader = Object.assign(
    new Writable({
      highWaterMark: part.length,
      write(chunk: Uint8Array, _encoding, done) {
        setTimeout(() => {
          received += chunk.length;
          done();
        }, everyMs);
      },
    }),
    { setContentType: () => undefined },
  );
  async function* bytes() {
    for (let count = 0; count < 5; count += 1) yield piece;
  }
  const outcome: { isWhole?: boolean } = {};
  const response = {
    status: 200,
    headers: {},
    bytes: await withFirstRead(untilRead(bytes(), async () => void ended++)),
  };
  const sent = streamResponse(reader, { method: 'GET' }, response, { remainingMs }).then(
    (whole) => {
      outcome.isWhole = whole;
    },
  );
  let seconds = 0;
  for (; seconds < 300 && outcome.isWhole === undefined; seconds += 1) {
    await jest.advanceTimersByTimeAsync(1000);
    await new Promise((resolve) => setImmediate(resolve));
  }
  if (outcome.isWhole !== undefined) await sent;
  return { ...outcome, received: Math.floor(received / part.length), seconds, ended };
}

test('a reader of 64 kB a second gets the whole download', async () => {
  expect(await download(900)).toMatchObject({ isWhole: true, received: 320, ended: 1 });
});

test.each([
  ['who reads nothing', 1e9],
  ['of 16 kB a second', 4000],
])('a reader %s keeps a function busy for seconds only, and is no failure', async (_, everyMs) => {
  const { isWhole, seconds, ended } = await download(everyMs);
  expect([isWhole, ended]).toEqual([false, 1]);
  expect(seconds).toBeLessThanOrEqual(45);
});

test('a download ends before Lambda ends the function, so that its bytes are counted', async () => {
  const { isWhole, seconds, ended } = await download(900, 100_000);
  expect([isWhole, ended]).toEqual([false, 1]);
  expect(seconds).toBeLessThanOrEqual(95);
});
