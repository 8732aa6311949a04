import {
  BatchWriteCommand,
  type DynamoDBDocumentClient,
  QueryCommand,
} from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import type { CountedHit, HitBatch } from '../core/analytics/hit-batches.ts';
import type { HitRemoval, HitStore } from '../core/analytics/ports.ts';
import { epochSeconds, plusSeconds } from '../core/instants.ts';
import { backOff } from './dynamodb.ts';
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
import { transact } from './transaction.ts';

/** Hits and what is counted of them in DynamoDB. */
export function hitTable(client: DynamoDBDocumentClient, table: string): HitStore & HitRemoval {
  return {
    async record(batch) {
      let left = batch;
      // What is kept already is left out, and the rest is written: at most once more for each hit.
      while (left.hits.length > 0) {
        const unmet = await transact(client, batchParts(table, left));
        if (unmet.size === 0) return;
        left = { ...left, hits: left.hits.filter((hit) => !unmet.has(nameOf(hit))) };
      }
    },
    async forget(projectId) {
      await Promise.all(shardsOf(projectId).map((pk) => removePartition(client, table, pk)));
    },
  };
}

function nameOf({ record }: CountedHit): string {
  return `${record.kind} ${record.id}`;
}

function batchParts(TableName: string, batch: HitBatch) {
  return [
    ...batch.hits.flatMap((hit) => hitParts(TableName, batch, hit)),
    ...counterParts(TableName, batch),
  ];
}

function hitParts(TableName: string, batch: HitBatch, hit: CountedHit) {
  const { record } = hit;
  const ttl = epochSeconds(plusSeconds(new Date(record.at), hitKeptSeconds));
  const Item = { ...present(record), ...rowKey(batch, record), ttl };
  const once = { ConditionExpression: 'attribute_not_exists(pk)' };
  if (record.kind === 'visit')
    return [[nameOf(hit), { Put: { TableName, Item, ...once } }] as const];
  const seen = { ...seenKey(batch, record), ttl };
  return [
    [nameOf(hit), { Put: { TableName, Item: seen, ...once } }] as const,
    [`row of ${record.id}`, { Put: { TableName, Item } }] as const,
  ];
}

/** One update each for the hour, the total and the owner's month, however many hits there are. */
function counterParts(TableName: string, batch: HitBatch) {
  const { projectId, ownerId, shard, hour, hits } = batch;
  const pk = shardPartition(projectId, shard);
  const from = new Date(`${hour}:00:00.000Z`);
  const add = (key: Record<string, string>, sums: Record<string, number>, more: Added) => [
    ...addition(TableName, { key, sums: nonZero(sums), ...more }),
  ];
  const visits = sum(hits, 'visits');
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
function minuteSums(hits: readonly CountedHit[]): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const { record, counts } of hits) {
    const minute = Number(record.at.slice(14, 16));
    sums[`v${minute}`] = (sums[`v${minute}`] ?? 0) + counts.visits;
    sums[`o${minute}`] = (sums[`o${minute}`] ?? 0) + counts.opens;
  }
  return sums;
}

function totalSums(hits: readonly CountedHit[]): Record<string, number> {
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

function sum(hits: readonly CountedHit[], name: keyof CountedHit['counts']): number {
  return hits.reduce((total, { counts }) => total + counts[name], 0);
}

function lastOpen(hits: readonly CountedHit[]): string | undefined {
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

const Keys = z.array(z.object({ pk: z.string(), sk: z.string() }));
/** As many as one call takes (DynamoDB quota). */
const batchSize = 25;

/** Removes a partition page by page; cut off, it is taken up again where rows are left. */
async function removePartition(
  client: DynamoDBDocumentClient,
  TableName: string,
  pk: string,
): Promise<void> {
  let from: Record<string, unknown> | undefined;
  do {
    const page = await client.send(
      new QueryCommand({
        TableName,
        KeyConditionExpression: 'pk = :pk',
        ExpressionAttributeValues: { ':pk': pk },
        ProjectionExpression: 'pk, sk',
        ConsistentRead: true,
        ExclusiveStartKey: from,
      }),
    );
    const keys = Keys.parse(page.Items ?? []);
    for (let at = 0; at < keys.length; at += batchSize) {
      await removeRows(client, TableName, keys.slice(at, at + batchSize));
    }
    from = page.LastEvaluatedKey;
  } while (from !== undefined);
}

const maxTries = 10;

async function removeRows(
  client: DynamoDBDocumentClient,
  table: string,
  keys: z.infer<typeof Keys>,
): Promise<void> {
  let left = keys;
  for (let tries = 1; left.length > 0; tries += 1) {
    if (tries > maxTries) throw new Error(`${left.length} rows could not be removed`);
    const requests = left.map((Key) => ({ DeleteRequest: { Key } }));
    const { UnprocessedItems } = await client.send(
      new BatchWriteCommand({ RequestItems: { [table]: requests } }),
    );
    left = Keys.parse((UnprocessedItems?.[table] ?? []).map((one) => one.DeleteRequest?.Key));
    if (left.length > 0) await backOff(tries);
  }
}
