import type { ProjectId } from '../../../contract/fields.ts';
import { contentKey, manifestKey, markupKey } from '../../content/content-keys.ts';
import type { ContentStore, ProjectStore } from '../../ports.ts';
import { placeIn } from '../../visit/manifest.ts';
import { manifestOf, withFiles } from './kept-versions.ts';
import { knownFiles } from '../publishing/known-files.ts';

/** What removing a version's files needs. */
export interface DropDeps {
  projects: Pick<ProjectStore, 'versions' | 'dropped' | 'endDrop'>;
  content: Pick<ContentStore, 'get' | 'deleteKeys'>;
}

/**
 * Removes the files of a version that left the history, but those that a kept version shows too.
 * A push relies only on what kept versions hold, so that nothing is ever taken from under it.
 */
export async function removeDropped(
  deps: DropDeps,
  projectId: ProjectId,
  version: number,
): Promise<void> {
  const dropped = await deps.projects.dropped(projectId, version);
  const files =
    dropped === undefined ? undefined : await manifestOf(deps.content, projectId, dropped);
  if (dropped !== undefined && files !== undefined) {
    const kept = knownFiles(
      await withFiles(deps.content, projectId, await deps.projects.versions(projectId)),
    );
    const places = [...files]
      .map(([path, entry]) => placeIn(dropped.store, path, entry))
      .filter((place) => !kept.holds(place));
    const keys = [...new Set(places)].map((place) => contentKey(projectId, place));
    const { store, markupRevision } = dropped;
    const markup = markupRevision === undefined ? [] : [markupKey(projectId, store)];
    await deps.content.deleteKeys([...keys, ...markup]);
    // Last of the objects: it says which files are to go.
    await deps.content.deleteKeys([manifestKey(projectId, dropped.store)]);
  }
  await deps.projects.endDrop(projectId, version);
}
