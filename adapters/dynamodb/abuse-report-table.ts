import { abuseReportKeptDays, daySeconds } from '../../contract/limits.ts';
import { type DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import { AbuseReport, type AbuseReports } from '../../core/abuse/report-abuse.ts';
import { epochSeconds, instant, plusSeconds } from '../../core/instants.ts';
import { queryRows } from './read-rows.ts';

/** Abuse reports in the projects table, by month. They outlive the projects they are about. */
export function abuseReportTable(client: DynamoDBDocumentClient, table: string): AbuseReports {
  return {
    async add(report) {
      const { id, at } = report;
      const ttl = epochSeconds(plusSeconds(new Date(at), abuseReportKeptDays * daySeconds));
      const key = { pk: partition(at), sk: `${at}#${id}` };
      const Item = withoutUndefined({ ...report, ...key, ttl });
      await client.send(new PutCommand({ TableName: table, Item }));
    },
    async latest(limit, now) {
      const found: AbuseReport[] = [];
      for (const pk of partitions(now)) {
        const left = limit - found.length;
        if (left <= 0) break;
        found.push(...(await newest(client, { table, pk, limit: left })));
      }
      return found;
    },
  };
}

async function newest(
  client: DynamoDBDocumentClient,
  { table, pk, limit }: { table: string; pk: string; limit: number },
): Promise<AbuseReport[]> {
  const query = {
    TableName: table,
    KeyConditionExpression: 'pk = :pk',
    ExpressionAttributeValues: { ':pk': pk },
    ScanIndexForward: false,
    ConsistentRead: true,
  };
  const rows = await queryRows(client, query, limit);
  return rows.map((row) => AbuseReport.parse(row));
}

/** All months that may have unexpired reports, newest first. */
function partitions(now: Date): string[] {
  const oldest = partition(instant(plusSeconds(now, -abuseReportKeptDays * daySeconds)));
  const months: string[] = [];
  // Includes tomorrow's month, because the clock of the function that wrote a report may be ahead.
  const month = plusSeconds(now, daySeconds);
  month.setUTCDate(1);
  while (partition(instant(month)) >= oldest) {
    months.push(partition(instant(month)));
    month.setUTCMonth(month.getUTCMonth() - 1);
  }
  return months;
}

/** `REPORT#2026-03` */
function partition(at: string): string {
  return `REPORT#${at.slice(0, 7)}`;
}

function withoutUndefined(row: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== undefined));
}
