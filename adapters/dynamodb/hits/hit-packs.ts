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
import { queryRows } from '../read-rows.ts';
import { fullMinutes } from './common-shard.ts';
import { countOpens, grownMarks } from './open-marks.ts';
import { hitKeptSeconds, packSortKey, shardPartition } from './hit-rows.ts';

type Kind = RecordedHit['kind'];

/**
 * A pack with this many hits is full and never changes again. Each write is billed by the size of the
 * whole pack: 15 hits of random visitors have one kilobyte, 24 have 1.4.
 */
const fullPackHits = 24;

const PackRow = z.looseObject({
  sk: z.string(),
  revision: z.number(),
  count: z.number(),
  hits: z.instanceof(Uint8Array),
  networks: z.instanceof(Uint8Array).optional(),
});
export type PackRow = z.infer<typeof PackRow>;

/** The packs of a batch's minutes. */
export interface StoredPacks {
  /** The hits in packs that may have some of the batch; see {@link hitName}. */
  names: ReadonlySet<string>;
  found: readonly PackRow[];
  /** The opens in the packs where those of the batch's networks and minutes are counted. */
  opened: OpenCounts;
}

/** Reads the packs that may have hits of a batch. */
export async function readPacks(
  client: DynamoDBDocumentClient,
  table: string,
  batch: CappedBatch,
): Promise<StoredPacks> {
  const pk = shardPartition(batch.projectId, batch.shard);
  const [visits, opens, earlier] = await Promise.all([
    queryPacks(client, table, { pk, ...minutesAround('visit', batch) }),
    queryPacks(client, table, { pk, ...minutesAround('open', batch) }),
    openedBeforeSpread(client, table, batch),
  ]);
  const found = [...visits, ...opens];
  const elsewhere = await spreadOpens(client, table, { batch, opens });
  const known = await Promise.all([...found, ...elsewhere].map(unpackHits));
  const names = new Set(known.flat().map(hitName));
  const opened = countOpens([...opens, ...earlier]);
  return { names, found, opened };
}

/**
 * An open of a minute with room may have arrived before with the time of a minute without: then it is in
 * its own shard.
 */
async function spreadOpens(
  client: DynamoDBDocumentClient,
  table: string,
  { batch, opens }: { batch: CappedBatch; opens: readonly PackRow[] },
): Promise<PackRow[]> {
  if (batch.isSpread || fullMinutes(opens).size === 0) return [];
  const range = minutesAround('open', batch);
  const hits = batch.hits.filter(({ record }) => record.kind === 'open');
  const shards = [...new Set(hits.map(ownShard))].filter((shard) => shard !== batch.shard);
  const packs = await Promise.all(
    shards.map((shard) =>
      queryPacks(client, table, { pk: shardPartition(batch.projectId, shard), ...range }),
    ),
  );
  return packs.flat();
}

/**
 * The opens that the first shard got while it had room for their minute. Their number does not change any
 * more, and the further ones of a network are all in its own shard.
 */
async function openedBeforeSpread(
  client: DynamoDBDocumentClient,
  table: string,
  batch: CappedBatch,
): Promise<PackRow[]> {
  if (!batch.isSpread || batch.shard === 0) return [];
  const pk = shardPartition(batch.projectId, 0);
  return queryPacks(client, table, { pk, ...minutesAround('open', batch) });
}

/** An open may arrive again with another time, a visit has always the same. */
const aroundSeconds = { visit: 0, open: 120 } as const;

