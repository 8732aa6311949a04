import { promisify } from 'node:util';
import { brotliCompress, brotliDecompress, constants } from 'node:zlib';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import type { CappedBatch, CappedHit } from '../../../core/analytics/cap-visits.ts';
import { ownShard } from '../../../core/analytics/hit-batches.ts';
import type { OpenCounts } from '../../../core/analytics/limit-opens.ts';
import { hitName } from '../../../core/analytics/ports.ts';
import { RecordedHit } from '../../../core/analytics/recorded-hit.ts';
import { epochSeconds, instant, plusSeconds } from '../../../core/instants.ts';
import { rowParser, withoutNulls } from '../null-fields.ts';
import { partitionRows } from '../read-rows.ts';
import { hasRevision, put } from '../writes.ts';
import { fullMinutes } from './common-shard.ts';
import { countOpens, grownMarks } from './open-marks.ts';
import { blockSortKey, hitKeptSeconds, shardPartition } from './hit-rows.ts';

type Kind = RecordedHit['kind'];

/**
 * A block with this many hits is full and never changes again. Each write is billed by the size of the
 * whole block: 15 hits of random visitors have one kilobyte, 24 have 1.4.
 */
const fullBlockHits = 24;

/** Hits of a minute. */
export const BlockRow = z.looseObject({
  sk: z.string(),
  revision: z.number(),
  count: z.number(),
  hits: z.instanceof(Uint8Array),
  networks: z.instanceof(Uint8Array).optional(),
});
export type BlockRow = z.infer<typeof BlockRow>;

/** The blocks of a batch's minutes. */
export interface StoredBlocks {
  /** The names of all hits in blocks that may already have hits of the batch; see {@link hitName}. */
  names: ReadonlySet<string>;
  found: readonly BlockRow[];
  /** The number of opens of the batch's networks, by minute. */
  opened: OpenCounts;
}

/** Reads the blocks that may have hits of a batch. */
export async function readBlocks(
  client: DynamoDBDocumentClient,
  table: string,
  batch: CappedBatch,
): Promise<StoredBlocks> {
  const pk = shardPartition(batch.projectId, batch.shard);
  const [visits, opens, earlier] = await Promise.all([
    queryBlocks(client, table, { pk, ...minutesAround('visit', batch) }),
    queryBlocks(client, table, { pk, ...minutesAround('open', batch) }),
    openedBeforeSpread(client, table, batch),
  ]);
  const found = [...visits, ...opens];
  const elsewhere = await spreadOpens(client, table, { batch, opens });
  const known = await Promise.all([...found, ...elsewhere].map(hitsOfBlock));
  const names = new Set(known.flat().map(hitName));
  const opened = countOpens([...opens, ...earlier]);
  return { names, found, opened };
}

/**
 * An open may have been delivered before with another time, in a minute that was full; then it is
 * in its own shard.
 */
async function spreadOpens(
  client: DynamoDBDocumentClient,
  table: string,
  { batch, opens }: { batch: CappedBatch; opens: readonly BlockRow[] },
): Promise<BlockRow[]> {
  if (batch.isSpread || fullMinutes(opens).size === 0) return [];
  const range = minutesAround('open', batch);
  const hits = batch.hits.filter(({ record }) => record.kind === 'open');
  const shards = [...new Set(hits.map(ownShard))].filter((shard) => shard !== batch.shard);
  const blocks = await Promise.all(
    shards.map((shard) =>
      queryBlocks(client, table, { pk: shardPartition(batch.projectId, shard), ...range }),
    ),
  );
  return blocks.flat();
}

/**
 * Counts the opens in the first shard of minutes that are full there. These numbers no longer
 * change, and further opens of a network are all in its own shard.
 */
async function openedBeforeSpread(
  client: DynamoDBDocumentClient,
  table: string,
  batch: CappedBatch,
): Promise<BlockRow[]> {
  if (!batch.isSpread || batch.shard === 0) return [];
  const pk = shardPartition(batch.projectId, 0);
  return queryBlocks(client, table, { pk, ...minutesAround('open', batch) });
}

/** The time of an open may differ between deliveries; that of a visit never does. */
const aroundSeconds = { visit: 0, open: 120 } as const;

