import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import type { VisitMonths } from '../../../core/analytics/ports.ts';
import { epochSeconds, plusSeconds } from '../../../core/instants.ts';
import { partitionRows } from '../read-rows.ts';
import { type EventTables, writeWithEvents } from '../webhooks/delivery-table.ts';
import { update, write } from '../writes.ts';
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
      const query = { pk: monthPartition(accountId), prefix: `MONTH#${month}#` };
      const found = await partitionRows(client, table, query);
      const rows = z.array(MonthRow).parse(found);
      const sum = (name: keyof z.infer<typeof MonthRow>) =>
        rows.reduce((total, row) => total + row[name], 0);
      const marks = found.find(({ sk }) => sk === monthSortKey(month, 'MARKS'));
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
      const key = { pk: monthPartition(accountId), sk: monthSortKey(month, 'BYTES') };
      await write(
        client,
        update(TableName, key, { add: { bytes }, set: { ttl: monthEnd(month) } }),
      );
    },
    async recordStep({ accountId, month }, { mark, limit, events }) {
      const key = { pk: monthPartition(accountId), sk: monthSortKey(month, 'MARKS') };
      const marking = update(TableName, key, {
        set: { [mark]: limit, ttl: monthEnd(month) },
        when: `attribute_not_exists(#${mark}) OR #${mark} < :${mark}`,
      });
      return writeWithEvents(client, tables, marking, events);
    },
  };
}

function monthEnd(month: string): number {
  return epochSeconds(plusSeconds(new Date(`${month}-01T00:00:00.000Z`), monthKeptSeconds));
}
