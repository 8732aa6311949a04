import { brotliDecompressSync } from 'node:zlib';
import { expect, test } from '@jest/globals';
import { packLength, StoreId } from '../../../../../core/content/content-keys.ts';
import type { IncomingFile } from '../../../../../core/content/prepare-upload.ts';
import type { StoredObject } from '../../../../../core/ports.ts';
import {
  knownFiles,
  type KeptVersion,
} from '../../../../../core/projects/publishing/known-files.ts';
import { fullPackBytes } from '../../../../../core/projects/publishing/pack-writer.ts';
import { storeFiles } from '../../../../../core/projects/publishing/store-files.ts';
import { maxInlineBytes } from '../../../../../core/visit/decide-visit.ts';
import { brotliPlace, filePlace, readFilePlace } from '../../../../../core/visit/file-place.ts';
import {
  decodeManifest,
  encodeManifest,
  fileLocation,
  type Manifest,
} from '../../../../../core/visit/manifest.ts';
import type { ByteRange } from '../../../../../core/visit/protocol/conditional-request.ts';
import { noise } from '../../../../fixtures/archives/large-zip.ts';
import { aProject } from '../../../../fixtures/projects/a-project.ts';

const projectId = aProject().id;

type Files = Readonly<Record<string, Uint8Array>>;

/** Storage that refuses what S3 refuses: a range that begins behind the object's end (416). */
class StrictStorage {
  readonly objects = new Map<string, Uint8Array>();

  async get(key: string, range?: ByteRange): Promise<Uint8Array | undefined> {
    const bytes = this.objects.get(key);
    if (bytes === undefined || range === undefined) return bytes;
    if (range.first >= bytes.length || range.last < range.first) throw new Error('InvalidRange');
    return bytes.subarray(range.first, range.last + 1);
  }

  async put({ key, bytes }: StoredObject): Promise<void> {
    this.objects.set(key, Uint8Array.from(bytes));
  }

  async putLarge(): Promise<void> {
    throw new Error('No file here is large.');
  }
}

async function* incoming(files: Files): AsyncGenerator<IncomingFile> {
  for (const [path, bytes] of Object.entries(files)) {
    yield { path, size: bytes.length, content: [bytes] };
  }
}

/** Stores the next version of a project beside those that it keeps, the newest first. */
async function nextVersion(content: StrictStorage, kept: readonly KeptVersion[], files: Files) {
  const store = StoreId.parse(`b${kept.length}`);
  const before = content.objects.size;
  const target = { projectId, store, known: knownFiles(kept), isSite: true };
  const entries = await storeFiles(content, target, incoming(files));
  const version = { store, files: decodeManifest(encodeManifest(entries)) };
  return { version, writes: content.objects.size - before };
}

/** Every file whole, by its first and last byte and by its middle, and its brotli form. */
async function expectReadable(content: StrictStorage, version: KeptVersion, files: Files) {
  const at = { projectId, store: version.store };
  expect([...version.files.keys()].toSorted()).toEqual(Object.keys(files).toSorted());
  for (const [path, entry] of version.files) {
    const bytes = Buffer.from(files[path] ?? new Uint8Array());
    const place = filePlace(at, path, entry);
    const read = async (range?: ByteRange) =>
      Buffer.from((await readFilePlace(content, place, range)) ?? 'nothing');
    expect({ path, whole: (await read()).equals(bytes) }).toEqual({ path, whole: true });
    const last = bytes.length - 1;
    const ranges =
      last < 0
        ? []
        : [
            [0, 0],
            [last, last],
            [Math.floor(last / 2), last],
          ];
    for (const [first = 0, end = 0] of ranges) {
      const part = await read({ first, last: end });
      expect({ path, first, same: part.equals(bytes.subarray(first, end + 1)) }).toEqual({
        path,
        first,
        same: true,
      });
    }
    if (entry.brotliBytes === undefined) continue;
    const brotli = (await readFilePlace(content, brotliPlace(at, path, entry))) ?? new Uint8Array();
    expect({ path, unpacked: brotliDecompressSync(brotli).equals(bytes) }).toEqual({
      path,
      unpacked: true,
    });
  }
}

const quarter = (letter: string) => Buffer.alloc(maxInlineBytes, letter);
/** Exactly as much as one pack takes. */
const full = Object.fromEntries(
  Array.from({ length: fullPackBytes / maxInlineBytes }, (_, at) => [
    `full-${at}.bin`,
    quarter(`${at}`),
  ]),
);
const shrinks = Buffer.from('console.log("a calm harbour");\n'.repeat(2000));
const grows = Buffer.from(noise(64 * 1024));
const first: Files = {
  'before.txt': new Uint8Array(),
  ...full,
  'at-the-border.txt': new Uint8Array(),
  'shrinks.js': shrinks,
  'between.txt': new Uint8Array(),
  'grows.js': grows,
  'last.txt': new Uint8Array(),
};

const packsOf = ({ store, files }: { store: StoreId; files: Manifest }) =>
  new Set(
    [...files]
      .map(([path, entry]) => fileLocation(store, path, entry))
      .filter((location) => packLength(location) !== undefined),
  );

test('files at the borders of packs are read whole and by ranges, also empty ones', async () => {
  const content = new StrictStorage();
  const { version, writes } = await nextVersion(content, [], first);
  const bytes = Object.values(first).reduce((sum, one) => sum + one.length, 0);
  expect(writes).toBe(Math.ceil(bytes / fullPackBytes));
  expect([...packsOf(version)].map((pack) => packLength(pack))).toEqual([
    fullPackBytes,
    bytes - fullPackBytes,
  ]);
  // What would not shrink is stored once.
  expect(version.files.get('shrinks.js')?.brotliBytes).toBeGreaterThan(0);
  expect(version.files.get('grows.js')?.brotliBytes).toBeUndefined();
  await expectReadable(content, version, first);
});

test('a version whose files are in packs of three versions is read as it was, after each later one', async () => {
  const content = new StrictStorage();
  // The first pack keeps more than half of its bytes, the second one hardly any of them.
  const second = { ...first, 'full-0.bin': quarter('x'), 'grows.js': Buffer.from(noise(50_000)) };
  const third = { ...second, 'new.txt': Buffer.from('new'), 'another.txt': new Uint8Array() };
  const versions: { version: KeptVersion; files: Files }[] = [];
  for (const files of [first, second, third]) {
    const kept = versions.map(({ version }) => version).toReversed();
    const { version } = await nextVersion(content, kept, files);
    versions.push({ version, files });
    for (const one of versions) await expectReadable(content, one.version, one.files);
  }
  expect(
    packsOf(versions[2]?.version ?? { store: StoreId.parse('a'), files: new Map() }).size,
  ).toBe(3);
});
