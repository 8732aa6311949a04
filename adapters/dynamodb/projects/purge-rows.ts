import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import type { PurgeRows } from '../../../core/projects/removal/purge-once.ts';
import { readRow } from '../read-rows.ts';
import { update, write } from '../writes.ts';
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
    lease(projectId, { purges, at, until }) {
      const lease = update(TableName, purgeKey(projectId), {
        set: { leasedUntil: until },
        when: 'attribute_exists(pk) AND (attribute_not_exists(purges) OR purges < :purges) AND (attribute_not_exists(leasedUntil) OR leasedUntil <= :at)',
        values: { purges, at },
      });
      return write(client, lease);
    },
    async endLease(projectId, until) {
      const end = update(TableName, purgeKey(projectId), {
        add: { purges: 1 },
        remove: ['leasedUntil'],
        when: 'leasedUntil = :until',
        values: { until },
      });
      await write(client, end);
    },
  };
}
