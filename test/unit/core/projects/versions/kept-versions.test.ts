import { expect, test } from '@jest/globals';
import { manifestHash, manifestKey, StoreId } from '../../../../../core/content/content-keys.ts';
import {
  readManifest,
  surplusVersions,
  loadAllVersionFiles,
  readKeptFiles,
} from '../../../../../core/projects/versions/kept-versions.ts';
import { encodeContent, encodeManifest } from '../../../../../core/visit/manifest.ts';
import { aProject, aVersion } from '../../../../fixtures/projects/a-project.ts';
import { aManifest } from '../../../../fixtures/visits/a-site.ts';

const kept = (...numbers: number[]) => numbers.map((version) => aVersion({ version }));
const upTo = (count: number) => Array.from({ length: count }, (_, index) => count - index);

test.each([
  ['none while there is room', [3, 2, 1], 5, []],
  ['none when the new one just fits', [4, 3, 2, 1], 5, []],
  ['the oldest when one is too many', [5, 4, 3, 2, 1], 5, [1]],
  ['one for the one that comes, on a plan that became smaller', [9, 7, 4, 2], 2, [2]],
  ['the live one too where a single one is kept', [1], 1, [1]],
  ['none where all are kept', upTo(300), -1, []],
])('a push prunes %s', (_, numbers, versionsKept, gone) => {
  const surplus = surplusVersions(kept(...numbers), versionsKept);
  expect(surplus.map(({ version }) => version)).toEqual(gone);
});

const files = aManifest('a.txt', 'b.txt');
const { id } = aProject();
const bytes = encodeContent(encodeManifest(files), Buffer.from('rules'));

test('a manifest is read from the version’s row or from the object that the row names', async () => {
  const within = aVersion({ manifest: Buffer.from(encodeManifest(files)) });
  const beside = aVersion({ manifestHash: manifestHash(bytes) });
  const key = manifestKey(id, beside.store, manifestHash(bytes));
  const content = {
    get: async (requestedKey: string) => (requestedKey === key ? bytes : undefined),
  };
  const nothing = { get: async () => undefined };
  expect(await readManifest(nothing, id, within)).toEqual(files);
  expect(await readManifest(content, id, beside)).toEqual(files);
  expect(await readManifest(nothing, id, beside)).toBeUndefined();
  expect(await loadAllVersionFiles(content, id, [beside])).toEqual([{ ...beside, files }]);
});

test('a kept version without its manifest is an error, not an empty version', async () => {
  const nothing = { get: async () => undefined };
  await expect(loadAllVersionFiles(nothing, id, [aVersion({ version: 7 })])).rejects.toThrow(
    'version 7',
  );
});

test('of a hundred manifests four are read at once, and the live one in any case', async () => {
  const versions = upTo(100).map((version) =>
    aVersion({ version, manifestHash: manifestHash(bytes) }),
  );
  let [reading, most] = [0, 0];
  const get = async () => {
    reading += 1;
    most = Math.max(most, reading);
    await new Promise((resolve) => setImmediate(resolve));
    reading -= 1;
    return bytes;
  };
  const { live, known } = await readKeptFiles({ get }, { id, version: 37 }, versions);
  expect(live).toEqual({ ...versions[63], files });
  const [path = '', entry] = [...files][0] ?? [];
  expect(entry && known.find(path, entry)).toBeDefined();
  expect(most).toBe(4);
});

test('versions with more files than are remembered are not read, but for the live one', async () => {
  const many = aManifest(...Array.from({ length: 100_000 }, (_, n) => `${n}.txt`));
  const content = encodeContent(encodeManifest(many), Buffer.from(''));
  const beside = { manifestHash: manifestHash(content) };
  const [a, b] = ['aa', 'bb'].map((store) => StoreId.parse(store));
  const versions = upTo(12).map((version) =>
    aVersion({ version, ...beside, store: version % 2 === 0 ? (a as StoreId) : (b as StoreId) }),
  );
  let reads = 0;
  const get = async () => {
    reads += 1;
    return content;
  };
  const { live } = await readKeptFiles({ get }, { id, version: 1 }, versions);
  expect([live?.version, reads]).toEqual([1, 5]);
});
