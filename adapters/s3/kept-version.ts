import type { ProjectId } from '../../contract/fields.ts';
import type { Version } from '../../core/projects/project.ts';
import { readVersion, versionKey } from '../dynamodb/projects/project-rows.ts';
import type { ReadItem } from '../dynamodb/read-item.ts';

/** Reads one kept version of a project; all that the gate knows of the projects table. */
export function keptVersion(readItem: ReadItem, table: string) {
  return async (projectId: ProjectId, version: number): Promise<Version | undefined> => {
    const row = await readItem(table, versionKey(projectId, version));
    return row === undefined ? undefined : readVersion(row);
  };
}
