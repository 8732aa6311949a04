import { type DynamoDBDocumentClient, QueryCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import type { VisitMonths } from '../../../core/analytics/ports.ts';
import { epochSeconds, plusSeconds } from '../../../core/instants.ts';
import { tryConditionalWrite } from '../document-client.ts';
import { monthKeptSeconds, monthPartition, monthSortKey } from './hit-rows.ts';

const MonthRow = z.object({ visits: z.number().default(0) });

const Marks = z.object({
  at80: z.number().optional(),
  at100: z.number().optional(),
  rested: z.number().optional(),
});

/** The monthly visits of accounts in DynamoDB; `hit-table.ts` writes them. */
export function visitMonths(client: DynamoDBDocumentClient, table: string): VisitMonths {
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
      const visits = z
        .array(MonthRow)
        .parse(Items)
        .reduce((total, row) => total + row.visits, 0);
      const marks = Items.find(({ sk }) => sk === monthSortKey(month, 'MARKS'));
      return { visits, notified: Marks.parse(marks ?? {}) };
    },
    async recordStep(accountId, month, mark, limit) {
      const update = new UpdateCommand({
        TableName: table,
        Key: { pk: monthPartition(accountId), sk: monthSortKey(month, 'MARKS') },
        UpdateExpression: 'SET #mark = :limit, #ttl = :ttl',
        ConditionExpression: 'attribute_not_exists(#mark) OR #mark < :limit',
        ExpressionAttributeNames: { '#mark': mark, '#ttl': 'ttl' },
        ExpressionAttributeValues: {
          ':limit': limit,
          ':ttl': epochSeconds(
            plusSeconds(new Date(`${month}-01T00:00:00.000Z`), monthKeptSeconds),
          ),
        },
      });
      return tryConditionalWrite(client.send(update));
    },
  };
}
