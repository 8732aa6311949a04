import { abuseReportKeptDays, daySeconds } from '../../contract/limits.ts';
import {
  type DynamoDBDocumentClient,
  PutCommand,
  type QueryCommandInput,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { AbuseReport, type AbuseReports } from '../../core/abuse/report-abuse.ts';
import { epochSeconds, instant, plusSeconds } from '../../core/instants.ts';
import { tryConditionalWrite } from './document-client.ts';
import { queryPages, queryRows } from './read-rows.ts';

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
    async latest(limit, now, state) {
      const found: AbuseReport[] = [];
      for (const pk of partitions(now)) {
        const left = limit - found.length;
        if (left <= 0) break;
        found.push(...(await newest(client, { table, pk, limit: left, state })));
      }
      return found;
    },
    resolve: ({ at, id }, resolution) =>
      tryConditionalWrite(
        client.send(
          new UpdateCommand({
            TableName: table,
            Key: { pk: partition(at), sk: `${at}#${id}` },
            UpdateExpression: 'SET resolution = :resolution',
            ConditionExpression: 'attribute_exists(pk) AND attribute_not_exists(resolution)',
            ExpressionAttributeValues: { ':resolution': resolution },
          }),
        ),
      ),
  };
}

async function newest(
  client: DynamoDBDocumentClient,
  { table, pk, limit, state }: { table: string; pk: string; limit: number; state?: State },
): Promise<AbuseReport[]> {
  const query = {
    TableName: table,
    KeyConditionExpression: 'pk = :pk',
    ExpressionAttributeValues: { ':pk': pk },
    ScanIndexForward: false,
    ConsistentRead: true,
  };
  const rows =
    state === undefined
      ? queryRows(client, query, limit)
      : ofState(client, query, { limit, state });
  return (await rows).map((row) => AbuseReport.parse(row));
}

type State = 'open' | 'resolved' | undefined;

/** The first rows of one state: whole pages are read, because a filter would apply to the first `limit` rows only. */
async function ofState(
  client: DynamoDBDocumentClient,
  query: QueryCommandInput,
  { limit, state }: { limit: number; state: State },
) {
  const condition = state === 'open' ? 'attribute_not_exists' : 'attribute_exists';
  const found: Record<string, unknown>[] = [];
  for await (const rows of queryPages(client, {
    ...query,
    FilterExpression: `${condition}(resolution)`,
  })) {
    found.push(...rows);
    if (found.length >= limit) break;
  }
  return found.slice(0, limit);
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