function minutesAround(kind: Kind, { hits }: CappedBatch) {
  const instants = hits.flatMap(({ record }) => (record.kind === kind ? record.at : [])).toSorted();
  const [first, last = first] = [instants.at(0), instants.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  const around = aroundSeconds[kind];
  const minute = (at: string, seconds: number) =>
    minuteOf({ at: instant(plusSeconds(new Date(at), seconds)) });
  return {
    from: blockSortKey(kind, minute(first, -around), ''),
    to: blockSortKey(kind, minute(last, around), '~'),
  };
}

/** As `2026-03-01T12:05`. */
function minuteOf({ at }: Pick<RecordedHit, 'at'>): string {
  return at.slice(0, 16);
}

/** The number of the last block of a minute, -1 for none, and the block itself unless it is full. */
function lastBlock(prefix: string, found: readonly BlockRow[]) {
  const last = found.findLast(({ sk }) => sk.startsWith(prefix));
  if (last === undefined) return { number: -1, open: undefined };
  const number = Number(last.sk.slice(prefix.length));
  return { number, open: last.count < fullBlockHits ? last : undefined };
}

/** A range of blocks of one partition, both ends inclusive. */
interface BlockRange {
  pk: string;
  from?: string;
  to?: string;
}

async function queryBlocks(
  client: DynamoDBDocumentClient,
  TableName: string,
  { pk, from, to }: BlockRange,
): Promise<BlockRow[]> {
  if (from === undefined || to === undefined) return [];
  const rows = await partitionRows(client, TableName, { pk, between: [from, to] });
  return rows.map((row) => BlockRow.parse(row));
}

/**
 * Writes the hits of a batch into the blocks of their minutes. A block that another batch has changed or
 * begun meanwhile makes the condition fail.
 */
export async function blockParts(
  TableName: string,
  batch: CappedBatch,
  { found }: Pick<StoredBlocks, 'found'>,
) {
  const groups = new Map<string, CappedHit[]>();
  for (const hit of batch.hits) {
    const { record, isKept, counts } = hit;
    if (!isKept && counts.visits === 0) continue;
    const prefix = blockSortKey(record.kind, minuteOf(record), '');
    groups.set(prefix, [...(groups.get(prefix) ?? []), hit]);
  }
  const pk = shardPartition(batch.projectId, batch.shard);
  return Promise.all(
    [...groups].map(async ([prefix, hits]) => {
      const marks = grownMarks(lastBlock(prefix, found).open, batch, hits);
      const row = { pk, ...(await grownBlock(prefix, hits, found)), ...marks };
      return [`block ${prefix}`, put(TableName, row, hasRevision(row.revision - 1))] as const;
    }),
  );
}

async function grownBlock(prefix: string, hits: readonly CappedHit[], found: readonly BlockRow[]) {
  const { number, open } = lastBlock(prefix, found);
  const kept = hits.filter(({ isKept }) => isKept).map(({ record }) => record);
  const all = [...(open === undefined ? [] : await hitsOfBlock(open)), ...kept];
  const [, minute = ''] = prefix.split('#');
  return {
    ...open,
    sk: open?.sk ?? prefix + String(number + 1).padStart(4, '0'),
    revision: (open?.revision ?? 0) + 1,
    count: all.length,
    hits: await compressHits(all),
    ...addedMinutes(open, minuteTotals(hits)),
    // Its last hit may be from the end of the minute.
    ttl: epochSeconds(plusSeconds(new Date(`${minute}:00.000Z`), 60 + hitKeptSeconds)),
  };
}

function addedMinutes(before: BlockRow | undefined, minutes: Record<string, number>) {
  const nonZero = Object.entries(minutes).filter(([, count]) => count > 0);
  const earlier = (name: string) => z.number().default(0).parse(before?.[name]);
  return Object.fromEntries(nonZero.map(([name, count]) => [name, earlier(name) + count]));
}

/** `v7` are the visits of the hour's minute 7, `o7` its opens. */
function minuteTotals(hits: readonly CappedHit[]): Record<string, number> {
  const totals: Record<string, number> = {};
  for (const { record, counts } of hits) {
    const minute = Number(record.at.slice(14, 16));
    totals[`v${minute}`] = (totals[`v${minute}`] ?? 0) + counts.visits;
    totals[`o${minute}`] = (totals[`o${minute}`] ?? 0) + counts.opens;
  }
  return totals;
}

/** Brotli's best quality takes ten times as long and saves only a tenth of the bytes. */
const quick = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } };

const compress = promisify(brotliCompress);
const decompress = promisify(brotliDecompress);

function compressHits(hits: readonly RecordedHit[]): Promise<Uint8Array> {
  return compress(JSON.stringify(hits.map(withoutNulls)), quick);
}

const parseHit = rowParser(RecordedHit);

/** The hits of a block, in no order. */
export async function hitsOfBlock({ hits }: Pick<BlockRow, 'hits'>): Promise<RecordedHit[]> {
  const text = (await decompress(hits)).toString('utf8');
  return z.array(z.looseObject({})).parse(JSON.parse(text)).map(parseHit);
}
