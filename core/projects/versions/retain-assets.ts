import { randomBytes } from 'node:crypto';
import { daySeconds } from '../../../contract/limits.ts';
import {
  ManifestHash,
  manifestHash,
  manifestKey,
  packLength,
  StoreId,
} from '../../content/content-keys.ts';
import { instant, plusSeconds } from '../../instants.ts';
import type { ContentStore } from '../../ports.ts';
import { cacheTag } from '../../visit/protocol/cache-policy.ts';
import {
  encodeContent,
  encodeManifest,
  entryStoredAt,
  type FileEntry,
  fileLocation,
  type Manifest,
  readContent,
} from '../../visit/manifest.ts';
import { hashedAssets, isRetained } from '../../visit/retained-assets.ts';
import { type RetainedAssets, RetainedList } from '../../visit/serving-record.ts';
import type { Project, Version } from '../project.ts';
import type { VersionWithFiles } from './kept-versions.ts';

/** How long the hashed assets of a version stay reachable after another one became live. */
export const retainedSeconds = 7 * daySeconds;

/**
 * Retained assets do not count towards the quota, so together they are at most as large as the live
 * version, or as this. Bytes.
 */
const minRetainedBytes = 50 * 1024 * 1024;
/** About the most files that a site has. */
const maxRetainedFiles = 20_000;

/** A switch from one live version to another. */
export interface LiveSwitch {
  /** The version that was live; undefined if its manifest was lost. */
  leaving: Pick<VersionWithFiles, 'store' | 'home' | 'files'> | undefined;
  next: Pick<Version, 'home' | 'bytes' | 'store'> & { files: Manifest };
  /** Paths that the owner deleted by name: they end at once. */
  deleted?: readonly string[] | undefined;
}

/**
 * The assets that stay reachable when another version becomes live: those of the version that
 * leaves, and earlier ones whose time is not over. Files that the new version has are not among
 * them. The newest come first, here and in storage, so that the oldest are left out when there is
 * no room. Pure.
 */
export function planRetained(
  { leaving, next, deleted = [] }: LiveSwitch,
  earlier: Manifest,
  now: Date,
): Map<string, FileEntry> {
  const planned = new Map<string, FileEntry>();
  if (next.home === null) return planned;
  const room = storageRoom(next);
  const gone = new Set(deleted);
  const before = [...earlier].filter(([, entry]) => isRetained(entry, now));
  for (const [path, entry] of [...leavingAssets(leaving, now), ...before]) {
    if (planned.has(path) || next.files.has(path) || gone.has(path)) continue;
    if (planned.size === maxRetainedFiles || !room.take(entry)) continue;
    planned.set(path, entry);
  }
  return planned;
}

/**
 * Counts what stays stored because of assets. An asset in a pack keeps the whole pack, which counts
 * once, and not at all if the new version uses it too.
 */
function storageRoom({ bytes, files }: LiveSwitch['next']) {
  let left = Math.max(bytes, minRetainedBytes);
  const counted = new Set([...files.values()].map(({ storedAt }) => storedAt));
  return {
    take({ size, storedAt }: FileEntry): boolean {
      const packBytes = packLength(storedAt ?? '');
      if (packBytes !== undefined && counted.has(storedAt)) return true;
      const needed = packBytes ?? size;
      if (needed > left) return false;
      left -= needed;
      if (packBytes !== undefined) counted.add(storedAt);
      return true;
    },
  };
}

function leavingAssets(leaving: LiveSwitch['leaving'], now: Date): [string, FileEntry][] {
  if (leaving === undefined || leaving.home === null) return [];
  const { store, files } = leaving;
  const until = instant(plusSeconds(now, retainedSeconds));
  return hashedAssets(files).flatMap((path): [string, FileEntry][] => {
    const entry = files.get(path);
    if (entry === undefined) return [];
    const stored = entryStoredAt(fileLocation(store, path, entry), path, entry);
    return [[path, { ...stored, until }]];
  });
}

/**
 * How many lists of a project are kept. A visit that began two switches ago may still read its
 * list, because it has the serving record of that time.
 */
const keptLists = 3;

/** The list of retained assets that one push or rollback stores. */
export interface AssetRetention {
  /**
   * Stores the list beside the version that becomes live, and returns the fields of its project. A
   * second call means that the earlier change was not written, so it removes that change's list.
   */
  retain(
    project: Pick<Project, 'id' | 'retained' | 'retainedLists'> & { liveStore: StoreId },
    change: LiveSwitch,
    now: Date,
  ): Promise<Pick<Project, 'retained' | 'retainedLists'>>;
  /** Removes the list of a change that was not written. */
  withdraw(): Promise<void>;
}

/**
 * Lists of assets that stay reachable. Each list has a key of its own, so that no other change can
 * rely on a list that is removed.
 */
export function assetRetention(
  content: Pick<ContentStore, 'get' | 'put' | 'deleteKeys'>,
): AssetRetention {
  let unwritten: string | undefined;
  const withdraw = async () => {
    if (unwritten !== undefined) await content.deleteKeys([unwritten]);
    unwritten = undefined;
  };
  return {
    withdraw,
    async retain(project, change, now) {
      await withdraw();
      const { id, retainedLists = [] } = project;
      const earlier = (await readRetained(content, project)) ?? new Map();
      const planned = planRetained(change, earlier, now);
      if (planned.size === 0) return { retained: undefined };
      const bytes = encodeContent(encodeManifest(planned), undefined);
      const hash = manifestHash(Buffer.concat([bytes, randomBytes(16)]));
      const { store } = change.next;
      const key = manifestKey(id, store, hash);
      const surplus = retainedLists.slice(0, -(keptLists - 1));
      if (surplus.length > 0) await content.deleteKeys(surplus.map((list) => listKey(id, list)));
      unwritten = key;
      const contentType = 'application/octet-stream';
      await content.put({ key, bytes, contentType, cacheTag: cacheTag(id) });
      const lists = [...retainedLists.slice(-(keptLists - 1)), `${store}/${hash}`];
      return {
        retained: { hash, ...summarize(planned) },
        retainedLists: lists.map((list) => RetainedList.parse(list)),
      };
    },
  };
}

function listKey(id: Project['id'], list: RetainedList): string {
  const [store, hash] = list.split('/');
  return manifestKey(id, StoreId.parse(store), ManifestHash.parse(hash));
}

function summarize(planned: Manifest): Omit<RetainedAssets, 'hash'> {
  let bytes = 0;
  let until = '';
  for (const entry of planned.values()) {
    bytes += entry.size;
    if (entry.until !== undefined && entry.until > until) until = entry.until;
  }
  return { files: planned.size, bytes, until };
}

/**
 * The assets of earlier versions that a project retains, `undefined` if their list is gone; `liveStore`
 * is the store of its live version.
 */
export async function readRetained(
  content: Pick<ContentStore, 'get'>,
  { id, retained, liveStore }: Pick<Project, 'id' | 'retained'> & { liveStore: StoreId },
): Promise<Manifest | undefined> {
  if (retained === undefined) return new Map();
  const row = { projectId: id, store: liveStore, manifestHash: retained.hash };
  return (await readContent(content, row))?.files;
}
