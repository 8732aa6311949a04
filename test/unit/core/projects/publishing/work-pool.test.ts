import { expect, test } from '@jest/globals';
import { workPool } from '../../../../../core/projects/publishing/work-pool.ts';

/** Work that ends when the test says so. */
function aJob() {
  let end: () => void = () => undefined;
  let fail: (error: Error) => void = () => undefined;
  const work = new Promise<void>((resolve, reject) => {
    end = resolve;
    fail = reject;
  });
  return { end, fail, work: () => work };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

/** Whether a promise has ended by now. */
async function hasEnded(promise: Promise<unknown>): Promise<boolean> {
  let ended = false;
  void promise.then(
    () => (ended = true),
    () => (ended = true),
  );
  await turn();
  return ended;
}

test('runs at most the allowed number of jobs at once, and starts the next when one ends', async () => {
  const pool = workPool({ count: 2, bytes: 1000 });
  const jobs = [aJob(), aJob(), aJob()] as const;
  await pool.add(1, jobs[0].work);
  await pool.add(1, jobs[1].work);
  const third = pool.add(1, jobs[2].work);
  expect(await hasEnded(third)).toBe(false);
  jobs[1].end();
  await third;
  const all = pool.settled();
  jobs[0].end();
  expect(await hasEnded(all)).toBe(false);
  jobs[2].end();
  await all;
});

test('holds at most the allowed bytes, however few the jobs are', async () => {
  const pool = workPool({ count: 10, bytes: 100 });
  const [first, second] = [aJob(), aJob()];
  await pool.add(60, first.work);
  const waiting = pool.add(41, second.work);
  expect(await hasEnded(waiting)).toBe(false);
  first.end();
  await waiting;
  second.end();
  await pool.settled();
});

test('a job larger than the byte limit runs alone', async () => {
  const pool = workPool({ count: 10, bytes: 100 });
  const [large, small] = [aJob(), aJob()];
  await pool.add(500, large.work);
  const waiting = pool.add(0, small.work);
  expect(await hasEnded(waiting)).toBe(false);
  large.end();
  await waiting;
  small.end();
  await pool.settled();
});

test('starts no job after a failure, and rejects when no job is running', async () => {
  const pool = workPool({ count: 3, bytes: 100 });
  const [failing, slow, never] = [aJob(), aJob(), aJob()];
  let started = false;
  await pool.add(1, failing.work);
  await pool.add(1, slow.work);
  failing.fail(new Error('first'));
  await turn();
  const refused = pool.add(1, () => {
    started = true;
    return never.work();
  });
  refused.catch(() => undefined);
  expect(await hasEnded(refused)).toBe(false);
  slow.fail(new Error('second'));
  await expect(refused).rejects.toThrow('first');
  expect(started).toBe(false);
  await expect(pool.settled()).rejects.toThrow('first');
});

test('resolves at once without jobs', async () => {
  await workPool({ count: 1, bytes: 1 }).settled();
});
