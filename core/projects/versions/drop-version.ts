import type { Instant, ProjectId } from '../../../contract/fields.ts';
import { contentKey, manifestsPrefix, markupKey } from '../../content/content-keys.ts';
import type { ContentStore, ProjectStore } from '../../ports.ts';
import { allLocations } from '../../visit/manifest.ts';
import { readManifest } from './kept-versions.ts';
import { placesInPacks } from './erase-dead-files.ts';
import { type FilesInUseDeps, visitFilesInUse } from './files-in-use.ts';
import type { KeptVersion } from '../publishing/known-files.ts';
import { daySeconds } from '../../../contract/limits.ts';
import { instant, plusSeconds } from '../../instants.ts';

/** The dependencies for removing a version's files. */
export interface DropDeps extends FilesInUseDeps {
  projects: FilesInUseDeps['projects'] &
    Pick<
      ProjectStore,
      'getDroppedVersion' | 'deleteDroppedVersion' | 'postponeDrop' | 'scheduleErasure'
    >;
  content: Pick<ContentStore, 'get' | 'deleteKeys' | 'deletePrefix'>;
}

/**
 * Removes the files of a version that left the history, except those that a kept version or a preview also uses.
 * A push reuses only files of kept versions, or of the preview that it changes, so this never removes a file that a push relies on.
 * Assets that visitors can still reach stay until their time is over. This is checked every day,
 * because a change of access ends that time at once, and a newer asset may need the room. Unused
 * files in packs that stay are erased later. Once the removal of the whole project has begun, this
 * does nothing.
 */
export async function removeDroppedVersion(
  deps: DropDeps,
  projectId: ProjectId,
  version: number,
  { now, isLate }: { now: Date; isLate: () => boolean },
): Promise<void> {
  const dropped = await deps.projects.getDroppedVersion(projectId, version);
  const files =
    dropped === undefined ? undefined : await readManifest(deps.content, projectId, dropped);
  if (dropped !== undefined && files !== undefined) {
    const use = useOf({ store: dropped.store, files });
    const inUse = await visitFilesInUse(deps, projectId, { now, isLate }, use);
    if (inUse.kind === 'removed') return;
    if (inUse.kind === 'late') {
      await deps.projects.postponeDrop(projectId, version, instant(plusSeconds(now, lateSeconds)));
      return;
    }
    const { until } = inUse;
    const keys = [...use.unused].filter((location) => !use.onlyRetained.has(location));
    const { store, markupRevision } = dropped;
    const markup = markupRevision === undefined ? [] : [markupKey(projectId, store)];
    await deps.content.deleteKeys([
      ...keys.map((location) => contentKey(projectId, location)),
      ...markup,
    ]);
    const isScheduled = await scheduleErasure(deps, projectId, { packs: use.deadPacks(), now });
    const nextDay = plusSeconds(now, daySeconds);
    const isRetaining =
      until !== undefined &&
      ([...use.unused].some((location) => use.onlyRetained.has(location)) ||
        use.hasRetainedPlaces());
    if (isRetaining || !isScheduled) {
      const again = isRetaining ? earlier(until, nextDay) : instant(nextDay);
      await deps.projects.postponeDrop(projectId, version, again);
      return;
    }
    // The manifest is removed last, because it lists the files to remove. Manifests of interrupted
    // pushes are removed with it.
    await deps.content.deletePrefix(manifestsPrefix(projectId, dropped.store));
  }
  await deps.projects.deleteDroppedVersion(projectId, version);
}

/** A version is postponed by this if a run had too little time to compare it with all others. */
const lateSeconds = 3600;

/** Finds out which files of a dropped version other versions use; those are added one after another. */
function useOf({ store, files }: KeptVersion) {
  const unused = new Set([...files].flatMap(([path, entry]) => allLocations(store, path, entry)));
  const own = new Set(unused);
  const onlyRetained = new Set<string>();
  const places = placesInPacks(files);
  return {
    /** Locations that no kept version uses. */
    unused,
    /** Locations that retained assets use. */
    onlyRetained,
    ...places,
    kept(version: KeptVersion) {
      for (const location of locationsOf(version)) unused.delete(location);
      places.see(version, 'kept');
    },
    retained(list: KeptVersion) {
      for (const location of locationsOf(list)) if (own.has(location)) onlyRetained.add(location);
      places.see(list, 'retained');
    },
  };
}

function* locationsOf({ store, files }: KeptVersion): Generator<string> {
  for (const [path, entry] of files) yield* allLocations(store, path, entry);
}

/** Packs of one version that are scheduled in one run; those beyond are scheduled the next day. */
const mostScheduled = 500;

/**
 * Schedules erasing the unused files of a version from packs that other versions still use. All
 * versions dropped within a day share one erasure, so many cost no more writes than one.
 */
async function scheduleErasure(
  { projects }: DropDeps,
  projectId: ProjectId,
  { packs, now }: { packs: readonly string[]; now: Date },
): Promise<boolean> {
  if (packs.length === 0) return true;
  const at = instant(plusSeconds(now, daySeconds));
  const isWritten = await projects.scheduleErasure(projectId, packs.slice(0, mostScheduled), at);
  return isWritten && packs.length <= mostScheduled;
}

function earlier(until: Instant, other: Date): Instant {
  return Date.parse(until) < other.getTime() ? until : instant(other);
}
