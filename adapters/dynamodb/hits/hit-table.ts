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
  const add = (
    key: Record<string, string>,
    totals: Record<string, number>,
    more: CounterUpdate,
  ) => [...counterPart(TableName, { key, totals: nonZero(totals), ...more })];
  const visits = hits.reduce((total, { planVisits }) => total + planVisits, 0);
  return [
    ...add({ pk, sk: totalSortKey }, projectTotals(hits), {
      ttl: epochSeconds(plusSeconds(from, totalKeptSeconds)),
      lastOpenedAt: lastOpen(hits),
      isFirst,
    }),
    ...(ownerId === null
      ? []
      : add(
          { pk: monthPartition(ownerId), sk: monthSortKey(hour.slice(0, 7), monthShard(batch)) },
          { visits },
          {
            ttl: epochSeconds(plusSeconds(from, monthKeptSeconds)),
          },
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
    const Update = {
      TableName,
      Key: { pk, sk: linkOpensKey(id) },
      UpdateExpression:
        'ADD opens :opens SET lastOpenedAt = :last, firstOpenedAt = if_not_exists(firstOpenedAt, :first), #ttl = :ttl',
      ExpressionAttributeNames: { '#ttl': 'ttl' },
      ExpressionAttributeValues: {
        ':opens': instants.length,
        ':first': sorted[0],
        ':last': sorted.at(-1),
        ':ttl': epochSeconds(plusSeconds(from, totalKeptSeconds)),
      },
    };
    return [`link ${id}`, { Update }] as const;
  });
}

interface CounterUpdate {
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
  {
    key,
    totals,
    ttl,
    lastOpenedAt,
    isFirst = false,
  }: CounterUpdate & { key: Record<string, string>; totals: [string, number][] },
) {
  if (totals.length === 0) return [];
  const adds = totals.map((_, index) => `#n${index} :n${index}`).join(', ');
  const last = lastOpenedAt === undefined ? '' : ', lastOpenedAt = :last';
  const Update = {
    TableName,
    Key: key,
    UpdateExpression: `ADD ${adds} SET #ttl = :ttl${last}`,
    ...(isFirst && { ConditionExpression: 'attribute_not_exists(opens) OR opens = :none' }),
    ExpressionAttributeNames: {
      '#ttl': 'ttl',
      ...Object.fromEntries(totals.map(([name], index) => [`#n${index}`, name])),
    },
    ExpressionAttributeValues: {
      ':ttl': ttl,
      ...(lastOpenedAt === undefined ? {} : { ':last': lastOpenedAt }),
      ...(isFirst && { ':none': 0 }),
      ...Object.fromEntries(totals.map(([, value], index) => [`:n${index}`, value])),
    },
  };
  return [[`counter ${key['sk']}`, { Update }] as const];
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

function nonZero(totals: Record<string, number>): [string, number][] {
  return Object.entries(totals).filter(([, value]) => value !== 0);
}
