import { BatchGetCommand, type DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import type { ProjectId } from '../../../contract/fields.ts';
import type { MinuteCount, ProjectCounts } from '../../../core/analytics/ports.ts';
import { instant, plusSeconds } from '../../../core/instants.ts';
import { backOff } from '../../../core/back-off.ts';
import { partitionRows } from '../read-rows.ts';
import { coverage, parseRollup, type ReadBlocks } from './hit-rollups.ts';
import { isRollupKey, blockPrefixes, shardsOf, totalSortKey } from './hit-rows.ts';

/** The total of a partition; also `c_NO`, the opens of a country. */
export const TotalRow = z.looseObject({
  pk: z.string(),
  visits: z.number().default(0),
  opens: z.number().default(0),
  ownerOpens: z.number().default(0),
  lastOpenedAt: z.string().optional(),
});
type TotalRow = z.infer<typeof TotalRow>;

/** `v7` are the visits of the hour's minute 7, `o7` its opens. */
const BlockMinutes = z.looseObject({ sk: z.string() });
type BlockMinutes = z.infer<typeof BlockMinutes>;

/** Counts of a project, and the blocks from which rollups can be written. */
export interface CountsWithBlocks {
  counts: ProjectCounts;
  /** The partitions with hits that count. */
  shards: readonly string[];
  read: ReadBlocks;
}

/**
 * Readers' clocks differ a little: no reader may need a minute that another reader's rollup has
 * left out.
 */
const clockMarginSeconds = 3600;

/**
 * The counts of a project. Rollups are read first: a late hit that is written afterwards either is
 * in a block that this reads, or has changed the rollup that this reader would replace.
 * @param since must not go back in time between calls: rollups begin with the first call's value
 */
export async function projectCounts(
  client: DynamoDBDocumentClient,
  table: string,
  { projectId, since }: { projectId: ProjectId; since: Date },
): Promise<CountsWithBlocks> {
  const from = startOfHour(plusSeconds(since, -clockMarginSeconds));
  const [first = '', ...others] = shardsOf(projectId);
  const firstRows = await countersFrom(client, table, { pk: first, from });
  const rollups = await Promise.all(firstRows.filter(isRollup).map(parseRollup));
  const covered = coverage(rollups, from);
  const more = await totalsIn(client, table, others);
  const ownTotal = z.array(TotalRow).parse(firstRows.filter((row) => !isRollup(row)));
  const shards = [first, ...more.map(({ pk }) => pk).toSorted()];
  const blocks = await packsFrom(client, table, { shards, from: covered.until });
  const rolled = covered.used.flatMap(({ minutes }) => minutes);
  const hour = startOfHour(since);
  const inBlocks = blocks.flatMap(minutesOf);
  const minutes = [...rolled, ...inBlocks].filter(({ at }) => at >= hour);
  return {
    counts: { ...totalsOf([...ownTotal, ...more]), minutes },
    shards,
    read: {
      projectId,
      rollups,
      from: covered.until,
      blocks: blocks.map(minuteOf),
      minutes: inBlocks,
    },
  };
}

function isRollup({ sk }: Record<string, unknown>): boolean {
  return typeof sk === 'string' && isRollupKey(sk);
}

/** The rollups of a partition and its total. */
function countersFrom(
  client: DynamoDBDocumentClient,
  table: string,
  { pk, from }: { pk: string; from: Date },
) {
  const between = [`COUNT#${instant(from).slice(0, 10)}`, totalSortKey] as const;
  return partitionRows(client, table, { pk, between });
}

/**
 * Each transaction that adds hits also adds to the total of its partition, so a partition without a
 * total is empty.
 */
export async function totalsIn(
  client: DynamoDBDocumentClient,
  table: string,
  partitions: readonly string[],
): Promise<TotalRow[]> {
  const totals: TotalRow[] = [];
  let Keys: Record<string, unknown>[] = partitions.map((pk) => ({ pk, sk: totalSortKey }));
  for (let tries = 1; Keys.length > 0; tries += 1) {
    const query = { Keys, ConsistentRead: true };
    const answer = await client.send(new BatchGetCommand({ RequestItems: { [table]: query } }));
    totals.push(...z.array(TotalRow).parse(answer.Responses?.[table] ?? []));
    Keys = answer.UnprocessedKeys?.[table]?.Keys ?? [];
    if (Keys.length === 0) break;
    if (tries === maxTries) throw new Error('the totals of a project could not be read');
    await backOff(tries);
  }
  return totals;
}

const maxTries = 10;

/** The attributes with counts, so that DynamoDB does not send the hits of blocks. */
const minuteNames = ['v', 'o'].flatMap((kind) =>
  Array.from({ length: 60 }, (_, minute) => `${kind}${minute}`),
);

async function packsFrom(
  client: DynamoDBDocumentClient,
  table: string,
  { shards, from }: { shards: readonly string[]; from: Date },
): Promise<BlockMinutes[]> {
  const minute = instant(from).slice(0, 16);
  const found = await Promise.all(
    shards.flatMap((pk) =>
      [blockPrefixes.open, blockPrefixes.visit].map((prefix) =>
        partitionRows(client, table, {
          pk,
          between: [prefix + minute, `${prefix}~`],
          only: ['sk', ...minuteNames].join(', '),
        }),
      ),
    ),
  );
  return z.array(BlockMinutes).parse(found.flat());
}

function totalsOf(rows: readonly TotalRow[]) {
  return {
    totals: {
      visits: sumOf(rows, 'visits'),
      opens: sumOf(rows, 'opens'),
      ownerOpens: sumOf(rows, 'ownerOpens'),
    },
    lastOpenedAt: latestInstant(rows),
    countries: countriesOf(rows),
  };
}

function sumOf(rows: readonly TotalRow[], name: 'visits' | 'opens' | 'ownerOpens'): number {
  return rows.reduce((total, row) => total + row[name], 0);
}

function latestInstant(rows: readonly TotalRow[]): string | null {
  const instants = rows.flatMap(({ lastOpenedAt }) => lastOpenedAt ?? []);
  return instants.toSorted().at(-1) ?? null;
}

function countriesOf(rows: readonly TotalRow[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const [name, value] of rows.flatMap((row) => Object.entries(row))) {
    if (!name.startsWith('c_') || typeof value !== 'number') continue;
    const country = name.slice(2);
    counts[country] = (counts[country] ?? 0) + value;
  }
  return counts;
}

function minutesOf(row: BlockMinutes): MinuteCount[] {
  // `VISITS#2026-03-01T12:05#0000`
  const hour = row.sk.split('#')[1]?.slice(0, 13) ?? '';
  return Object.entries(row).flatMap(([name, value]) => {
    const [, kind, minute = ''] = /^([vo])(\d{1,2})$/.exec(name) ?? [];
    if (kind === undefined || typeof value !== 'number') return [];
    const at = new Date(`${hour}:${minute.padStart(2, '0')}:00.000Z`);
    return [{ at, visits: kind === 'v' ? value : 0, opens: kind === 'o' ? value : 0 }];
  });
}

/** The minute of a block, `VISITS#2026-03-01T12:05#0000`. */
function minuteOf({ sk }: BlockMinutes): Date {
  return new Date(`${sk.split('#')[1]}:00.000Z`);
}

function startOfHour(at: Date): Date {
  return new Date(Math.floor(at.getTime() / 3_600_000) * 3_600_000);
}
