import { promisify } from 'node:util';
import { brotliCompress, brotliDecompress, constants } from 'node:zlib';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import {
  emptyDay,
  hourSlot,
  networkCaps,
  type NetworkDay,
  type NetworkGrowth,
} from '../../../core/analytics/cap-visits.ts';
import type { HitBatch } from '../../../core/analytics/hit-batches.ts';
import { epochSeconds, plusSeconds } from '../../../core/instants.ts';
import { readRow } from '../read-rows.ts';
import { hasRevision, put } from '../writes.ts';
import { networkDayKeptSeconds, sharedDaysKey } from './hit-rows.ts';

/**
 * The most networks in one row. Each write is billed by the size of the whole row; with a few
 * visits of each network it is less than a kilobyte.
 */
const maxNetworks = 32;
/** The number of further rows when the first row of a day is full; each has a part of the networks. */
const parts = 4;

/** What several networks added on a day. */
export const SharedDaysRow = z.looseObject({
  revision: z.number(),
  networks: z.instanceof(Uint8Array),
});
/** `kept`, `counted` and the slots of each network. */
const Days = z.record(
  z.string(),
  z.tuple([z.number(), z.number(), z.record(z.string(), z.number())]),
);

/** A row with the days of several networks, as it was read. */
export interface SharedDays {
  key: { pk: string; sk: string };
  /** 0 while there is no such row. */
  revision: number;
  days: ReadonlyMap<string, NetworkDay>;
}

type Place = Pick<HitBatch, 'ownerId' | 'projectId' | 'hour'>;

/** The networks of a batch by the row that has or will have their days. */
export interface PlacedNetworks {
  shared: Map<SharedDays, string[]>;
  /** Networks with a row of their own, because the shared rows for them are full. */
  own: string[];
}

/**
 * Finds the rows of networks' days. A network stays in its first row, and a full row never has room
 * again. So a network is in a later row only if the earlier ones were full.
 */
export async function placeNetworks(
  client: DynamoDBDocumentClient,
  table: string,
  { place, networks }: { place: Place; networks: readonly string[] },
): Promise<PlacedNetworks> {
  const placed: PlacedNetworks = { shared: new Map(), own: [] };
  if (networks.length === 0) return placed;
  const first = await readShared(client, table, sharedDaysKey(place, 'all'));
  const further = new Map<string, string[]>();
  for (const network of fill(placed, first, networks)) {
    const part = String(Number.parseInt(network.slice(-2), 16) % parts);
    further.set(part, [...(further.get(part) ?? []), network]);
  }
  await Promise.all(
    [...further].map(async ([part, some]) => {
      const row = await readShared(client, table, sharedDaysKey(place, part));
      placed.own.push(...fill(placed, row, some));
    }),
  );
  return placed;
}

/** Places networks in a row while it has room; returns the others. */
function fill(placed: PlacedNetworks, row: SharedDays, networks: readonly string[]): string[] {
  let room = Math.max(0, maxNetworks - row.days.size);
  const [here, others] = [new Array<string>(), new Array<string>()];
  for (const network of networks) {
    const isHere = row.days.has(network) || room > 0;
    if (isHere && !row.days.has(network)) room -= 1;
    (isHere ? here : others).push(network);
  }
  if (here.length > 0) placed.shared.set(row, here);
  return others;
}

async function readShared(
  client: DynamoDBDocumentClient,
  table: string,
  key: SharedDays['key'],
): Promise<SharedDays> {
  const found = await readRow(client, table, key);
  if (found === undefined) return { key, revision: 0, days: new Map() };
  const { revision, networks } = SharedDaysRow.parse(found);
  const stored = Days.parse(JSON.parse((await decompress(networks)).toString('utf8')));
  const days = Object.entries(stored).map(
    ([network, [kept, counted, slots]]) => [network, { kept, counted, slots }] as const,
  );
  return { key, revision, days: new Map(days) };
}

/**
 * Adds the growth of networks to their shared row, on the condition that the row is unchanged since
 * it was read; undefined if the growth no longer fits under the caps.
 */
export async function sharedPart(
  TableName: string,
  { place, row, growth }: { place: Place; row: SharedDays; growth: readonly NetworkGrowth[] },
) {
  const days = new Map(row.days);
  for (const more of growth) {
    const day = grownDay(days.get(more.network) ?? emptyDay, more, hourSlot(place));
    if (day === undefined) return undefined;
    days.set(more.network, day);
  }
  const from = new Date(`${place.hour.slice(0, 10)}T00:00:00.000Z`);
  const networks = [...days].map(([network, { kept, counted, slots }]) => [
    network,
    [kept, counted, slots],
  ]);
  const stored = {
    ...row.key,
    revision: row.revision + 1,
    networks: await compress(JSON.stringify(Object.fromEntries(networks)), quick),
    ttl: epochSeconds(plusSeconds(from, networkDayKeptSeconds)),
  };
  const part = put(TableName, stored, hasRevision(row.revision));
  return [`networks ${row.key.pk}`, part] as const;
}

function grownDay(
  day: NetworkDay,
  { counted, kept }: NetworkGrowth,
  slot: string,
): NetworkDay | undefined {
  const inSlot = (day.slots[slot] ?? 0) + counted;
  const grown = { counted: day.counted + counted, kept: day.kept + kept };
  const hasRoom =
    grown.kept <= networkCaps.kept &&
    (counted === 0 || (grown.counted <= networkCaps.counted && inSlot <= networkCaps.slot));
  if (!hasRoom) return undefined;
  return { ...grown, slots: counted === 0 ? day.slots : { ...day.slots, [slot]: inSlot } };
}

const quick = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } };
const compress = promisify(brotliCompress);
const decompress = promisify(brotliDecompress);
