import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import {
  type CappedBatch,
  hourSlot,
  networkCaps,
  type NetworkDay,
  type NetworkGrowth,
} from '../../../core/analytics/cap-visits.ts';
import type { HitBatch } from '../../../core/analytics/hit-batches.ts';
import { isCapped } from '../../../core/analytics/recorded-hit.ts';
import { epochSeconds, plusSeconds } from '../../../core/instants.ts';
import { networkDayKey, networkDayKeptSeconds } from './hit-rows.ts';
import { readRow } from '../read-rows.ts';
import { placeholder, update } from '../writes.ts';
import { placeNetworks, sharedPart } from './shared-network-days.ts';

/** What one network added on a day. */
export const DayRow = z.looseObject({
  counted: z.number().default(0),
  kept: z.number().default(0),
});

/** Each slot is a separate attribute, so that DynamoDB can add to it. */
const slotPrefix = 's';

/** Reads the current days of a batch's networks. */
export async function readNetworkDays(
  client: DynamoDBDocumentClient,
  table: string,
  batch: HitBatch,
): Promise<Map<string, NetworkDay>> {
  const networks = [
    ...new Set(batch.hits.flatMap(({ network, record }) => (isCapped(record) ? network : []))),
  ];
  const { shared, own } = await placeNetworks(client, table, { place: batch, networks });
  const found = await Promise.all(
    own.map(async (network) => {
      const row = await readRow(client, table, networkDayKey(batch, network));
      return [network, toNetworkDay(DayRow.parse(row ?? {}))] as const;
    }),
  );
  return new Map([...[...shared.keys()].flatMap(({ days }) => [...days]), ...found]);
}

/**
 * The writes that add a batch to the days of its networks, for one transaction; undefined if it no
 * longer fits under the caps.
 */
export async function networkParts(
  client: DynamoDBDocumentClient,
  table: string,
  batch: CappedBatch,
) {
  const growth = new Map(batch.growth.map((more) => [more.network, more]));
  const of = (networks: readonly string[]) => networks.flatMap((name) => growth.get(name) ?? []);
  const networks = [...growth.keys()];
  const { shared, own } = await placeNetworks(client, table, { place: batch, networks });
  const rows = await Promise.all(
    [...shared].map(([row, some]) => sharedPart(table, { place: batch, row, growth: of(some) })),
  );
  const parts = rows.flatMap((part) => (part === undefined ? [] : [part]));
  if (parts.length < rows.length) return undefined;
  return [...parts, ...of(own).map((more) => networkPart(table, batch, more))];
}

function toNetworkDay({ counted, kept, ...row }: z.infer<typeof DayRow>): NetworkDay {
  const slots = Object.entries(row).flatMap(([name, value]) =>
    name.startsWith(slotPrefix) && typeof value === 'number'
      ? [[name.slice(slotPrefix.length), value] as const]
      : [],
  );
  return { counted, kept, slots: Object.fromEntries(slots) };
}

/**
 * Adds to a network's day, if the whole growth fits under its caps. The condition holds even for
 * concurrent writers.
 */
function networkPart(TableName: string, batch: CappedBatch, growth: NetworkGrowth) {
  const { network, counted, kept } = growth;
  const from = new Date(`${batch.hour.slice(0, 10)}T00:00:00.000Z`);
  const slot = slotPrefix + hourSlot(batch);
  const caps = counted > 0 ? { counted: networkCaps.counted, [slot]: networkCaps.slot } : {};
  const room = Object.entries(caps).map(([name, cap]) => [`${name}Before`, cap - counted]);
  const change = update(TableName, networkDayKey(batch, network), {
    add: { kept, ...(counted > 0 && { counted, [slot]: counted }) },
    set: { ttl: epochSeconds(plusSeconds(from, networkDayKeptSeconds)) },
    when: ['kept', ...Object.keys(caps)].map(hasRoom).join(' AND '),
    values: { keptBefore: networkCaps.kept - kept, ...Object.fromEntries(room) },
  });
  return [`network ${network}`, change] as const;
}

function hasRoom(name: string): string {
  const own = placeholder(name);
  return `(attribute_not_exists(#${own}) OR #${own} <= :${own}Before)`;
}
