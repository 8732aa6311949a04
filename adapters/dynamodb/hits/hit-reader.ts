import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import type { ProjectId } from '../../../contract/fields.ts';
import { hitKey } from '../../../core/analytics/join-opens.ts';
import type {
  HitQuery,
  HitReader,
  MinuteCount,
  ProjectCounts,
} from '../../../core/analytics/ports.ts';
import type { RecordedHit } from '../../../core/analytics/recorded-hit.ts';
import { instant } from '../../../core/instants.ts';
import { queryRows } from '../read-rows.ts';
import { newestPackedHits } from './newest-packed-hits.ts';
import {
  HitRow,
  hourSortKey,
  packPrefixes,
  shardsOf,
  sortKeyRange,
  totalSortKey,
} from './hit-rows.ts';

const CounterRow = z.looseObject({
  sk: z.string(),
  visits: z.number().default(0),
  opens: z.number().default(0),
  ownerOpens: z.number().default(0),
  lastOpenedAt: z.string().optional(),
});
type CounterRow = z.infer<typeof CounterRow>;

/** Sorts after every key of a hit. */
const afterAll = '~';

/** Reads hits and their counts from DynamoDB; queries all partitions of a project in parallel. */
export function hitReader(client: DynamoDBDocumentClient, table: string): HitReader {
  const newest = async (query: HitQuery) => {
    const range = sortKeyRange(query);
    const found = await Promise.all(
      shardsOf(query.projectId).flatMap((pk) => [
        newestPackedHits(client, table, pk, query),
        newestRows(client, table, { pk, ...range, limit: query.limit + 1, newestFirst: true }),
      ]),
    );
    return found
      .flat()
      .filter((hit) => hitKey(hit) < query.before)
      .toSorted((a, b) => (hitKey(a) < hitKey(b) ? 1 : -1))
      .slice(0, query.limit);
  };
  return {
    newest,
    latestOpens: (projectId, limit) => newest({ projectId, kind: 'open', before: afterAll, limit }),
    counts: (projectId, since) => countsOf(client, table, { projectId, since }),
  };
}

/** Hits that an earlier release stored, each as a row. */
async function newestRows(
  client: DynamoDBDocumentClient,
  table: string,
  range: Range,
): Promise<RecordedHit[]> {
  return (await rows(client, table, range)).map((row) => HitRow.parse(row));
}

async function countsOf(
  client: DynamoDBDocumentClient,
  table: string,
  { projectId, since }: { projectId: ProjectId; since: Date },
): Promise<ProjectCounts> {
  const hour = instant(since).slice(0, 13);
  const ranges = [
    { from: hourSortKey(hour), to: totalSortKey },
    { from: packPrefixes.open + hour, to: `${packPrefixes.open}~` },
    { from: packPrefixes.visit + hour, to: `${packPrefixes.visit}~` },
  ];
  const found = await Promise.all(
    shardsOf(projectId).flatMap((pk) =>
      ranges.map((range) => rows(client, table, { pk, ...range })),
    ),
  );
  const counters = found.flat().map((row) => CounterRow.parse(row));
  const totals = counters.filter(({ sk }) => sk === totalSortKey);
  return {
    totals: {
      visits: sumOf(totals, 'visits'),
      opens: sumOf(totals, 'opens'),
      ownerOpens: sumOf(totals, 'ownerOpens'),
    },
    lastOpenedAt: latestInstant(totals),
    countries: countriesOf(totals),
    minutes: counters.filter(({ sk }) => sk !== totalSortKey).flatMap(minutesOf),
  };
}

function sumOf(rows: readonly CounterRow[], name: 'visits' | 'opens' | 'ownerOpens'): number {
  return rows.reduce((total, row) => total + row[name], 0);
}

function latestInstant(rows: readonly CounterRow[]): string | null {
  const instants = rows.flatMap(({ lastOpenedAt }) => lastOpenedAt ?? []);
  return instants.toSorted().at(-1) ?? null;
}

function countriesOf(rows: readonly CounterRow[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const [name, value] of rows.flatMap((row) => Object.entries(row))) {
    if (!name.startsWith('c_') || typeof value !== 'number') continue;
    const country = name.slice(2);
    counts[country] = (counts[country] ?? 0) + value;
  }
  return counts;
}

function minutesOf(row: CounterRow): MinuteCount[] {
  // `COUNT#2026-03-01T12` and `VISITS#2026-03-01T12:05#0000`.
  const hour = row.sk.split('#')[1]?.slice(0, 13) ?? '';
  return Object.entries(row).flatMap(([name, value]) => {
    const [, kind, minute = ''] = /^([vo])(\d{1,2})$/.exec(name) ?? [];
    if (kind === undefined || typeof value !== 'number') return [];
    const at = new Date(`${hour}:${minute.padStart(2, '0')}:00.000Z`);
    return [{ at, visits: kind === 'v' ? value : 0, opens: kind === 'o' ? value : 0 }];
  });
}

interface Range {
  pk: string;
  from: string;
  to: string;
  limit?: number;
  newestFirst?: boolean;
}

function rows(
  client: DynamoDBDocumentClient,
  TableName: string,
  { pk, from, to, limit, newestFirst = false }: Range,
): Promise<unknown[]> {
  const query = {
    TableName,
    KeyConditionExpression: 'pk = :pk AND sk BETWEEN :from AND :to',
    ExpressionAttributeValues: { ':pk': pk, ':from': from, ':to': to },
    ScanIndexForward: !newestFirst,
    ConsistentRead: true,
  };
  return queryRows(client, query, limit);
}
