import type { Instant, ProjectId } from '../../../contract/fields.ts';
import { contentKey, manifestsPrefix, markupKey } from '../../content/content-keys.ts';
import type { ContentStore, ProjectStore } from '../../ports.ts';
import { allLocations, type Manifest } from '../../visit/manifest.ts';
import { readManifest } from './kept-versions.ts';
import { hasRetainedPlaces, packsWithDeadFiles } from './erase-dead-files.ts';
import { type FilesInUse, filesInUse, type FilesInUseDeps } from './files-in-use.ts';
import { knownFiles } from '../publishing/known-files.ts';
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
 * Removes the files of a version that left the history, but those that a kept version shows too. A
 * push relies only on what kept versions hold, so that nothing is ever taken from under it. Assets that
 * visitors still reach stay until their time is over, which each day finds out: a change of access ends it
 * at once, and a newer asset may take its room. Files in packs that stay are erased there later. Once the
 * project's own removal began, everything is left to it.
 */
export async function removeDroppedVersion(
  deps: DropDeps,
  projectId: ProjectId,
  version: number,
  now: Date,
): Promise<void> {
  const dropped = await deps.projects.getDroppedVersion(projectId, version);
  const files =
    dropped === undefined ? undefined : await readManifest(deps.content, projectId, dropped);
  if (dropped !== undefined && files !== undefined) {
    const inUse = await filesInUse(deps, projectId, now);
    if (inUse === undefined) return;
    const { until } = inUse;
    const kept = knownFiles(inUse.kept);
    const retained = knownFiles(inUse.retained);
    const unused = [...files]
      .flatMap(([path, entry]) => allLocations(dropped.store, path, entry))
      .filter((location) => !kept.holds(location));
    const keys = [...new Set(unused.filter((location) => !retained.holds(location)))];
    const { store, markupRevision } = dropped;
    const markup = markupRevision === undefined ? [] : [markupKey(projectId, store)];
    await deps.content.deleteKeys([
      ...keys.map((location) => contentKey(projectId, location)),
      ...markup,
    ]);
    const isScheduled = await scheduleErasure(deps, projectId, { files, inUse, now });
    const nextDay = plusSeconds(now, daySeconds);
    const isRetaining =
      until !== undefined &&
      (unused.some((location) => retained.holds(location)) || hasRetainedPlaces(files, inUse));
    if (isRetaining || !isScheduled) {
      const again = isRetaining ? earlier(until, nextDay) : instant(nextDay);
      await deps.projects.postponeDrop(projectId, version, again);
      return;
    }
    // Last of the objects: it says which files are to go. With it go those that interrupted pushes left.
    await deps.content.deletePrefix(manifestsPrefix(projectId, dropped.store));
  }
  await deps.projects.deleteDroppedVersion(projectId, version);
}

/** Packs of one version that are scheduled at once; the next day schedules others. */
const mostScheduled = 500;

/**
 * Has the dead files of a version erased from packs that stay for others. All that is dropped within a day
 * waits for the same erasure: many versions cost no more writes than one.
 */
async function scheduleErasure(
  { projects }: DropDeps,
  projectId: ProjectId,
  { files, inUse, now }: { files: Manifest; inUse: FilesInUse; now: Date },
): Promise<boolean> {
  const packs = packsWithDeadFiles(files, [...inUse.kept, ...inUse.retained]);
  if (packs.length === 0) return true;
  const at = instant(plusSeconds(now, daySeconds));
  const isWritten = await projects.scheduleErasure(projectId, packs.slice(0, mostScheduled), at);
  return isWritten && packs.length <= mostScheduled;
}

function earlier(until: Instant, other: Date): Instant {
  return Date.parse(until) < other.getTime() ? until : instant(other);
}
