import { expect, test } from '@jest/globals';
import { StoreId } from '../../../../../core/content/content-keys.ts';
import { incomingFiles, type PreparedUpload } from '../../../../../core/content/prepare-upload.ts';
import type { StoredObject } from '../../../../../core/ports.ts';
import { knownFiles, noKnownFiles } from '../../../../../core/projects/publishing/known-files.ts';
import { storeFiles } from '../../../../../core/projects/publishing/store-files.ts';
import { reusableStore } from '../../../../../core/projects/publishing/store-version.ts';
import { filePlace, readFilePlace } from '../../../../../core/visit/file-place.ts';
import type { Manifest } from '../../../../../core/visit/manifest.ts';
import type { ByteRange } from '../../../../../core/visit/protocol/conditional-request.ts';
import { aProject } from '../../../../fixtures/projects/a-project.ts';

const projectId = aProject().id;
const [first, merged, other] = ['a1', 'b2', 'c3'].map((id) => StoreId.parse(id)) as [
  StoreId,
  StoreId,
  StoreId,
];

function bucket() {
  const objects = new Map<string, Uint8Array>();
  return {
    objects,
    put: async ({ key, bytes }: StoredObject) => void objects.set(key, bytes),
    get: async (key: string, range?: ByteRange) =>
      objects.get(key)?.subarray(range?.first, range && range.last + 1),
    putLarge: async () => undefined,
    deletePrefix: async (prefix: string) => {
      for (const key of objects.keys()) if (key.startsWith(prefix)) objects.delete(key);
    },
  };
}

const named = (...paths: string[]) =>
  paths.map((path) => ({ path, bytes: Buffer.from(`text of ${path}`) }));

function anUpload(...paths: string[]): PreparedUpload {
  const files = named(...paths);
  const bytes = files.reduce((sum, file) => sum + file.bytes.length, 0);
  const facts = { type: 'zip', home: null, title: 'T', fileCount: files.length, bytes } as const;
  return { ...facts, files: () => incomingFiles(files) };
}

/** A project whose live version has a pack of five files, and a merge of one file into it. */
async function aMerge() {
  const content = bucket();
  const target = { projectId, store: first, known: noKnownFiles, isSite: false };
  const live = await storeFiles(content, target, incomingFiles(named('a', 'b', 'c', 'd', 'e')));
  const storeOnce = reusableStore(content, { projectId, store: merged }, { isPart: true });
  const carry = (...paths: string[]) => new Map([...live].filter(([path]) => paths.includes(path)));
  const merge = async (carried: Manifest) =>
    (await storeOnce(anUpload('x'), knownFiles([{ store: first, files: live }]), carried)).files;
  return { content, carry, merge };
}

const keysIn = (content: ReturnType<typeof bucket>, store: StoreId) =>
  [...content.objects.keys()].filter((key) => key.includes(`/${store}/`));

test('a merge that is retried over the same files stores nothing again', async () => {
  const { content, carry, merge } = await aMerge();
  const stored = await merge(carry('a', 'b', 'c'));
  content.put = async () => {
    throw new Error('nothing has to be stored');
  };
  expect(await merge(carry('a', 'b', 'c', 'd'))).toBe(stored);
});

test('a merge that is retried never brings back a file that another change replaced meanwhile', async () => {
  const { content, carry, merge } = await aMerge();
  const before = await merge(carry('a'));
  expect([...before.keys()]).toEqual(['x', 'a']);
  // Another change stored this path again, as an object of its own.
  const changed = new Map([['a', { size: 3, hash: 'new', storedAt: other }]]);
  expect([...(await merge(changed)).keys()]).toEqual(['x']);
  expect(keysIn(content, merged)).toHaveLength(1);
});

test('a merge that is retried stores files again if the pack is mostly unused only now', async () => {
  const { content, carry, merge } = await aMerge();
  expect([...(await merge(carry('a', 'b', 'c'))).keys()]).toEqual(['x']);
  const files = await merge(carry('a'));
  expect([...files.keys()]).toEqual(['x', 'a']);
  const entry = files.get('a');
  const at = { projectId, store: merged };
  const bytes = entry && (await readFilePlace(content, filePlace(at, 'a', entry)));
  expect(Buffer.from(bytes ?? '').toString()).toBe('text of a');
  expect(keysIn(content, merged)).toHaveLength(1);
});
