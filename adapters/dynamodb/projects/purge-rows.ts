import { type DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import type { PurgeRows } from '../../../core/projects/removal/purge-once.ts';
import { tryConditionalWrite } from '../document-client.ts';
import { readRow } from '../read-rows.ts';
import { purgeKey } from './project-rows.ts';

/** The purge of a project that is due. */
export const PurgeRow = z.object({ purges: z.number().default(0) });

/** The purges of projects in DynamoDB; a change writes their rows, and the sweep deletes them. */
export function purgeRows(client: DynamoDBDocumentClient, TableName: string): PurgeRows {
  return {
    async isOpen(projectId, purges) {
      const row = await readRow(client, TableName, purgeKey(projectId));
      return row !== undefined && PurgeRow.parse(row).purges < purges;
    },
    lease: (projectId, { purges, at, until }) =>
      tryConditionalWrite(
        client.send(
          new UpdateCommand({
            TableName,
            Key: purgeKey(projectId),
            UpdateExpression: 'SET leasedUntil = :until',
            ConditionExpression:
              'attribute_exists(pk) AND (attribute_not_exists(purges) OR purges < :purges) AND (attribute_not_exists(leasedUntil) OR leasedUntil <= :at)',
            ExpressionAttributeValues: { ':purges': purges, ':at': at, ':until': until },
          }),
        ),
      ),
    async endLease(projectId, until) {
      const end = new UpdateCommand({
        TableName,
        Key: purgeKey(projectId),
        UpdateExpression: 'ADD purges :one REMOVE leasedUntil',
        ConditionExpression: 'leasedUntil = :until',
        ExpressionAttributeValues: { ':one': 1, ':until': until },
      });
      await tryConditionalWrite(client.send(end));
    },
  };
}
