import * as z from 'zod';
import { DeleteCommand, type DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { ProjectStore } from '../../../core/ports.ts';
import { tryConditionalWrite } from '../document-client.ts';
import { queryRows, readRow } from '../read-rows.ts';
import { dropKey } from './project-keys.ts';
import { dueAttributes, erasureKey } from './project-rows.ts';
import { parseVersionRow } from './version-row.ts';

type DroppedVersions = Pick<
  ProjectStore,
  | 'getDroppedVersion'
  | 'deleteDroppedVersion'
  | 'listDroppedVersions'
  | 'postponeDrop'
  | 'scheduleErasure'
  | 'packsToErase'
  | 'endErasure'
>;

/** Versions that left the history and whose files are not all removed yet. */
export function droppedVersions(client: DynamoDBDocumentClient, table: string): DroppedVersions {
  return {
    ...erasures(client, table),
    async getDroppedVersion(projectId, version) {
      const item = await readRow(client, table, dropKey(projectId, version));
      return item === undefined ? undefined : parseVersionRow(item);
    },
    async deleteDroppedVersion(projectId, version) {
      const Key = dropKey(projectId, version);
      await client.send(new DeleteCommand({ TableName: table, Key }));
    },
    async listDroppedVersions(projectId, limit) {
      const query = {
        TableName: table,
        KeyConditionExpression: 'pk = :pk AND begins_with(sk, :drops)',
        FilterExpression: 'attribute_not_exists(postponed)',
        ExpressionAttributeValues: { ':pk': dropKey(projectId, 1).pk, ':drops': 'DROP#' },
        ScanIndexForward: false,
        ConsistentRead: true,
      };
      return (await queryRows(client, query, limit)).map(parseVersionRow);
    },
    async postponeDrop(projectId, version, dropAt) {
      const postponement = new UpdateCommand({
        TableName: table,
        Key: dropKey(projectId, version),
        UpdateExpression: 'SET dueAt = :dropAt, postponed = :true',
        ConditionExpression: 'attribute_exists(pk)',
        ExpressionAttributeValues: { ':dropAt': dropAt, ':true': true },
      });
      await tryConditionalWrite(client.send(postponement));
    },
  };
}

/**
 * The most packs that may wait: a row has at most 400 kB (Amazon DynamoDB), and a location 60
 * bytes.
 */
const mostWaiting = 2000;

/** Packs in which files are to be erased. */
export const ErasureRow = z.object({ packs: z.set(z.string()).default(new Set()) });

/** Packs with bytes to erase: one row for each project. */
function erasures(
  client: DynamoDBDocumentClient,
  table: string,
): Pick<DroppedVersions, 'scheduleErasure' | 'packsToErase' | 'endErasure'> {
  return {
    async scheduleErasure(projectId, packs, at) {
      const { dueAt, dueShard } = dueAttributes(projectId, at);
      const scheduling = new UpdateCommand({
        TableName: table,
        Key: erasureKey(projectId),
        UpdateExpression:
          'ADD packs :packs SET dueAt = if_not_exists(dueAt, :dueAt), dueShard = :dueShard',
        ConditionExpression: 'attribute_not_exists(packs) OR size(packs) < :most',
        ExpressionAttributeValues: {
          ':packs': new Set(packs),
          ':dueAt': dueAt,
          ':dueShard': dueShard,
          ':most': mostWaiting,
        },
      });
      return tryConditionalWrite(client.send(scheduling));
    },
    async packsToErase(projectId) {
      const row = await readRow(client, table, erasureKey(projectId));
      return row === undefined ? [] : [...ErasureRow.parse(row).packs];
    },
    async endErasure(projectId, done, at) {
      const Key = erasureKey(projectId);
      const update = new UpdateCommand({
        TableName: table,
        Key,
        UpdateExpression: `SET dueAt = :at${done.length === 0 ? '' : ' DELETE packs :done'}`,
        ConditionExpression: 'attribute_exists(pk)',
        ExpressionAttributeValues: {
          ':at': at,
          ...(done.length > 0 && { ':done': new Set(done) }),
        },
      });
      await tryConditionalWrite(client.send(update));
      // DynamoDB removes a set with its last member.
      const removal = new DeleteCommand({
        TableName: table,
        Key,
        ConditionExpression: 'attribute_not_exists(packs)',
      });
      await tryConditionalWrite(client.send(removal));
    },
  };
}
