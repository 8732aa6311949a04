import type { ProjectId } from '../../../contract/fields.ts';
import type { Version } from '../../../core/projects/project.ts';
import { versionKey } from './project-keys.ts';
import type { ReadItem } from '../read-rows.ts';

/** Reads one kept version of a project. Of the projects table, the gate reads only this and the hosts of root projects. */
export function keptVersion(readItem: ReadItem, table: string) {
  return async (projectId: ProjectId, version: number): Promise<Version | undefined> => {
    const row = await readItem(table, versionKey(projectId, version));
    if (row === undefined) return undefined;
    // Loaded only for previews: making the schemas of projects is a fifth of a cold start.
    const { parseVersionRow } = await import('./project-rows.ts');
    return parseVersionRow(row);
  };
}
