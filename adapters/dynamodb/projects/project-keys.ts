import type { ProjectId } from '../../../contract/fields.ts';

/** The partition of all rows of a project. */
export const partition = (projectId: ProjectId) => `PROJECT#${projectId}`;

export const metaKey = (projectId: ProjectId) => ({ pk: partition(projectId), sk: 'META' });
export const versionKey = (projectId: ProjectId, version: number) => ({
  pk: partition(projectId),
  sk: `VERSION#${sortable(version)}`,
});
/** A version that left the history, or that a named preview shows; it is due when its files go. */
export const dropKey = (projectId: ProjectId, version: number) => ({
  pk: partition(projectId),
  sk: `DROP#${sortable(version)}`,
});

/** A version number as text that sorts as the number does. */
function sortable(version: number): string {
  return String(version).padStart(6, '0');
}
