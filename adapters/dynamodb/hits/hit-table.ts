import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { CappedBatch, CappedHit } from '../../../core/analytics/cap-visits.ts';
import { hitName, type HitRemoval, type HitStore } from '../../../core/analytics/ports.ts';
import { epochSeconds, plusSeconds } from '../../../core/instants.ts';
import {
  hitKeptSeconds,
  hourKeptSeconds,
  hourSortKey,
  monthKeptSeconds,
  monthPartition,
  monthSortKey,
  rowKey,
  seenKey,
  shardPartition,
  shardsOf,
  totalKeptSeconds,
  totalSortKey,
} from './hit-rows.ts';
import { removePartition } from './hit-removal.ts';
import { networkPart, readNetworkDays } from './network-days.ts';
import { transact } from '../transaction.ts';

/** Hits and what is counted of them in DynamoDB. */
export function hitTable(client: DynamoDBDocumentClient, table: string): HitStore & HitRemoval {
  return {
    networkDays: (batch) => readNetworkDays(client, table, batch),
    async write(batch) {
      const parts = batchParts(table, batch);
      // Nothing but hits that are neither kept nor visits.
      if (parts.length === 0) return undefined;
      const unmet = await transact(client, parts);
      return unmet.size === 0 ? undefined : { kept: new Set(unmet.keys()) };
    },
    async forget(projectId) {
      await Promise.all(shardsOf(projectId).map((pk) => removePartition(client, table, pk)));
    },
  };
}

function batchParts(TableName: string, batch: CappedBatch) {
  const kept = batch.hits.filter(({ isKept }) => isKept);
  return [
    ...kept.flatMap((hit) => hitParts(TableName, batch, hit)),
    ...batch.growth.map((growth) => networkPart(TableName, batch, growth)),
    ...counterParts(TableName, batch),
  ];
}

function hitParts(TableName: string, batch: CappedBatch, { record }: CappedHit) {
  const ttl = epochSeconds(plusSeconds(new Date(record.at), hitKeptSeconds));
  const Item = { ...present(record), ...rowKey(batch, record), ttl };
  const once = { ConditionExpression: 'attribute_not_exists(pk)' };
  if (record.kind === 'visit')
    return [[hitName(record), { Put: { TableName, Item, ...once } }] as const];
  const seen = { ...seenKey(batch, record), ttl };
  return [
    [hitName(record), { Put: { TableName, Item: seen, ...once } }] as const,
    [`row of ${record.id}`, { Put: { TableName, Item } }] as const,
  ];
}

/** One update each for the hour, the total and the owner's month, however many hits there are. */
function counterParts(TableName: string, batch: CappedBatch) {
  const { projectId, ownerId, shard, hour, hits } = batch;
  const pk = shardPartition(projectId, shard);
  const from = new Date(`${hour}:00:00.000Z`);
  const add = (key: Record<string, string>, sums: Record<string, number>, more: Added) => [
    ...addition(TableName, { key, sums: nonZero(sums), ...more }),
  ];
  const visits = hits.reduce((total, { planVisits }) => total + planVisits, 0);
  return [
    ...add({ pk, sk: hourSortKey(hour) }, minuteSums(hits), {
      ttl: epochSeconds(plusSeconds(from, hourKeptSeconds)),
    }),
    ...add({ pk, sk: totalSortKey }, totalSums(hits), {
      ttl: epochSeconds(plusSeconds(from, totalKeptSeconds)),
      lastOpenedAt: lastOpen(hits),
    }),
    ...(ownerId === null
      ? []
      : add(
          { pk: monthPartition(ownerId), sk: monthSortKey(hour.slice(0, 7), shard) },
          { visits },
          {
            ttl: epochSeconds(plusSeconds(from, monthKeptSeconds)),
          },
        )),
  ];
}

interface Added {
  ttl: number;
  /** An open that arrives late may set it back by moments; the rows of opens tell better for as long as they last. */
  lastOpenedAt?: string | undefined;
}

function addition(
  TableName: string,
  {
    key,
    sums,
    ttl,
    lastOpenedAt,
  }: Added & { key: Record<string, string>; sums: [string, number][] },
) {
  if (sums.length === 0) return [];
  const adds = sums.map((_, index) => `#n${index} :n${index}`).join(', ');
  const last = lastOpenedAt === undefined ? '' : ', lastOpenedAt = :last';
  const Update = {
    TableName,
    Key: key,
    UpdateExpression: `ADD ${adds} SET #ttl = :ttl${last}`,
    ExpressionAttributeNames: {
      '#ttl': 'ttl',
      ...Object.fromEntries(sums.map(([name], index) => [`#n${index}`, name])),
    },
    ExpressionAttributeValues: {
      ':ttl': ttl,
      ...(lastOpenedAt === undefined ? {} : { ':last': lastOpenedAt }),
      ...Object.fromEntries(sums.map(([, value], index) => [`:n${index}`, value])),
    },
  };
  return [[`counter ${key['sk']}`, { Update }] as const];
}

/** `v7` are the visits of the hour's minute 7, `o7` its opens. */
function minuteSums(hits: readonly CappedHit[]): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const { record, counts } of hits) {
    const minute = Number(record.at.slice(14, 16));
    sums[`v${minute}`] = (sums[`v${minute}`] ?? 0) + counts.visits;
    sums[`o${minute}`] = (sums[`o${minute}`] ?? 0) + counts.opens;
  }
  return sums;
}

function totalSums(hits: readonly CappedHit[]): Record<string, number> {
  const sums: Record<string, number> = {
    visits: sum(hits, 'visits'),
    opens: sum(hits, 'opens'),
    ownerOpens: sum(hits, 'ownerOpens'),
  };
  for (const { record, counts } of hits) {
    if (record.country === null) continue;
    const name = `c_${record.country}`;
    sums[name] = (sums[name] ?? 0) + counts.opens;
  }
  return sums;
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

function nonZero(sums: Record<string, number>): [string, number][] {
  return Object.entries(sums).filter(([, value]) => value !== 0);
}

function present(record: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== null));
}
