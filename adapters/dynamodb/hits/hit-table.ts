import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import type { CappedBatch, CappedHit } from '../../../core/analytics/cap-visits.ts';
import { withoutExcessOpens } from '../../../core/analytics/limit-opens.ts';
import { mayBeFirst, openDeliveries } from '../../../core/analytics/open-events.ts';
import { hitName, type HitStore } from '../../../core/analytics/ports.ts';
import { epochSeconds, plusSeconds } from '../../../core/instants.ts';
import {
  linkOpensKey,
  monthKeptSeconds,
  monthPartition,
  monthShard,
  monthSortKey,
  shardPartition,
  totalKeptSeconds,
  totalSortKey,
} from './hit-rows.ts';
import { blockParts, readBlocks } from './hit-blocks.ts';
import { lateParts } from './hit-rollups.ts';
import { withoutRoom } from './common-shard.ts';
import { networkParts, readNetworkDays } from './network-days.ts';
import { writeTransaction } from '../transaction.ts';
import { readRow } from '../read-rows.ts';
import { update } from '../writes.ts';
import { deliveryParts } from '../webhooks/delivery-table.ts';

/** Hits and their counters in DynamoDB. */
export function hitTable(
  client: DynamoDBDocumentClient,
  tables: { analytics: string; projects: string },
  now: () => Date,
): HitStore {
  const table = tables.analytics;
  return {
    networkDays: (batch) => readNetworkDays(client, table, batch),
    async write(all) {
      const stored = await readBlocks(client, table, all);
      const known = namesOf(all).filter((name) => stored.names.has(name));
      if (known.length > 0) return { kept: new Set(known) };
      const spread = all.isSpread ? [] : withoutRoom(all, stored);
      if (spread.length > 0) return { kept: new Set(), spread: new Set(spread) };
      const batch = withoutExcessOpens(all, stored.opened);
      const rows = [...(await blockParts(table, batch, stored)), ...lateParts(table, batch, now())];
      const networks = await networkParts(client, table, batch);
      // Another batch has used up the rest of the caps.
      if (networks === undefined) return { kept: new Set() };
      const isFirst = mayBeFirst(batch) && (await isUnopened(client, table, batch));
      const parts = [
        ...rows,
        ...networks,
        ...counterParts(table, batch, isFirst),
        ...deliveryParts(tables.projects, openDeliveries(batch, { isFirst, now: now() })),
      ];
      // The batch has only hits that are neither stored nor counted.
      if (parts.length === 0) return undefined;
      const unmet = await writeTransaction(client, parts);
      return unmet.size === 0 ? undefined : { kept: new Set(unmet.keys()) };
    },
  };
}

/** Whether nobody has opened a project yet. The condition of {@link counterParts} makes it exact. */
async function isUnopened(
  client: DynamoDBDocumentClient,
  table: string,
  { projectId, shard }: CappedBatch,
): Promise<boolean> {
  const row = await readRow(client, table, {
    pk: shardPartition(projectId, shard),
    sk: totalSortKey,
  });
  return z.number().default(0).parse(row?.['opens']) === 0;
}

function namesOf({ hits }: CappedBatch): string[] {
  return hits.map(({ record }) => hitName(record));
}

/** One update each for the total and the owner's month, for any number of hits. */
function counterParts(TableName: string, batch: CappedBatch, isFirst: boolean) {
  const { projectId, ownerId, shard, hour, hits } = batch;
  const pk = shardPartition(projectId, shard);
  const from = new Date(`${hour}:00:00.000Z`);
  const visits = hits.reduce((total, { planVisits }) => total + planVisits, 0);
  return [
    ...counterPart(
      TableName,
      { pk, sk: totalSortKey },
      {
        totals: projectTotals(hits),
        ttl: epochSeconds(plusSeconds(from, totalKeptSeconds)),
        lastOpenedAt: lastOpen(hits),
        isFirst,
      },
    ),
    ...(ownerId === null
      ? []
      : counterPart(
          TableName,
          { pk: monthPartition(ownerId), sk: monthSortKey(hour.slice(0, 7), monthShard(batch)) },
          { totals: { visits }, ttl: epochSeconds(plusSeconds(from, monthKeptSeconds)) },
        )),
    ...linkParts(TableName, { pk, from, hits }),
  ];
}

/** One update for each share link by which somebody opened the project. */
function linkParts(
  TableName: string,
  { pk, from, hits }: { pk: string; from: Date; hits: readonly CappedHit[] },
) {
  const opened = new Map<string, string[]>();
  for (const { record, counts } of hits) {
    if (record.link === undefined || counts.opens === 0) continue;
    opened.set(record.link.id, [...(opened.get(record.link.id) ?? []), record.at]);
  }
  return Array.from(opened, ([id, instants]) => {
    const sorted = instants.toSorted();
    const change = update(
      TableName,
      { pk, sk: linkOpensKey(id) },
      {
        add: { opens: instants.length },
        set: {
          lastOpenedAt: sorted.at(-1),
          ttl: epochSeconds(plusSeconds(from, totalKeptSeconds)),
        },
        setOnce: { firstOpenedAt: sorted[0] },
      },
    );
    return [`link ${id}`, change] as const;
  });
}

interface CounterUpdate {
  totals: Record<string, number>;
  ttl: number;
  /**
   * A delayed open may set this back a little. While rows of opens exist, readers use those
   * instead.
   */
  lastOpenedAt?: string | undefined;
  /** Whether there must be no open yet. */
  isFirst?: boolean;
}

function counterPart(
  TableName: string,
  key: { pk: string; sk: string },
  { totals, ttl, lastOpenedAt, isFirst = false }: CounterUpdate,
) {
  const added = Object.entries(totals).filter(([, value]) => value !== 0);
  if (added.length === 0) return [];
  const unopened = { when: 'attribute_not_exists(opens) OR opens = :none', values: { none: 0 } };
  const change = {
    add: Object.fromEntries(added),
    set: { ttl, lastOpenedAt },
    ...(isFirst && unopened),
  };
  return [[`counter ${key.sk}`, update(TableName, key, change)] as const];
}

function projectTotals(hits: readonly CappedHit[]): Record<string, number> {
  const totals: Record<string, number> = {
    visits: sum(hits, 'visits'),
    opens: sum(hits, 'opens'),
    ownerOpens: sum(hits, 'ownerOpens'),
  };
  for (const { record, counts } of hits) {
    if (record.country === null) continue;
    const name = `c_${record.country}`;
    totals[name] = (totals[name] ?? 0) + counts.opens;
  }
  return totals;
}

function sum(hits: readonly CappedHit[], name: keyof CappedHit['counts']): number {
  return hits.reduce((total, { counts }) => total + counts[name], 0);
}

function lastOpen(hits: readonly CappedHit[]): string | undefined {
  return hits
    .filter(({ counts }) => counts.opens > 0)
    .map(({ record }) => record.at)
    .toSorted()
    .at(-1);
}
