import type { ProjectId } from '../../../contract/fields.ts';
import { type StoreId, type StoreKey, storePrefix } from '../../content/content-keys.ts';
import type { ContentStore, ProjectStore } from '../../ports.ts';

/** Dependencies of {@link removeAbandonedUpload}. */
export interface IntentDeps {
  projects: Pick<ProjectStore, 'seizeIntent' | 'deleteIntent'>;
  content: Pick<ContentStore, 'deletePrefix'>;
}

/**
 * Removes the files of an abandoned upload, then its row: as long as the row exists, the sweep finds
 * them again. Returns false when the upload became a version.
 */
export async function removeAbandonedUpload(
  deps: IntentDeps,
  projectId: ProjectId,
  store: StoreId,
  now: Date,
): Promise<boolean> {
  if (!(await deps.projects.seizeIntent({ projectId, store }, now))) return false;
  await removeStoredFiles(deps, projectId, store);
  return true;
}

/** Removes the files of an upload that can no longer become a version, then its intent. */
export async function removeStoredFiles(
  deps: { projects: Pick<ProjectStore, 'deleteIntent'>; content: IntentDeps['content'] },
  projectId: ProjectId,
  store: StoreId,
): Promise<void> {
  await deps.content.deletePrefix(storePrefix(projectId, store));
  await deps.projects.deleteIntent({ projectId, store });
}

/**
 * Removes at once what the sweep would remove later: an upload that surely became no version. A
 * failure is reported and leaves it to the sweep.
 */
export async function discardUpload(
  deps: IntentDeps & { onFailure(item: unknown, error: unknown): void; now(): Date },
  { projectId, store }: StoreKey,
): Promise<void> {
  try {
    await removeAbandonedUpload(deps, projectId, store, deps.now());
  } catch (error) {
    deps.onFailure({ kind: 'intent', projectId, store }, error);
  }
}
