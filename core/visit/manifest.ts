import { gunzipSync, gzipSync } from 'node:zlib';
import * as z from 'zod/mini';
import { Instant } from '../../contract/visits/visit-fields.ts';
import {
  manifestKey,
  brotliLocation,
  packLength,
  type StoreId,
  uploadLocation,
} from '../content/content-keys.ts';
import type { ContentKind } from '../content/media-type.ts';
import { type WrittenFormat, writtenFormats } from '../content/format-marks.ts';
import type { ContentStore } from '../ports.ts';
import type { ServingRecord } from './serving-record.ts';

/** One published file: its size in bytes, and the first 96 bits of its SHA-256, which make its ETag. */
export interface FileEntry extends ContentKind {
  size: number;
  hash: string;
  /** Its location when another version's upload stored it: the store, or `<store>/<digest>`; that of its pack if it is in one. */
  storedAt?: string | undefined;
  /** Where its bytes begin in its pack; `undefined` when it is an object of its own. */
  offset?: number | undefined;
  /** Bytes of its brotli form, which is an object beside it, or follows it in its pack; only files that shrink have one. */
  brotliBytes?: number | undefined;
  /** Only of an asset that stays reachable after its version; see `retained-assets.ts`. */
  until?: Instant | undefined;
}

/** Every file of one version by its path; immutable once published. */
export type Manifest = ReadonlyMap<string, FileEntry>;

const Rows = z.array(
  z.tuple([
    z.string(),
    z.int().check(z.nonnegative()),
    z.string(),
    z.optional(z.string()),
    z.optional(z.enum(['', 'text', 'video', 'encoded', 'gzip', 'br', ...writtenFormats])),
    z.optional(z.int().check(z.nonnegative())),
    z.optional(z.union([Instant, z.literal('')])),
    z.optional(z.int()),
  ]),
);

/** The content of a version: its files, and its rules in their stored form. */
export interface VersionContent {
  files: Manifest;
  rules: Uint8Array | undefined;
}

/** Where manifest and rules of a version are: in its row, or in an object. */
export type StoredContent = Pick<ServingRecord, 'manifest' | 'rules' | 'manifestHash'>;

/** The location of a version's manifest and rules, as fields of a row. */
export function storedContent({ manifest, rules, manifestHash }: StoredContent): StoredContent {
  return {
    ...(manifest !== undefined && { manifest }),
    ...(rules !== undefined && { rules }),
    ...(manifestHash !== undefined && { manifestHash }),
  };
}

/** Manifest and rules up to this size together are part of the row, which has room for the longest texts beside them. */
export const maxInlineContentBytes = 800;

/**
 * The same limit before compression: readers keep decoded rows in memory, and repetitive rules
 * compress well.
 */
export const maxInlineTextBytes = 8000;

/**
 * The stored form: gzipped JSON rows `[path, size, hash, storedAt, kind, brotliBytes, until, gap]`.
 * From `storedAt` on, an absent value is `''` or 0, and is left out at the end of a row. `kind` is
 * what its bytes say, in a word; `gap` counts the bytes of the pack between this file and the file of the row
 * before.
 */
export function encodeManifest(manifest: Manifest): Uint8Array {
  const ends = packEnds();
  const rows = [...manifest].map(([path, entry]) => {
    const { size, hash, storedAt, brotliBytes, until, offset } = entry;
    if (offset === undefined && packLength(storedAt ?? '') !== undefined) {
      throw new Error(`${path} is in a pack, but not said where`);
    }
    const row = [
      path,
      size,
      hash,
      storedAt ?? '',
      kindOf(entry),
      brotliBytes ?? 0,
      until ?? '',
      offset === undefined ? 0 : offset - ends.of(storedAt),
    ];
    if (offset !== undefined) ends.add({ ...entry, offset });
    while (row.length > 3 && isAbsent(row.at(-1))) row.pop();
    return row;
  });
  return gzipSync(JSON.stringify(rows));
}

/** What the words of rows mean. */
const kinds = {
  '': {},
  text: { isText: true },
  video: { isVideo: true },
  encoded: { hasOwnEncoding: true },
  gzip: { coding: 'gzip' },
  br: { coding: 'br' },
} as const satisfies Record<string, ContentKind>;

/** Other words are formats. */
const isFormat = (kind: keyof typeof kinds | WrittenFormat): kind is WrittenFormat =>
  !(kind in kinds);

/** The kind that was detected from the bytes, as it is stored in a row. */
function kindOf({ isText, isVideo, hasOwnEncoding, format, coding }: ContentKind) {
  if (isVideo === true) return 'video';
  if (hasOwnEncoding === true) return 'encoded';
  if (coding !== undefined) return coding;
  if (format !== undefined) return format;
  return isText === true ? 'text' : '';
}

function isAbsent(value: unknown): boolean {
  return value === 0 || value === '';
}

/**
 * Where the last file so far ends in each pack. Files mostly follow each other, so most gaps are 0
 * and are left out.
 */
