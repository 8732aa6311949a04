import { type DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { ProjectId } from '../../../contract/fields.ts';
import {
  maxLinksOfProject,
  type ShareLink,
  type ShareLinkStore,
} from '../../../core/share-links/share-link.ts';
import { documentItems, retryOnConflict, tryConditionalWrite } from '../document-client.ts';
import { withoutNulls } from '../null-fields.ts';
import { queryRows } from '../read-rows.ts';
import { writeTransaction } from '../transaction.ts';
import { metaKey, partition } from './project-keys.ts';
import { noticeKey } from './project-rows.ts';
import { parseShareLink, shareLinkKey, shareLinkReader } from './share-link-row.ts';

/** The row that counts the links of a project, so that their limit is exact. */
const countKey = (projectId: ProjectId) => ({ pk: partition(projectId), sk: 'SHARES' });

/** Share links in DynamoDB, beside the other rows of their project, and removed with them. */
export function shareLinkTable(client: DynamoDBDocumentClient, table: string): ShareLinkStore {
  return {
    find: shareLinkReader(documentItems(client), table),
    async list(projectId) {
      const query = {
        TableName: table,
        KeyConditionExpression: 'pk = :pk AND begins_with(sk, :links)',
        ExpressionAttributeValues: { ':pk': partition(projectId), ':links': 'SHARE#' },
        ConsistentRead: true,
      };
      const rows = await queryRows(client, query, maxLinksOfProject);
      return rows.map(parseShareLink).toSorted((a, b) => (a.createdAt < b.createdAt ? 1 : -1));
    },
    async create(link, most) {
      const unmet = await writeTransaction(client, createParts(table, link, most));
      if (unmet.has('project')) return 'gone';
      return unmet.size === 0;
    },
    update: (projectId, id, changes) => update(client, table, shareLinkKey(projectId, id), changes),
    async remove(projectId, id) {
      const Key = shareLinkKey(projectId, id);
      const link = { kind: 'share', id } as const;
      const condition = { ConditionExpression: 'attribute_exists(pk)' };
      const unmet = await writeTransaction(client, [
        ['link', { Delete: { TableName: table, Key, ...condition } }],
        ['count', { Update: countUpdate(table, projectId, -1) }],
        ['notice', { Delete: { TableName: table, Key: noticeKey({ projectId, link }) } }],
      ]);
      return unmet.size === 0;
    },
  };
}

function createParts(TableName: string, link: ShareLink, most: number) {
  const { projectId, id } = link;
  const check = {
    TableName,
    Key: metaKey(projectId),
    // What is written while a project is removed would stay behind.
    ConditionExpression: 'attribute_exists(pk) AND attribute_not_exists(removingAt)',
  };
  const count = countUpdate(TableName, projectId, 1);
  const limited = {
    ...count,
    ConditionExpression: 'attribute_not_exists(links) OR links < :most',
    ExpressionAttributeValues: { ...count.ExpressionAttributeValues, ':most': most },
  };
  const Item = { ...shareLinkKey(projectId, id), ...withoutNulls(link) };
  return [
    ['project', { ConditionCheck: check }],
    ['count', { Update: limited }],
    ['link', { Put: { TableName, Item } }],
  ] as const;
}

function countUpdate(TableName: string, projectId: ProjectId, added: 1 | -1) {
  return {
    TableName,
    Key: countKey(projectId),
    UpdateExpression: 'ADD links :added',
    ExpressionAttributeValues: { ':added': added },
  };
}

/** Null removes a field. */
function update(
  client: DynamoDBDocumentClient,
  TableName: string,
  Key: Record<string, string>,
  changes: Partial<ShareLink>,
): Promise<boolean> {
  const fields = Object.entries(changes);
  const set = fields.filter(([, value]) => value !== null);
  const removed = fields.filter(([, value]) => value === null);
  const list = (word: string, parts: string[]) =>
    parts.length === 0 ? [] : [`${word} ${parts.join(', ')}`];
  const expression = [
    ...list(
      'SET',
      set.map(([name]) => `#${name} = :${name}`),
    ),
    ...list(
      'REMOVE',
      removed.map(([name]) => `#${name}`),
    ),
  ].join(' ');
  const names = Object.fromEntries(fields.map(([name]) => [`#${name}`, name]));
  const values = Object.fromEntries(set.map(([name, value]) => [`:${name}`, value]));
  const command = new UpdateCommand({
    TableName,
    Key,
    ConditionExpression: 'attribute_exists(pk)',
    ...(expression !== '' && { UpdateExpression: expression, ExpressionAttributeNames: names }),
    ...(set.length > 0 && { ExpressionAttributeValues: values }),
  });
  return retryOnConflict(() => tryConditionalWrite(client.send(command)));
}
