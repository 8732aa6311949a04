import type { ProjectId } from '../../../contract/fields.ts';
import { contentKey } from '../../content/content-keys.ts';
import { instant, plusSeconds } from '../../instants.ts';
import type { ContentStore, ProjectStore } from '../../ports.ts';
import type { FileEntry, Manifest } from '../../visit/manifest.ts';
import type { KeptVersion } from '../publishing/known-files.ts';
import { type FilesInUseDeps, visitFilesInUse } from './files-in-use.ts';
import { readManifest } from './kept-versions.ts';

/** The dependencies for erasing files from packs. */
export interface EraseDeps extends FilesInUseDeps {
  projects: FilesInUseDeps['projects'] &
    Pick<ProjectStore, 'packsToErase' | 'endErasure' | 'listDroppedVersions'>;
  content: Pick<ContentStore, 'get' | 'rewrite'>;
}

/** Packs of one project in one run: each is read and written as a whole, some 70 MiB at most. */
const packsPerRun = 8;

/**
 * Most versions of a project that may have left the history within two hours; with more, the
 * erasure waits.
 */
const mostDropped = 200;
const waitSeconds = 3600;

/**
 * Erases files that no kept version uses any more from packs whose other files are in use: their
 * bytes become zeros, and nothing moves. So no manifest changes, readers notice nothing, and a run
 * that is interrupted can be repeated. False if there was nothing to do.
 *
 * Versions that left the history a moment ago count as used, because a running download or push may
 * read them. They are read after the kept ones, so that a version which leaves in between is in one
 * of the two lists.
 */
export async function eraseDeadFiles(
  deps: EraseDeps,
  projectId: ProjectId,
  now: Date,
  deadline: () => boolean,
): Promise<boolean> {
  const postpone = async () => {
    await deps.projects.endErasure(projectId, [], instant(plusSeconds(now, waitSeconds)));
    return true;
  };
  const waiting = (await deps.projects.packsToErase(projectId)).slice(0, packsPerRun);
  const live = new Map<string, Places>();
  const packs = new Set(waiting);
  const see = (version: KeptVersion) => addPlaces(live, version, packs);
  const time = { now, isLate: deadline };
  const inUse = await visitFilesInUse(deps, projectId, time, { kept: see, retained: see });
  // The removal of the project deletes packs and rows.
  if (inUse.kind === 'removed') return false;
  if (inUse.kind === 'late') return postpone();
  const dropped = await deps.projects.listDroppedVersions(projectId, mostDropped);
  if (dropped.length >= mostDropped) return postpone();
  for (const version of dropped) {
    if (deadline()) return postpone();
    const files = await readManifest(deps.content, projectId, version);
    // Nothing is known of the files of a version whose manifest was lost.
    if (files !== undefined) see({ ...version, files });
  }
  const done: string[] = [];
  for (const pack of waiting) {
    if (deadline()) break;
    const places = live.get(pack);
    // A pack that no version uses is removed as a whole.
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

/**
 * Finds out which packed files of a version other versions use; those are added one after another.
 * Pure.
 */
export function placesInPacks(files: Manifest) {
  const inPacks = [...files.values()].filter(isInPack);
  const packs = new Set(inPacks.map(({ storedAt }) => storedAt));
  const live = { kept: new Map<string, Places>(), retained: new Map<string, Places>() };
  const isShown = (by: keyof typeof live, entry: EntryInPack) =>
    live[by].get(entry.storedAt)?.has(placeKey(entry)) === true;
  return {
    see(version: KeptVersion, by: keyof typeof live): void {
      addPlaces(live[by], version, packs);
    },
    /** Packs with a file that no version uses and another file that a version uses. */
    deadPacks(): string[] {
      const isLive = ({ storedAt }: EntryInPack) =>
        live.kept.has(storedAt) || live.retained.has(storedAt);
      const dead = inPacks.filter(
        (entry) =>
          entry.size > 0 && isLive(entry) && !isShown('kept', entry) && !isShown('retained', entry),
      );
      return [...new Set(dead.map(({ storedAt }) => storedAt))];
    },
    /** Whether the retained assets include a packed file that no kept version uses. */
    hasRetainedPlaces: (): boolean =>
      inPacks.some((entry) => isShown('retained', entry) && !isShown('kept', entry)),
  };
}

type EntryInPack = FileEntry & { storedAt: string; offset: number };

function isInPack(entry: FileEntry): entry is EntryInPack {
  return entry.offset !== undefined && entry.storedAt !== undefined;
}

/** A range of bytes in a pack; `end` is exclusive. */
interface Place {
  first: number;
  end: number;
}

type Places = Map<string, Place>;

/**
 * Adds the places of a version's files in `packs`, brotli forms included, by the location of the
 * pack.
 */
function addPlaces(
  live: Map<string, Places>,
  { files }: KeptVersion,
  packs: ReadonlySet<string>,
): void {
  for (const entry of files.values()) {
    if (!isInPack(entry) || !packs.has(entry.storedAt)) continue;
    const places = live.get(entry.storedAt) ?? new Map<string, Place>();
    const { offset, size, brotliBytes = 0 } = entry;
    live.set(
      entry.storedAt,
      places.set(placeKey(entry), { first: offset, end: offset + size + brotliBytes }),
    );
  }
}

function placeKey({ offset, size }: EntryInPack): string {
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
