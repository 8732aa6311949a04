import { Version } from '../../../core/projects/version.ts';
import { rowParser } from '../null-fields.ts';
import type { ReadItem } from '../read-rows.ts';
import type { ProjectId } from '../../../contract/fields.ts';
import { versionKey } from './project-keys.ts';

/** Parses a version's row. */
export const parseVersionRow = rowParser(Version);

/** Reads one kept version of a project. Of the projects table, the gate reads only this and the hosts of root projects. */
export function keptVersion(readItem: ReadItem, table: string) {
  return async (projectId: ProjectId, version: number): Promise<Version | undefined> => {
    const row = await readItem(table, versionKey(projectId, version));
    return row === undefined ? undefined : parseVersionRow(row);
  };
}