function minutesAround(kind: Kind, { hits }: CappedBatch) {
  const instants = hits.flatMap(({ record }) => (record.kind === kind ? record.at : [])).toSorted();
  const [first, last = first] = [instants.at(0), instants.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  const around = aroundSeconds[kind];
  const minute = (at: string, seconds: number) =>
    minuteOf({ at: instant(plusSeconds(new Date(at), seconds)) });
  return {
    from: packSortKey(kind, minute(first, -around), ''),
    to: packSortKey(kind, minute(last, around), '~'),
  };
}

/** As `2026-03-01T12:05`. */
function minuteOf({ at }: Pick<RecordedHit, 'at'>): string {
  return at.slice(0, 16);
}

/** The number of the last pack of a minute, -1 for none, and the pack itself unless it is full. */
function lastPack(prefix: string, found: readonly PackRow[]) {
  const last = found.findLast(({ sk }) => sk.startsWith(prefix));
  if (last === undefined) return { number: -1, open: undefined };
  const number = Number(last.sk.slice(prefix.length));
  return { number, open: last.count < fullPackHits ? last : undefined };
}

/** A range of packs of one partition, both ends inclusive; nothing without them. */
interface PackRange {
  pk: string;
  from?: string;
  to?: string;
}

async function queryPacks(
  client: DynamoDBDocumentClient,
  TableName: string,
  { pk, from, to }: PackRange,
): Promise<PackRow[]> {
  if (from === undefined || to === undefined) return [];
  const rows = await queryRows(client, {
    TableName,
    KeyConditionExpression: 'pk = :pk AND sk BETWEEN :from AND :to',
    ExpressionAttributeValues: { ':pk': pk, ':from': from, ':to': to },
    ConsistentRead: true,
  });
  return rows.map((row) => PackRow.parse(row));
}

/**
 * Writes the hits of a batch into the packs of their minutes. A pack that another batch has changed or
 * begun meanwhile makes the condition fail.
 */
export async function packParts(
  TableName: string,
  batch: CappedBatch,
  { found }: Pick<StoredPacks, 'found'>,
) {
  const groups = new Map<string, CappedHit[]>();
  for (const hit of batch.hits) {
    const { record, isKept, counts } = hit;
    if (!isKept && counts.visits === 0) continue;
    const prefix = packSortKey(record.kind, minuteOf(record), '');
    groups.set(prefix, [...(groups.get(prefix) ?? []), hit]);
  }
  const pk = shardPartition(batch.projectId, batch.shard);
  return Promise.all(
    [...groups].map(async ([prefix, hits]) => {
      const marks = grownMarks(lastPack(prefix, found).open, batch, hits);
      const Item = { pk, ...(await grownPack(prefix, hits, found)), ...marks };
      const condition = Item.revision === 1 ? isNew : isUnchanged(Item.revision - 1);
      return [`pack ${prefix}`, { Put: { TableName, Item, ...condition } }] as const;
    }),
  );
}

const isNew = { ConditionExpression: 'attribute_not_exists(pk)' };

function isUnchanged(revision: number) {
  return {
    ConditionExpression: 'revision = :seen',
    ExpressionAttributeValues: { ':seen': revision },
  };
}

async function grownPack(prefix: string, hits: readonly CappedHit[], found: readonly PackRow[]) {
  const { number, open } = lastPack(prefix, found);
  const kept = hits.filter(({ isKept }) => isKept).map(({ record }) => record);
  const all = [...(open === undefined ? [] : await unpackHits(open)), ...kept];
  const [, minute = ''] = prefix.split('#');
  return {
    ...open,
    sk: open?.sk ?? prefix + String(number + 1).padStart(4, '0'),
    revision: (open?.revision ?? 0) + 1,
    count: all.length,
    hits: await packHits(all),
    ...addedMinutes(open, minuteTotals(hits)),
    // The last of its hits may be of the end of the minute.
    ttl: epochSeconds(plusSeconds(new Date(`${minute}:00.000Z`), 60 + hitKeptSeconds)),
  };
}

function addedMinutes(before: PackRow | undefined, minutes: Record<string, number>) {
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

/** The best quality takes ten times as long for a tenth fewer bytes. */
const quick = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } };

const compress = promisify(brotliCompress);
const decompress = promisify(brotliDecompress);

function packHits(hits: readonly RecordedHit[]): Promise<Uint8Array> {
  return compress(JSON.stringify(hits.map(withoutNulls)), quick);
}

const parseHit = rowParser(RecordedHit);

/** The hits of a pack, in no order. */
export async function unpackHits({ hits }: Pick<PackRow, 'hits'>): Promise<RecordedHit[]> {
  const text = (await decompress(hits)).toString('utf8');
  return z.array(z.looseObject({})).parse(JSON.parse(text)).map(parseHit);
}
