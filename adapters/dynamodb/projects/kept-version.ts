import type { ProjectId } from '../../../contract/fields.ts';
import type { Version } from '../../../core/projects/version.ts';
import { versionKey } from './project-keys.ts';
import { parseVersionRow } from './version-row.ts';
import type { ReadItem } from '../read-rows.ts';

/** Reads one kept version of a project. Of the projects table, the gate reads only this and the hosts of root projects. */
export function keptVersion(readItem: ReadItem, table: string) {
  return async (projectId: ProjectId, version: number): Promise<Version | undefined> => {
    const row = await readItem(table, versionKey(projectId, version));
    return row === undefined ? undefined : parseVersionRow(row);
  };
}
