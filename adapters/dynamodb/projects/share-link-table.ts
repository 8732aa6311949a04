import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { ProjectId } from '../../../contract/fields.ts';
import {
  maxLinksOfProject,
  type ShareLink,
  type ShareLinkStore,
} from '../../../core/share-links/share-link.ts';
import { documentItems } from '../document-client.ts';
import { withoutNulls } from '../null-fields.ts';
import { partitionRows } from '../read-rows.ts';
import { writeTransaction } from '../transaction.ts';
import { check, exists, nullsRemoved, put, remove, update, write } from '../writes.ts';
import { metaKey, partition } from './project-keys.ts';
import { noticeKey } from './project-rows.ts';
import { parseShareLink, shareLinkKey, shareLinkReader } from './share-link-row.ts';
import { newestFirst } from '../../../core/instants.ts';

/** The row that counts the links of a project, so that their limit is exact. */
const countKey = (projectId: ProjectId) => ({ pk: partition(projectId), sk: 'SHARES' });

/** Share links in DynamoDB, beside the other rows of their project, and removed with them. */
export function shareLinkTable(client: DynamoDBDocumentClient, table: string): ShareLinkStore {
  return {
    find: shareLinkReader(documentItems(client), table),
    async list(projectId) {
      const query = { pk: partition(projectId), prefix: 'SHARE#' };
      const rows = await partitionRows(client, table, query, maxLinksOfProject);
      return rows.map(parseShareLink).toSorted(newestFirst);
    },
    async create(link, most) {
      const unmet = await writeTransaction(client, createParts(table, link, most));
      if (unmet.has('project')) return 'gone';
      return unmet.size === 0;
    },
    update(projectId, id, changes) {
      // The id is set again, because an update has something to set.
      const change = { ...nullsRemoved({ ...changes, id }), ...exists };
      return write(client, update(table, shareLinkKey(projectId, id), change));
    },
    async remove(projectId, id) {
      const link = { kind: 'share', id } as const;
      const unmet = await writeTransaction(client, [
        ['link', remove(table, shareLinkKey(projectId, id), exists)],
        ['count', update(table, countKey(projectId), { add: { links: -1 } })],
        ['notice', remove(table, noticeKey({ projectId, link }))],
      ]);
      return unmet.size === 0;
    },
  };
}

function createParts(TableName: string, link: ShareLink, most: number) {
  const { projectId, id } = link;
  const count = {
    add: { links: 1 },
    when: 'attribute_not_exists(links) OR links < :most',
    values: { most },
  };
  // What is written while a project is removed would stay behind.
  const isKept = { when: 'attribute_exists(pk) AND attribute_not_exists(removingAt)' };
  return [
    ['project', check(TableName, metaKey(projectId), isKept)],
    ['count', update(TableName, countKey(projectId), count)],
    ['link', put(TableName, { ...shareLinkKey(projectId, id), ...withoutNulls(link) })],
  ] as const;
}
