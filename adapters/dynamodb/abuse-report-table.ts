import { type DynamoDBDocumentClient, PutCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { AbuseReport, type AbuseReports, reportKeptDays } from '../../core/abuse/abuse-report.ts';
import { epochSeconds, instant, plusSeconds } from '../../core/instants.ts';

const daySeconds = 86_400;

/** Abuse reports in the projects table, by month: they outlive the projects that they are about. */
export function abuseReportTable(client: DynamoDBDocumentClient, table: string): AbuseReports {
  return {
    async add(report) {
      const { id, at } = report;
      const ttl = epochSeconds(plusSeconds(new Date(at), reportKeptDays * daySeconds));
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

/** One page of DynamoDB has 1 MB at most, whatever its limit. */
async function newest(
  client: DynamoDBDocumentClient,
  { table, pk, limit }: { table: string; pk: string; limit: number },
): Promise<AbuseReport[]> {
  const found: AbuseReport[] = [];
  let from: Record<string, unknown> | undefined;
  do {
    const page = await client.send(
      new QueryCommand({
        TableName: table,
        KeyConditionExpression: 'pk = :pk',
        ExpressionAttributeValues: { ':pk': pk },
        ScanIndexForward: false,
        Limit: limit - found.length,
        ConsistentRead: true,
        ...(from !== undefined && { ExclusiveStartKey: from }),
      }),
    );
    found.push(...(page.Items ?? []).map((item) => AbuseReport.parse(item)));
    from = page.LastEvaluatedKey;
  } while (from !== undefined && found.length < limit);
  return found;
}

/** Every month in which a report that is still kept may have come, newest first. */
function partitions(now: Date): string[] {
  const oldest = partition(instant(plusSeconds(now, -reportKeptDays * daySeconds)));
  const months: string[] = [];
  // A clock that is a little ahead of this one must not hide a report of a new month.
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
