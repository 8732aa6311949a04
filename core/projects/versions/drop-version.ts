import type { Instant, ProjectId } from '../../../contract/fields.ts';
import { contentKey, manifestKey, markupKey } from '../../content/content-keys.ts';
import type { ContentStore, ProjectStore } from '../../ports.ts';
import { allLocations } from '../../visit/manifest.ts';
import { isRetained } from '../../visit/retained-assets.ts';
import { loadAllVersionFiles, MissingManifest, readManifest } from './kept-versions.ts';
import { type KnownFiles, knownFiles } from '../publishing/known-files.ts';
import { readRetained } from './retain-assets.ts';
import { daySeconds } from '../../../contract/limits.ts';
import { instant, plusSeconds } from '../../instants.ts';

/** The dependencies for removing a version's files. */
export interface DropDeps {
  projects: Pick<
    ProjectStore,
    | 'get'
    | 'isRemovalDue'
    | 'getVersion'
    | 'listVersions'
    | 'getDroppedVersion'
    | 'deleteDroppedVersion'
    | 'postponeDrop'
  >;
  content: Pick<ContentStore, 'get' | 'deleteKeys' | 'deletePrefix'>;
}

/**
 * Removes the files of a version that left the history, but those that a kept version shows too. A
 * push relies only on what kept versions hold, so that nothing is ever taken from under it. Assets that
 * visitors still reach stay until their time is over, which each day finds out: a change of access ends it
 * at once, and a newer asset may take its room. Once the project's own removal began, everything is left to it.
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
    const { kept, retained, until } = inUse;
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
    if (until !== undefined && unused.some((location) => retained.holds(location))) {
      await deps.projects.postponeDrop(
        projectId,
        version,
        earlier(until, plusSeconds(now, daySeconds)),
      );
      return;
    }
    // Last of the objects: it says which files are to go. With it go those that interrupted pushes left.
    await deps.content.deletePrefix(manifestKey(projectId, dropped.store));
  }
  await deps.projects.deleteDroppedVersion(projectId, version);
}

function earlier(until: Instant, other: Date): Instant {
  return Date.parse(until) < other.getTime() ? until : instant(other);
}

interface FilesInUse {
  kept: KnownFiles;
  retained: KnownFiles;
  until: Instant | undefined;
}

/**
 * The files of kept versions, and the assets that stay reachable. In this order: a file that leaves the
 * kept versions meanwhile is among the retained ones then. `undefined` when the whole project is being removed.
 */
async function filesInUse(
  deps: DropDeps,
  projectId: ProjectId,
  now: Date,
): Promise<FilesInUse | undefined> {
  const { projects, content } = deps;
  const kept = await keptFiles(deps, projectId, now);
  if (kept === undefined) return undefined;
  const project = await projects.get(projectId);
  if (project?.retained === undefined) {
    return { kept, retained: knownFiles([]), until: undefined };
  }
  const live = await projects.getVersion(projectId, project.version);
  // Another version became live since the project was read, and this one left.
  if (live === undefined) return filesInUse(deps, projectId, now);
  const entries = await readRetained(content, { ...project, liveStore: live.store });
  const { hash } = project.retained;
  if (entries === undefined && (await projects.get(projectId))?.retained?.hash !== hash) {
    // The list left after several switches since then; another one says what is retained.
    return filesInUse(deps, projectId, now);
  }
  const files = new Map([...(entries ?? [])].filter(([, entry]) => isRetained(entry, now)));
  return {
    kept,
    retained: knownFiles([{ store: live.store, files }]),
    until: project.retained.until,
  };
}

/** A removal takes the files, with the manifests among them, before the rows that list the versions. */
async function keptFiles(
  { projects, content }: DropDeps,
  projectId: ProjectId,
  now: Date,
): Promise<KnownFiles | undefined> {
  try {
    const versions = await projects.listVersions(projectId);
    return knownFiles(await loadAllVersionFiles(content, projectId, versions));
  } catch (error) {
    if (!(error instanceof MissingManifest)) throw error;
    const isRemoved =
      (await projects.isRemovalDue(projectId, now)) ||
      (await projects.get(projectId)) === undefined;
    if (isRemoved) return undefined;
    throw error;
  }
}
