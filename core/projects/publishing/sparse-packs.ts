import { contentKey, packLength, type StoreId, type StoreKey } from '../../content/content-keys.ts';
import { uncountedBytes, type WrittenBytes } from '../../limits/written-bytes.ts';
import type { ContentStore } from '../../ports.ts';
import type { FileEntry, Manifest } from '../../visit/manifest.ts';
import type { PackWriter, SmallFile } from './pack-writer.ts';
import { workPool } from './work-pool.ts';

interface FileInPack {
  path: string;
  entry: FileEntry & { offset: number };
}

/**
 * The files of a version that are in sparse packs: packs of other stores of which this version uses
 * less than half. By the location of their pack, the sparsest first. Storing such files again keeps
 * the stored bytes below twice the charged bytes, because a kept version then uses at least half of
 * each pack. One version moves no more than a request has time for; the next version moves more.
 * Pure.
 */
export function filesInSparsePacks(
  store: StoreId,
  files: Manifest,
  mostBytes = mostMovedBytes,
): ReadonlyMap<string, readonly FileInPack[]> {
  const packs = new Map<string, FileInPack[]>();
  for (const [path, entry] of files) {
    const { storedAt, offset } = entry;
    if (storedAt === undefined || offset === undefined || isIn(store, storedAt)) continue;
    const found = packs.get(storedAt) ?? [];
    found.push({ path, entry: { ...entry, offset } });
    packs.set(storedAt, found);
  }
  const sparse = [...packs].filter(([pack, found]) => isSparse(pack, found));
  return new Map(sparsestOf(sparse, mostBytes));
}

/**
 * The most bytes that one version stores again. A request has 29 seconds, and stores packs one
 * after another.
 */
const mostMovedBytes = 256 * 1024 * 1024;

function bytesOf(found: readonly FileInPack[]): number {
  return found.reduce((sum, { entry }) => sum + entry.size + (entry.brotliBytes ?? 0), 0);
}

function sparsestOf(
  sparse: readonly [string, FileInPack[]][],
  mostBytes: number,
): [string, FileInPack[]][] {
  let room = mostBytes;
  return sparse
    .map(([pack, found]) => ({ pack, found, bytes: bytesOf(found) }))
    .toSorted((a, b) => a.bytes - b.bytes)
    .filter(({ bytes }) => {
      room -= bytes;
      return room >= 0;
    })
    .map(({ pack, found }) => [pack, found]);
}

/** Whether an object is in this store. */
export function isIn(store: StoreId, location: string): boolean {
  return location.startsWith(`${store}/`);
}

/** Counts each place of a pack once: two paths with the same bytes may share one. */
function isSparse(pack: string, found: readonly FileInPack[]): boolean {
  const places = new Map(found.map(({ entry }) => [`${entry.offset} ${entry.size}`, entry.size]));
  const shown = [...places.values()].reduce((sum, size) => sum + size, 0);
  return shown * 2 < (packLength(pack) ?? 0);
}

/** Limits for reading neighbouring files at once, with the gaps between them. Bytes. */
const maxRun = { bytes: 4 * 1024 * 1024, gap: 64 * 1024 };
const maxConcurrent = { count: 8, bytes: 8 * maxRun.bytes };

/**
 * Adds the files of a version that are in sparse packs to new packs, with their brotli forms. A
 * lost pack is skipped, so that a push is possible all the same. Files beyond the account's daily
 * limit are skipped too: a later push moves them.
 */
export async function moveOutOfSparsePacks(
  content: Pick<ContentStore, 'get'>,
  { projectId, store, written }: StoreKey & { written?: WrittenBytes | undefined },
  files: Manifest,
  packs: PackWriter,
): Promise<void> {
  let moved = filesInSparsePacks(store, files);
  if ((await written?.prepay(bytesOf([...moved.values()].flat()))) === false) {
    moved = filesInSparsePacks(store, files, uncountedBytes);
    await written?.prepay(bytesOf([...moved.values()].flat()));
  }
  const pool = workPool(maxConcurrent);
  try {
    for (const [location, found] of moved) {
      const key = contentKey(projectId, location);
      for (const run of runsOf(found)) {
        await pool.add(run.end - run.first, () => packs.add(readRun(content, key, run)));
      }
    }
  } finally {
    await pool.settled();
  }
}

/** Files that are close to each other in a pack; `end` is exclusive. */
interface Run {
  first: number;
  end: number;
  files: FileInPack[];
}

function runsOf(found: readonly FileInPack[]): Run[] {
  const runs: Run[] = [];
  for (const file of found.toSorted((a, b) => a.entry.offset - b.entry.offset)) {
    const { offset, size, brotliBytes = 0 } = file.entry;
    const end = offset + size + brotliBytes;
    const last = runs.at(-1);
    const isNear = last !== undefined && offset - last.end <= maxRun.gap;
    if (isNear && end - last.first <= maxRun.bytes) {
      last.files.push(file);
      last.end = Math.max(last.end, end);
    } else {
      runs.push({ first: offset, end, files: [file] });
    }
  }
  return runs;
}

async function readRun(
  content: Pick<ContentStore, 'get'>,
  key: string,
  { first, end, files }: Run,
): Promise<SmallFile[]> {
  // A range of zero bytes cannot be requested.
  const bytes = end === first ? new Uint8Array() : await content.get(key, { first, last: end - 1 });
  if (bytes === undefined) return [];
  return files.map(({ path, entry }) => {
    const { size, hash, isText, isVideo, hasOwnEncoding, format, coding, brotliBytes, offset } =
      entry;
    const at = offset - first;
    // Copied, because a view would keep the whole read buffer in memory.
    const part = (from: number, length: number) => Buffer.from(bytes.subarray(from, from + length));
    const own = {
      size,
      hash,
      ...(isText !== undefined && { isText }),
      ...(isVideo !== undefined && { isVideo }),
      ...(hasOwnEncoding !== undefined && { hasOwnEncoding }),
      ...(format !== undefined && { format }),
      ...(coding !== undefined && { coding }),
      ...(brotliBytes !== undefined && { brotliBytes }),
    };
    const brotli = brotliBytes === undefined ? undefined : part(at + size, brotliBytes);
    return { path, entry: own, bytes: part(at, size), brotli };
  });
}
