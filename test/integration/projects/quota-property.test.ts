import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { maxFunctionSeconds, temporaryLifetimeSeconds } from '../../../contract/limits.ts';
import { localStores } from '../../fixtures/clouds/local-stores.ts';
import { proofSize } from '../../fixtures/proof-size.ts';
import {
  checkNoOrphans,
  checkServing,
  checkSums,
  checkVersions,
  readProjects,
  settle,
} from '../../fixtures/quota/checks.ts';
import { batches, day, kinds, operationCount } from '../../fixtures/quota/operations.ts';
import { type LocalStores, World } from '../../fixtures/quota/world.ts';

let stores: LocalStores;
beforeAll(async () => {
  stores = await localStores();
});
afterAll(() => stores.close());

test(`after ${operationCount} operations with failures at every call, totals equal a recount and nothing is orphaned`, async () => {
  const property = fc.asyncProperty(batches, async (plannedBatches) => {
    const world = await new World(stores).open();
    let mostVersions = 0;
    for (const [index, { operations, thenSeconds }] of plannedBatches.entries()) {
      await Promise.all(operations.map((one) => world.run(one)));
      if (index % 10 === 9) {
        await checkSums(world);
        mostVersions = Math.max(mostVersions, await checkVersions(world));
      }
      world.advance(thenSeconds);
    }
    await checkSums(world);
    // Uploads and temporary projects end after their lifetime, purges after a minute, what
    // left a history and jobs that nobody does after two hours, uploads after a day, and what was deleted after 30 days.
    for (const [seconds, unfinished] of [
      [0, undefined],
      [Math.max(temporaryLifetimeSeconds, maxFunctionSeconds) + 100, /^(?:INTENT|PURGE)/],
      [3 * 3600, /^(?:INTENT|JOB|PURGE|DROP)/],
      [400 * day, /^(?:INTENT|JOB|PURGE|DROP|UPLOAD)/],
    ] as const) {
      world.advance(seconds);
      await settle(world);
      await checkSums(world);
      await checkServing(world);
      // Of few operations, nothing may be left after 400 days.
      expect(await checkVersions(world)).toBeGreaterThanOrEqual(proofSize({ short: 0, whole: 1 }));
      if (unfinished !== undefined) await checkNoOrphans(world, unfinished);
    }
    expect((await readProjects(world)).filter(({ project }) => project['removingAt'])).toEqual([]);
    expect(world.surprises).toEqual([]);
    for (const [id, at] of world.changedAt) {
      expect(world.forgottenAt.get(id)).toBeGreaterThanOrEqual(at + 60_000);
    }
    expect(mostVersions).toBeGreaterThan(proofSize({ short: 5, whole: 20 }));
    expect(world.injected).toBeGreaterThan(operationCount / 10);
    const least = proofSize({ short: 1, whole: 3 });
    const seldom = kinds.filter((kind) => !((world.outcomes[`${kind} done`] ?? 0) >= least));
    expect(seldom).toEqual([]);
  });
  await fc.assert(property, {
    numRuns: 1,
    endOnFailure: true,
    // The seed repeats a failed run; its hundreds of operations would hide the reason.
    asyncReporter: async ({ failed, seed, errorInstance: cause }) => {
      if (failed) throw new Error(`failed with the seed ${seed}`, { cause });
    },
  });
}, 900_000);
