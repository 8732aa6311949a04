import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { ProjectId } from '../../../../../contract/fields.ts';
import { recordWrongTry } from '../../../../../core/visit/access/wrong-tries.ts';
import { aSite, now as start } from '../../../../fixtures/visits/a-site.ts';
import { memoryWrongTries, type Turn } from '../../../../fixtures/visits/memory-tries.ts';

const dayMs = 86_400_000;

function aCount(turn?: Turn) {
  const store = memoryWrongTries(turn);
  const deps = { ...store, quietUntil: new Map<ProjectId, Date>() };
  const note = (atMs: number) => recordWrongTry(deps, aSite(), new Date(start.getTime() + atMs));
  return { store, deps, note };
}

test('a flood causes one mail a day, and few writes', async () => {
  const { store, note } = aCount();
  for (let count = 0; count < 5000; count += 1) await note(count * 10);
  expect(store.sent).toHaveLength(1);
  expect(store.writes).toBeLessThan(210);
  for (let count = 0; count < 5000; count += 1) await note(dayMs + 60_000 + count * 10);
  expect(store.sent).toHaveLength(2);
});

test('a slow attack causes a mail as well', async () => {
  const { store, note } = aCount();
  for (let day = 0; day < 9; day += 1) {
    for (let count = 0; count < 25; count += 1) await note(day * dayMs + count * 1000);
  }
  expect(store.sent).toHaveLength(2);
});

test('a few mistakes a month cause no mail', async () => {
  const { store, note } = aCount();
  for (let day = 0; day < 400; day += 1) await note(day * dayMs);
  for (let day = 400; day < 1000; day += 1) {
    await note(day * dayMs);
    await note(day * dayMs + 1);
  }
  expect(store.sent).toEqual([]);
});

test('a project without an owner causes no mail', async () => {
  const { store, deps } = aCount();
  const site = aSite({ ownerId: null });
  for (let count = 0; count < 300; count += 1) await recordWrongTry(deps, site, start);
  expect({ sent: store.sent, writes: store.writes }).toEqual({ sent: [], writes: 0 });
});

test('an alert that could not be sent is sent by the next try', async () => {
  const { store, deps } = aCount();
  let isDown = true;
  const alerts = {
    send: async (...[alert]: Parameters<typeof store.alerts.send>) => {
      if (isDown) throw new Error('no queue');
      await store.alerts.send(alert);
    },
  };
  const note = () => recordWrongTry({ ...deps, alerts }, aSite(), start);
  for (let count = 0; count < 100; count += 1) await note();
  await expect(note()).rejects.toThrow('no queue');
  isDown = false;
  await note();
  expect(store.sent).toHaveLength(1);
});

test('of many concurrent tries one sends the mail', async () => {
  await fc.assert(
    fc.asyncProperty(fc.scheduler(), async (scheduler) => {
      const { store, note } = aCount(() => scheduler.schedule(Promise.resolve()));
      await scheduler.waitFor(Promise.all(Array.from({ length: 130 }, () => note(0))));
      expect(store.sent).toHaveLength(1);
    }),
    { numRuns: 10 },
  );
});
