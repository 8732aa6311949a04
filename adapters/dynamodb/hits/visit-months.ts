import { type DynamoDBDocumentClient, QueryCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import type { VisitMonths } from '../../../core/analytics/ports.ts';
import { epochSeconds, plusSeconds } from '../../../core/instants.ts';
import { type EventTables, writeWithEvents } from '../webhooks/delivery-table.ts';
import { monthKeptSeconds, monthPartition, monthSortKey } from './hit-rows.ts';

/** What an account used in a month. */
export const MonthRow = z.object({ visits: z.number().default(0), bytes: z.number().default(0) });

/** The limits about which its owner was told. */
export const Marks = z.object({
  at80: z.number().optional(),
  at100: z.number().optional(),
  rested: z.number().optional(),
  bytesAt80: z.number().optional(),
  bytesAt100: z.number().optional(),
  bytesRested: z.number().optional(),
});

/** Reads what accounts used in a month. */
export function visitMonthReader(
  client: DynamoDBDocumentClient,
  table: string,
): Pick<VisitMonths, 'get'> {
  return {
    async get(accountId, month) {
      const { Items = [] } = await client.send(
        new QueryCommand({
          TableName: table,
          KeyConditionExpression: 'pk = :pk AND begins_with(sk, :month)',
          ExpressionAttributeValues: {
            ':pk': monthPartition(accountId),
            ':month': `MONTH#${month}#`,
          },
          ConsistentRead: true,
        }),
      );
      const rows = z.array(MonthRow).parse(Items);
      const sum = (name: keyof z.infer<typeof MonthRow>) =>
        rows.reduce((total, row) => total + row[name], 0);
      const marks = Items.find(({ sk }) => sk === monthSortKey(month, 'MARKS'));
      return { visits: sum('visits'), bytes: sum('bytes'), notified: Marks.parse(marks ?? {}) };
    },
  };
}

/** The monthly visits and bytes of accounts in DynamoDB; `hit-table.ts` writes the visits. */
export function visitMonths(
  client: DynamoDBDocumentClient,
  tables: EventTables & { analytics: string },
): VisitMonths {
  const TableName = tables.analytics;
  return {
    ...visitMonthReader(client, TableName),
    async addBytes(accountId, month, bytes) {
      await client.send(
        new UpdateCommand({
          TableName,
          Key: { pk: monthPartition(accountId), sk: monthSortKey(month, 'BYTES') },
          UpdateExpression: 'ADD #bytes :bytes SET #ttl = :ttl',
          ExpressionAttributeNames: { '#bytes': 'bytes', '#ttl': 'ttl' },
          ExpressionAttributeValues: { ':bytes': bytes, ':ttl': monthEnd(month) },
        }),
      );
    },
    async recordStep({ accountId, month }, { mark, limit, events }) {
      const Update = {
        TableName,
        Key: { pk: monthPartition(accountId), sk: monthSortKey(month, 'MARKS') },
        UpdateExpression: 'SET #mark = :limit, #ttl = :ttl',
        ConditionExpression: 'attribute_not_exists(#mark) OR #mark < :limit',
        ExpressionAttributeNames: { '#mark': mark, '#ttl': 'ttl' },
        ExpressionAttributeValues: {
          ':limit': limit,
          ':ttl': monthEnd(month),
        },
      };
      return writeWithEvents(client, tables, { Update, events });
    },
  };
}

function monthEnd(month: string): number {
  return epochSeconds(plusSeconds(new Date(`${month}-01T00:00:00.000Z`), monthKeptSeconds));
}
