import type { ProjectId } from '../../../contract/fields.ts';
import { contentKey, manifestKey, markupKey } from '../../content/content-keys.ts';
import type { ContentStore, ProjectStore } from '../../ports.ts';
import { allLocations } from '../../visit/manifest.ts';
import { readManifest, loadAllVersionFiles } from './kept-versions.ts';
import { knownFiles } from '../publishing/store-files.ts';

/** The dependencies for removing a version's files. */
export interface DropDeps {
  projects: Pick<ProjectStore, 'listVersions' | 'getDroppedVersion' | 'deleteDroppedVersion'>;
  content: Pick<ContentStore, 'get' | 'deleteKeys' | 'deletePrefix'>;
}

/**
 * Removes the files of a version that left the history, but those that a kept version shows too.
 * A push relies only on what kept versions hold, so that nothing is ever taken from under it.
 */
export async function removeDroppedVersion(
  deps: DropDeps,
  projectId: ProjectId,
  version: number,
): Promise<void> {
  const dropped = await deps.projects.getDroppedVersion(projectId, version);
  const files =
    dropped === undefined ? undefined : await readManifest(deps.content, projectId, dropped);
  if (dropped !== undefined && files !== undefined) {
    const kept = knownFiles(
      await loadAllVersionFiles(
        deps.content,
        projectId,
        await deps.projects.listVersions(projectId),
      ),
    );
    const locations = [...files]
      .flatMap(([path, entry]) => allLocations(dropped.store, path, entry))
      .filter((location) => !kept.holds(location));
    const keys = [...new Set(locations)].map((location) => contentKey(projectId, location));
    const { store, markupRevision } = dropped;
    const markup = markupRevision === undefined ? [] : [markupKey(projectId, store)];
    await deps.content.deleteKeys([...keys, ...markup]);
    // Last of the objects: it says which files are to go. With it go those that interrupted pushes left.
    await deps.content.deletePrefix(manifestKey(projectId, dropped.store));
  }
  await deps.projects.deleteDroppedVersion(projectId, version);
}
