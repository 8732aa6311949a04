import { expect, test } from '@jest/globals';
import {
  contentKey,
  manifestHash,
  manifestKey,
  StoreId,
} from '../../../../../core/content/content-keys.ts';
import { instant, plusSeconds } from '../../../../../core/instants.ts';
import type { Project } from '../../../../../core/projects/project.ts';
import {
  type DropDeps,
  removeDroppedVersion,
} from '../../../../../core/projects/versions/drop-version.ts';
import { encodeContent, encodeManifest, fileLocation } from '../../../../../core/visit/manifest.ts';
import { aProject, aVersion } from '../../../../fixtures/projects/a-project.ts';
import { aManifest, now } from '../../../../fixtures/visits/a-site.ts';

const path = 'app-B1c2D3e4.js';
const old = StoreId.parse('a1');
const until = instant(plusSeconds(now, 5 * 24 * 3600));
const retained = new Map([[path, { size: 1, hash: 'h', storedAt: 'a1', until }]]);
const list = encodeContent(encodeManifest(retained), undefined);
const gone = manifestHash(Buffer.from('gone'));
const newest = manifestHash(list);

/** Removes version 1, whose asset the last list retains; each read finds the next of these lists. */
async function remove(hashes: (typeof gone)[], isLate = () => false) {
  const live = aVersion({
    version: 2,
    store: StoreId.parse('b2'),
    manifest: Buffer.from(encodeManifest(aManifest('index.html'))),
  });
  const dropped = aVersion({
    version: 1,
    store: old,
    manifest: Buffer.from(encodeManifest(aManifest(path, 'style.css'))),
  });
  const projectOf = (hash: typeof gone): Project =>
    aProject({ version: 2, retained: { hash, files: 1, bytes: 1, until } });
  const removed: string[] = [];
  const postponed: string[] = [];
  const key = manifestKey(projectOf(newest).id, live.store, newest);
  const deps = {
    projects: {
      getDroppedVersion: async () => dropped,
      listVersions: async () => [live],
      getVersion: async () => live,
      get: async () => projectOf((hashes.length > 1 ? hashes.shift() : hashes[0]) ?? gone),
      postponeDrop: async (_: unknown, __: unknown, at: string) => void postponed.push(at),
      deleteDroppedVersion: async () => void postponed.push('never'),
    },
    content: {
      get: async (requested: string) => (requested === key ? list : undefined),
      deleteKeys: async (keys: readonly string[]) => void removed.push(...keys),
      deletePrefix: async () => undefined,
    },
  };
  const time = { now, isLate };
  await removeDroppedVersion(deps as unknown as DropDeps, projectOf(newest).id, 1, time);
  const keyOf = (one: string) =>
    contentKey(projectOf(newest).id, fileLocation(old, one, { size: 1, hash: 'h' }));
  return {
    postponed,
    asset: removed.includes(keyOf(path)),
    style: removed.includes(keyOf('style.css')),
  };
}

const nextDay = instant(plusSeconds(now, 24 * 3600));

test('a retained asset stays, and the next day finds out whether it still is one', async () => {
  expect(await remove([newest])).toEqual({ postponed: [nextDay], asset: false, style: true });
});

test('a list that left after several switches is not the last word', async () => {
  expect(await remove([gone, newest])).toEqual({ postponed: [nextDay], asset: false, style: true });
});

test('what a lost list retained is removed', async () => {
  expect(await remove([gone])).toEqual({ postponed: ['never'], asset: true, style: true });
});

test('one that is not compared with all others in the time of a run stays whole for an hour', async () => {
  const hour = instant(plusSeconds(now, 3600));
  const left = { asset: false, style: false };
  expect(await remove([newest], () => true)).toEqual({ postponed: [hour], ...left });
});

test('a hundred kept versions are compared one after another', async () => {
  const files = Buffer.from(encodeManifest(aManifest('index.html')));
  const hash = manifestHash(files);
  const bytes = encodeContent(files, undefined);
  const kept = Array.from({ length: 100 }, (_, at) =>
    aVersion({ version: at + 2, store: StoreId.parse(`b${at}`), manifestHash: hash }),
  );
  let [reading, most] = [0, 0];
  const deps = {
    projects: {
      getDroppedVersion: async () =>
        aVersion({
          version: 1,
          store: old,
          manifest: Buffer.from(encodeManifest(aManifest(path))),
        }),
      listVersions: async () => kept,
      get: async () => aProject({ version: 101 }),
      deleteDroppedVersion: async () => undefined,
    },
    content: {
      async get() {
        reading += 1;
        most = Math.max(most, reading);
        await Promise.resolve();
        reading -= 1;
        return bytes;
      },
      deleteKeys: async () => undefined,
      deletePrefix: async () => undefined,
    },
  };
  const time = { now, isLate: () => false };
  await removeDroppedVersion(deps as unknown as DropDeps, aProject().id, 1, time);
  expect(most).toBe(1);
});
