import { DeleteCommand, type DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { ProjectStore } from '../../../core/ports.ts';
import { tryConditionalWrite } from '../document-client.ts';
import { readRow } from '../read-rows.ts';
import { dropKey } from './project-rows.ts';
import { parseVersionRow } from './version-row.ts';

/** Versions that left the history and whose files are not all removed yet. */
export function droppedVersions(
  client: DynamoDBDocumentClient,
  table: string,
): Pick<ProjectStore, 'getDroppedVersion' | 'deleteDroppedVersion' | 'postponeDrop'> {
  return {
    async getDroppedVersion(projectId, version) {
      const item = await readRow(client, table, dropKey(projectId, version));
      return item === undefined ? undefined : parseVersionRow(item);
    },
    async deleteDroppedVersion(projectId, version) {
      const Key = dropKey(projectId, version);
      await client.send(new DeleteCommand({ TableName: table, Key }));
    },
    async postponeDrop(projectId, version, dropAt) {
      const postponement = new UpdateCommand({
        TableName: table,
        Key: dropKey(projectId, version),
        UpdateExpression: 'SET dueAt = :dropAt',
        ConditionExpression: 'attribute_exists(pk)',
        ExpressionAttributeValues: { ':dropAt': dropAt },
      });
      await tryConditionalWrite(client.send(postponement));
    },
  };
}
