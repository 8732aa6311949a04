import type { ProjectId } from '../../../contract/fields.ts';
import { contentKey } from '../../content/content-keys.ts';
import { instant, plusSeconds } from '../../instants.ts';
import type { ContentStore, ProjectStore } from '../../ports.ts';
import type { FileEntry, Manifest } from '../../visit/manifest.ts';
import type { KeptVersion } from '../publishing/known-files.ts';
import { type FilesInUse, filesInUse, type FilesInUseDeps } from './files-in-use.ts';
import { loadReadableVersionFiles } from './kept-versions.ts';

/** The dependencies for erasing files from packs. */
export interface EraseDeps extends FilesInUseDeps {
  projects: FilesInUseDeps['projects'] &
    Pick<ProjectStore, 'packsToErase' | 'endErasure' | 'listDroppedVersions'>;
  content: Pick<ContentStore, 'get' | 'rewrite'>;
}

/** Packs of one project in one run: each is read and written as a whole, some 70 MiB at most. */
const packsPerRun = 8;

/** Versions of a project that left within two hours; where more did, the erasure waits. */
const mostDropped = 200;
const waitSeconds = 3600;

/**
 * Erases the files that no kept version shows any more from packs of which others are in use: their bytes
 * become zeros, and nothing moves. So no manifest changes, readers notice nothing, and a run that is
 * interrupted can be repeated. False if there was nothing to do.
 *
 * Versions that left a moment ago count as shown: a download or a push that has begun may read them. They
 * are read after the kept ones, so that what leaves meanwhile is in one of the two.
 */
export async function eraseDeadFiles(
  deps: EraseDeps,
  projectId: ProjectId,
  now: Date,
  deadline: () => boolean,
): Promise<boolean> {
  const waiting = (await deps.projects.packsToErase(projectId)).slice(0, packsPerRun);
  const inUse = await filesInUse(deps, projectId, now);
  // The removal of the project takes packs and rows.
  if (inUse === undefined) return false;
  const dropped = await deps.projects.listDroppedVersions(projectId, mostDropped);
  if (dropped.length >= mostDropped) {
    await deps.projects.endErasure(projectId, [], instant(plusSeconds(now, waitSeconds)));
    return true;
  }
  const leaving = await loadReadableVersionFiles(deps.content, projectId, dropped);
  const live = livePlaces([...inUse.kept, ...inUse.retained, ...leaving], new Set(waiting));
  const done: string[] = [];
  for (const pack of waiting) {
    if (deadline()) break;
    const places = live.get(pack);
    // A pack that nobody shows is removed as a whole.
    const isDone =
      places === undefined ||
      (await deps.content.rewrite(contentKey(projectId, pack), (bytes) =>
        eraseBetween(bytes, [...places.values()]),
      ));
    if (isDone) done.push(pack);
  }
  await deps.projects.endErasure(projectId, done, instant(now));
  return true;
}

/** The packs with a file of `files` that none of these versions shows, but another file. Pure. */
export function packsWithDeadFiles(files: Manifest, inUse: readonly KeptVersion[]): string[] {
  const packed = [...files.values()].filter(isInPack);
  const live = livePlaces(inUse, new Set(packed.map(({ storedAt }) => storedAt)));
  const dead = packed.filter((entry) => {
    const places = live.get(entry.storedAt);
    return entry.size > 0 && places !== undefined && !places.has(placeKey(entry));
  });
  return [...new Set(dead.map(({ storedAt }) => storedAt))];
}

/** Whether a file of `files` in a pack is shown by no kept version, but by the retained assets. Pure. */
export function hasRetainedPlaces(files: Manifest, { kept, retained }: FilesInUse): boolean {
  const packed = [...files.values()].filter(isInPack);
  const packs = new Set(packed.map(({ storedAt }) => storedAt));
  const [ofKept, ofRetained] = [livePlaces(kept, packs), livePlaces(retained, packs)];
  const isShown = (places: typeof ofKept, entry: PackedEntry) =>
    places.get(entry.storedAt)?.has(placeKey(entry)) === true;
  return packed.some((entry) => isShown(ofRetained, entry) && !isShown(ofKept, entry));
}

/** A file in a pack. */
type PackedEntry = FileEntry & { storedAt: string; offset: number };

function isInPack(entry: FileEntry): entry is PackedEntry {
  return entry.offset !== undefined && entry.storedAt !== undefined;
}

/** Bytes of a pack; `end` is behind the last one. */
interface Place {
  first: number;
  end: number;
}

/** What these versions show of packs, with brotli forms, by the location of the pack. */
function livePlaces(
  versions: readonly KeptVersion[],
  packs: ReadonlySet<string>,
): Map<string, Map<string, Place>> {
  const live = new Map<string, Map<string, Place>>();
  for (const { files } of versions) {
    for (const entry of files.values()) {
      if (!isInPack(entry) || !packs.has(entry.storedAt)) continue;
      const places = live.get(entry.storedAt) ?? new Map<string, Place>();
      const { offset, size, packed = 0 } = entry;
      live.set(
        entry.storedAt,
        places.set(placeKey(entry), { first: offset, end: offset + size + packed }),
      );
    }
  }
  return live;
}

function placeKey({ offset, size }: PackedEntry): string {
  return `${offset} ${size}`;
}

/** Fills all other bytes with zeros; false if they are zeros already. */
function eraseBetween(bytes: Uint8Array, places: readonly Place[]): boolean {
  let end = 0;
  let hasChanged = false;
  const byOrder = places.toSorted((a, b) => a.first - b.first);
  for (const place of [...byOrder, { first: bytes.length, end: bytes.length }]) {
    const gap = bytes.subarray(end, Math.max(end, place.first));
    if (gap.some((byte) => byte !== 0)) {
      gap.fill(0);
      hasChanged = true;
    }
    end = Math.max(end, place.end);
  }
  return hasChanged;
}
