import { Version } from '../../../core/projects/version.ts';
import { rowParser } from '../null-fields.ts';
import type { ReadItem } from '../read-rows.ts';
import type { ProjectId } from '../../../contract/fields.ts';
import * as z from 'zod/mini';
import { NamedPreview, type ShownPreview } from '../../../core/projects/previews/named-preview.ts';
import { dropKey, metaKey, versionKey } from './project-keys.ts';

/** Parses a version's row. */
export const parseVersionRow = rowParser(Version);

/** Reads one kept version of a project. Of the projects table, the gate reads only versions, named previews and the hosts of root projects. */
export function keptVersion(readItem: ReadItem, table: string) {
  return async (projectId: ProjectId, version: number): Promise<Version | undefined> => {
    const row = await readItem(table, versionKey(projectId, version));
    return row === undefined ? undefined : parseVersionRow(row);
  };
}

const Previews = z.object({ previews: z.optional(z.array(NamedPreview)) });

/** Reads a named preview of a project and its version: two reads. */
export function namedPreview(readItem: ReadItem, table: string) {
  return async (projectId: ProjectId, name: string): Promise<ShownPreview | undefined> => {
    const project = await readItem(table, metaKey(projectId));
    const previews = project === undefined ? [] : (Previews.parse(project).previews ?? []);
    const preview = previews.find((one) => one.name === name);
    const row = preview && (await readItem(table, dropKey(projectId, preview.version)));
    return preview && row && { preview, version: parseVersionRow(row) };
  };
}
