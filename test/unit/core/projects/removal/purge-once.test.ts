import { expect, test } from '@jest/globals';
import { purgingOnce, type PurgeRows } from '../../../../../core/projects/removal/purge-once.ts';
import { aProject } from '../../../../fixtures/projects/a-project.ts';
import { now } from '../../../../fixtures/visits/a-site.ts';

const { id } = aProject();
const plain = { restrictsAccess: false };
const restricting = { restrictsAccess: true };

/** One purge row, and an edge whose invalidations take a second of a clock that pauses move. */
class Edge {
  at = now.getTime();
  invalidations: number[] = [];
  row: { purges: number; leasedUntil?: string } | undefined = { purges: 0 };
  fails = 0;
  readonly sleepers: { until: number; wake: () => void }[] = [];

  readonly rows: PurgeRows = {
    isOpen: async (_, purges) => this.row !== undefined && this.row.purges < purges,
    lease: async (_, { purges, at, until }) => {
      const { row } = this;
      if (row === undefined || row.purges >= purges) return false;
      if (row.leasedUntil !== undefined && row.leasedUntil > at) return false;
      row.leasedUntil = until;
      return true;
    },
    endLease: async (_, until) => {
      if (this.row?.leasedUntil === until) this.row = { purges: this.row.purges + 1 };
    },
  };

  readonly cache = purgingOnce({
    rows: this.rows,
    invalidate: async () => {
      if (this.fails > 0) {
        this.fails -= 1;
        throw new Error('throttled');
      }
      this.invalidations.push(this.at);
      await this.pause(1000);
    },
    pause: (ms) => this.pause(ms),
    now: () => new Date(this.at),
  });

  pause(ms: number): Promise<void> {
    return new Promise((wake) => this.sleepers.push({ until: this.at + ms, wake }));
  }

  /** Runs until all of `work` has ended, moving the clock to whatever wakes next. */
  async run<T>(work: Promise<T>[]): Promise<PromiseSettledResult<T>[]> {
    const state = { isOver: false };
    const all = Promise.allSettled(work).finally(() => (state.isOver = true));
    while (!state.isOver) {
      await new Promise(setImmediate);
      const [next] = this.sleepers.toSorted((a, b) => a.until - b.until);
      if (next === undefined) continue;
      this.sleepers.splice(this.sleepers.indexOf(next), 1);
      this.at = Math.max(this.at, next.until);
      next.wake();
    }
    return all;
  }
}

test('fifty changes at once make one invalidation, a second after they were written, and all wait for it', async () => {
  const edge = new Edge();
  const ends: number[] = [];
  const changes = Array.from({ length: 50 }, () =>
    edge.cache.purgeAfterDelay(id, plain).then(() => void ends.push(edge.at)),
  );
  await edge.run(changes);
  expect(edge.invalidations).toEqual([now.getTime() + 1000]);
  expect(ends).toHaveLength(50);
  expect(Math.min(...ends)).toBeGreaterThanOrEqual(now.getTime() + 2000);
});

test('a change that finds nothing to forget does not wait', async () => {
  const edge = new Edge();
  edge.row = { purges: 1 };
  await edge.run([edge.cache.purgeAfterDelay(id, plain)]);
  edge.row = undefined;
  await edge.run([edge.cache.purgeAfterDelay(id, restricting)]);
  expect([edge.invalidations, edge.at]).toEqual([[], now.getTime()]);
});

test('less access while a purge is in flight is purged once more, but not each time again', async () => {
  const edge = new Edge();
  const first = edge.cache.purgeAfterDelay(id, plain);
  const others = Array.from({ length: 9 }, () => edge.cache.purgeAfterDelay(id, restricting));
  await edge.run([first, ...others]);
  expect(edge.invalidations).toHaveLength(2);
  await edge.run([edge.cache.purgeAfterDelay(id, restricting)]);
  expect(edge.invalidations).toHaveLength(2);
});

test('where the one in flight fails or ends, another takes its place', async () => {
  const edge = new Edge();
  edge.fails = 1;
  const [one, other] = await edge.run([
    edge.cache.purgeAfterDelay(id, plain),
    edge.cache.purgeAfterDelay(id, plain),
  ]);
  expect([one?.status, other?.status]).toEqual(['rejected', 'fulfilled']);
  expect(edge.invalidations).toHaveLength(1);
});

test('a slow purge does not end the one that a later change has made necessary', async () => {
  const edge = new Edge();
  const slow = edge.cache.purgeAfterDelay(id, plain);
  await edge.run([edge.pause(1500)]);
  edge.row = { purges: 0 };
  await edge.run([slow]);
  expect(edge.row).toEqual({ purges: 0 });
});
