import type { ProjectId } from '../../../contract/fields.ts';
import { ShareLink, type ShareLinkId } from '../../../core/share-links/share-link.ts';
import { rowParser } from '../null-fields.ts';
import type { ReadItem } from '../read-rows.ts';
import { partition } from './project-keys.ts';

export const parseShareLink = rowParser(ShareLink);

export const shareLinkKey = (projectId: ProjectId, id: ShareLinkId) => ({
  pk: partition(projectId),
  sk: `SHARE#${id}`,
});

/** Reads one share link. The gate imports this, so it needs no SDK. */
export function shareLinkReader(readItem: ReadItem, table: string) {
  return async (projectId: ProjectId, id: ShareLinkId): Promise<ShareLink | undefined> => {
    const row = await readItem(table, shareLinkKey(projectId, id));
    return row === undefined ? undefined : parseShareLink(row);
  };
}