function packEnds() {
  const ends = new Map<string, number>();
  return {
    of: (pack = '') => ends.get(pack) ?? 0,
    add({ storedAt = '', offset, size, brotliBytes = 0 }: FileEntry & { offset: number }) {
      ends.set(storedAt, offset + size + brotliBytes);
    },
  };
}

/** The inverse of {@link encodeManifest}. */
export function decodeManifest(stored: Uint8Array): Manifest {
  const rows = Rows.parse(JSON.parse(gunzipSync(stored).toString()));
  const ends = packEnds();
  return new Map(
    rows.map(([path, size, hash, storedAt = '', kind = '', brotli = 0, until = '', gap = 0]) => {
      const entry: FileEntry = {
        size,
        hash,
        ...(storedAt !== '' && { storedAt }),
        ...(isFormat(kind) ? { format: kind } : kinds[kind]),
        ...(brotli !== 0 && { brotliBytes: brotli }),
        ...(until !== '' && { until }),
      };
      if (packLength(storedAt) === undefined) return [path, entry];
      const inPack = { ...entry, offset: ends.of(storedAt) + gap };
      ends.add(inPack);
      return [path, inPack];
    }),
  );
}

/** The object that a file of a version is stored in, alone or in a pack: its key below the project's prefix. */
export function fileLocation(store: StoreId, path: string, { storedAt }: FileEntry): string {
  if (storedAt === undefined) return uploadLocation(store, path);
  return storedAt.includes('/') ? storedAt : uploadLocation(storedAt, path);
}

/** All objects of a file: with its bytes, and with its brotli form if that is not in the same pack. */
export function allLocations(store: StoreId, path: string, entry: FileEntry): string[] {
  const location = fileLocation(store, path, entry);
  return entry.brotliBytes === undefined || entry.offset !== undefined
    ? [location]
    : [location, brotliLocation(location)];
}

/** The manifest entry of a file at `path` that is stored at `location` already. */
export function entryStoredAt(location: string, path: string, entry: FileEntry): FileEntry {
  const [store = ''] = location.split('/');
  return { ...entry, storedAt: location === uploadLocation(store, path) ? store : location };
}

const decodedManifests = new WeakMap<Uint8Array, Manifest>();

/**
 * The manifest of a row. Readers may return the same row again; its manifest is then decoded
 * already.
 */
function manifestOfRow(stored: Uint8Array): Manifest {
  const known = decodedManifests.get(stored);
  if (known !== undefined) return known;
  const manifest = decodeManifest(stored);
  decodedManifests.set(stored, manifest);
  return manifest;
}

/** The object with a manifest and rules: the length of the manifest in four bytes, the manifest, the rules. */
export function encodeContent(manifest: Uint8Array, rules: Uint8Array | undefined): Uint8Array {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(manifest.length);
  return Buffer.concat([length, manifest, rules ?? Buffer.alloc(0)]);
}

/** The inverse of {@link encodeContent}. */
function decodeContent(stored: Uint8Array): VersionContent {
  const view = Buffer.from(stored.buffer, stored.byteOffset, stored.length);
  const end = 4 + view.readUInt32BE();
  // A copy, so that the rest of the object is not kept in memory with the rules.
  const rules = end < view.length ? new Uint8Array(view.subarray(end)) : undefined;
  return { files: decodeManifest(view.subarray(4, end)), rules };
}

/** The fields of a row that hold or locate a version's content. */
type ContentRow = StoredContent & Pick<ServingRecord, 'projectId' | 'store'>;

/** Reads files and rules of a version; `undefined` if their object was removed. */
export async function readContent(
  content: Pick<ContentStore, 'get'>,
  { projectId, store, manifest, rules, manifestHash }: ContentRow,
): Promise<VersionContent | undefined> {
  if (manifest !== undefined) return { files: manifestOfRow(manifest), rules };
  if (manifestHash === undefined) return undefined;
  const stored = await content.get(manifestKey(projectId, store, manifestHash));
  return stored === undefined ? undefined : decodeContent(stored);
}

/** Files and rules of versions that this process has read, by the hash of their object. */
export interface ContentMemory {
  get(key: string): VersionContent | undefined;
  add(key: string, content: VersionContent): void;
}

/**
 * Loads files and rules of a site's version; `undefined` when the version was removed a moment ago.
 * `contents` remembers those that are objects, by their hash: after any change the row has another
 * hash, so nothing outdated is found.
 */
export async function loadContent(
  deps: { content: Pick<ContentStore, 'get'>; contents: ContentMemory },
  site: ContentRow,
): Promise<VersionContent | undefined> {
  const { manifestHash } = site;
  if (manifestHash === undefined) return readContent(deps.content, site);
  const known = deps.contents.get(manifestHash);
  if (known !== undefined) return known;
  const read = await readContent(deps.content, site);
  if (read !== undefined) deps.contents.add(manifestHash, read);
  return read;
}
