import type { ProjectId } from '../../../contract/fields.ts';
import { StoreId } from '../../../core/content/content-keys.ts';

/** The partition of everything that is stored of a project. */
export const partition = (projectId: ProjectId) => `PROJECT#${projectId}`;

export const metaKey = (projectId: ProjectId) => ({ pk: partition(projectId), sk: 'META' });
export const versionKey = (projectId: ProjectId, version: number) => ({
  pk: partition(projectId),
  sk: `VERSION#${sortable(version)}`,
});

/** The store of projects from before stores were introduced. */
export const firstStore = StoreId.parse('1');

/** A version number as text that sorts as the number does. */
export function sortable(version: number): string {
  return String(version).padStart(6, '0');
}
