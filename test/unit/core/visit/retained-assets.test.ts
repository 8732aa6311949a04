import { expect, test } from '@jest/globals';
import { manifestHash, manifestKey } from '../../../../core/content/content-keys.ts';
import { instant, plusSeconds } from '../../../../core/instants.ts';
import { contentMemory } from '../../../../core/visit/content-memory.ts';
import { encodeContent, encodeManifest, type FileEntry } from '../../../../core/visit/manifest.ts';
import { withRetainedAsset } from '../../../../core/visit/retained-assets.ts';
import { aManifest, aSite, now } from '../../../fixtures/visits/a-site.ts';

const seconds = 60;
const until = instant(plusSeconds(now, seconds));
const entry: FileEntry = { size: 1, hash: 'h', storedAt: 'c3', until };
const list = encodeContent(encodeManifest(new Map([['old-1a2b3c4d.js', entry]])), undefined);
const hash = manifestHash(list);
const site = aSite({ retained: { hash, files: 1, bytes: 1, until } });
const files = aManifest('index.html', 'new-4f2a9c1b.js');

/** The files for a request, and the objects that were read. */
async function requested(path: string, { at = now, of = site, contents = contentMemory() } = {}) {
  const read: string[] = [];
  const content = {
    get: async (key: string) => {
      read.push(key);
      return list;
    },
  };
  const found = await withRetainedAsset({ content, contents }, { site: of, files }, path, at);
  return { extra: [...found].slice(files.size), read };
}

test('an asset that only an earlier version had is one more file', async () => {
  const { extra, read } = await requested('/old-1a2b3c4d.js');
  expect(extra).toEqual([['old-1a2b3c4d.js', entry]]);
  expect(read).toEqual([manifestKey(site.projectId, site.store, hash)]);
});

test('the list is read once', async () => {
  const contents = contentMemory();
  await requested('/old-1a2b3c4d.js', { contents });
  expect((await requested('/old-1a2b3c4d.js', { contents })).read).toEqual([]);
});

test.each([
  ['a page', '/'],
  ['an asset of the live version', '/new-4f2a9c1b.js'],
  ['a name without a hash', '/missing.js'],
  ['an unreadable path', '/%zz-1a2b3c4d.js'],
])('nothing is read for %s', async (_, path) => {
  expect(await requested(path)).toEqual({ extra: [], read: [] });
});

test.each([
  ['a site that retains nothing', aSite(), now],
  ['a list of files', { ...site, home: null }, now],
  ['the time after the end', site, plusSeconds(now, seconds)],
])('nothing is read for %s', async (_, of, at) => {
  expect(await requested('/old-1a2b3c4d.js', { of, at })).toEqual({ extra: [], read: [] });
});

test('an asset ends before others of the list', async () => {
  const later = {
    ...site,
    retained: { hash, files: 1, bytes: 1, until: instant(plusSeconds(now, 999)) },
  };
  const at = plusSeconds(now, seconds);
  expect((await requested('/old-1a2b3c4d.js', { of: later, at })).extra).toEqual([]);
});
