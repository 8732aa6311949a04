import { promisify } from 'node:util';
import { brotliCompress, brotliDecompress, constants } from 'node:zlib';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import type { CappedBatch, CappedHit } from '../../../core/analytics/cap-visits.ts';
import { hitName } from '../../../core/analytics/ports.ts';
import type { RecordedHit } from '../../../core/analytics/recorded-hit.ts';
import { epochSeconds, instant, plusSeconds } from '../../../core/instants.ts';
import { withoutNulls } from '../projects/project-rows.ts';
import { queryRows, readRow } from '../read-rows.ts';
import { HitRow, hitKeptSeconds, hourSortKey, packSortKey, shardPartition } from './hit-rows.ts';

type Kind = RecordedHit['kind'];

/**
 * A pack with this many hits is full and never changes again. Each write is billed by the size of the
 * whole pack: 24 hits have about one kilobyte.
 */
const fullPackHits = 24;

const PackRow = z.looseObject({
  sk: z.string(),
  revision: z.number(),
  count: z.number(),
  hits: z.instanceof(Uint8Array),
});
export type PackRow = z.infer<typeof PackRow>;

/** The packs of a batch's hour. */
export interface PackedHour {
  /**
   * Whether an earlier release began the hour with a row for each hit. It goes on in that way, so that
   * these hits are found.
   */
  hasRows: boolean;
  /** The hits in packs that may have some of the batch; see {@link hitName}. */
  names: ReadonlySet<string>;
  packs: Readonly<Record<Kind, LastPack>>;
}

/** The number of the last pack, and the pack itself unless it is full; the number of the first is 0. */
interface LastPack {
  number: number;
  open: PackRow | undefined;
}

/** Reads the packs of a batch's hour. */
export async function readPackedHour(
  client: DynamoDBDocumentClient,
  table: string,
  batch: CappedBatch,
): Promise<PackedHour> {
  const { hour, hits } = batch;
  const pk = shardPartition(batch.projectId, batch.shard);
  const read = async (kind: Kind) =>
    hits.some(({ record }) => record.kind === kind)
      ? readPacks(client, table, { pk, ...hoursOf(kind, hour) })
      : [];
  const [counter, visits, opens] = await Promise.all([
    readRow(client, table, { pk, sk: hourSortKey(hour) }),
    read('visit'),
    read('open'),
  ]);
  const known = await Promise.all([...visits, ...opens].map(unpackHits));
  return {
    hasRows: counter !== undefined,
    names: new Set(known.flat().map(hitName)),
    packs: { visit: lastPack('visit', hour, visits), open: lastPack('open', hour, opens) },
  };
}

/** A visit arrives again with the same time, an open perhaps with another one, in a neighbouring hour. */
function hoursOf(kind: Kind, hour: string) {
  const around = kind === 'visit' ? 0 : 3600;
  const [from, to] = [-around, around].map((seconds) =>
    instant(plusSeconds(new Date(`${hour}:00:00.000Z`), seconds)).slice(0, 13),
  );
  return { from: packSortKey(kind, from ?? hour, ''), to: packSortKey(kind, to ?? hour, '~') };
}

function lastPack(kind: Kind, hour: string, found: readonly PackRow[]): LastPack {
  const prefix = packSortKey(kind, hour, '');
  const last = found.findLast(({ sk }) => sk.startsWith(prefix));
  if (last === undefined) return { number: -1, open: undefined };
  const number = Number(last.sk.slice(prefix.length));
  return { number, open: last.count < fullPackHits ? last : undefined };
}

/** A range of packs of one partition, both ends inclusive. */
interface PackRange {
  pk: string;
  from: string;
  to: string;
}

async function readPacks(
  client: DynamoDBDocumentClient,
  TableName: string,
  { pk, from, to }: PackRange,
): Promise<PackRow[]> {
  const rows = await queryRows(client, {
    TableName,
    KeyConditionExpression: 'pk = :pk AND sk BETWEEN :from AND :to',
    ExpressionAttributeValues: { ':pk': pk, ':from': from, ':to': to },
    ConsistentRead: true,
  });
  return rows.map((row) => PackRow.parse(row));
}

/**
 * Writes the hits of a batch into the packs of its hour, with their minutes. A pack that another batch
 * has changed or begun meanwhile makes the condition fail.
 */
export async function packParts(TableName: string, batch: CappedBatch, hour: PackedHour) {
  const parts = (['visit', 'open'] as const).map(async (kind) => {
    const hits = batch.hits.filter(({ record }) => record.kind === kind);
    if (hits.every(({ isKept, counts }) => !isKept && counts.visits === 0)) return [];
    const Item = await grownPack(batch, hour.packs[kind], { kind, hits });
    const condition = Item.revision === 1 ? isNew : isUnchanged(Item.revision - 1);
    return [[`pack of ${kind}s`, { Put: { TableName, Item, ...condition } }] as const];
  });
  return (await Promise.all(parts)).flat();
}

const isNew = { ConditionExpression: 'attribute_not_exists(pk)' };

function isUnchanged(revision: number) {
  return {
    ConditionExpression: 'revision = :seen',
    ExpressionAttributeValues: { ':seen': revision },
  };
}

async function grownPack(
  batch: CappedBatch,
  { number, open }: LastPack,
  { kind, hits }: { kind: Kind; hits: readonly CappedHit[] },
) {
  const start = new Date(`${batch.hour}:00:00.000Z`);
  const kept = hits.filter(({ isKept }) => isKept).map(({ record }) => record);
  const all = [...(open === undefined ? [] : await unpackHits(open)), ...kept];
  return {
    ...open,
    pk: shardPartition(batch.projectId, batch.shard),
    sk: open?.sk ?? packSortKey(kind, batch.hour, String(number + 1).padStart(4, '0')),
    revision: (open?.revision ?? 0) + 1,
    count: all.length,
    hits: await packHits(all),
    ...addedMinutes(open, minuteTotals(hits)),
    // The last of its hits may be of the end of the hour.
    ttl: epochSeconds(plusSeconds(start, 3600 + hitKeptSeconds)),
  };
}

function addedMinutes(before: PackRow | undefined, minutes: Record<string, number>) {
  const nonZero = Object.entries(minutes).filter(([, count]) => count > 0);
  const earlier = (name: string) => z.number().default(0).parse(before?.[name]);
  return Object.fromEntries(nonZero.map(([name, count]) => [name, earlier(name) + count]));
}

/** `v7` are the visits of the hour's minute 7, `o7` its opens. */
export function minuteTotals(hits: readonly CappedHit[]): Record<string, number> {
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

/** The hits of a pack, in no order. */
export async function unpackHits({ hits }: Pick<PackRow, 'hits'>): Promise<RecordedHit[]> {
  const text = (await decompress(hits)).toString('utf8');
  return z.array(HitRow).parse(JSON.parse(text));
}
