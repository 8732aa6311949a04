import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import { hitKey } from '../../../core/analytics/join-opens.ts';
import type { HitQuery, HitReader, LastOpens, ReadHits } from '../../../core/analytics/ports.ts';
import type { RecordedHit } from '../../../core/analytics/recorded-hit.ts';
import { rollUp } from './hit-rollups.ts';
import { blockPrefixes, blockSortKey, shardPartition, shardsOf } from './hit-rows.ts';
import { projectCounts, totalsIn } from './project-counts.ts';
import { partitionQuery, queryPages } from '../read-rows.ts';
import { hitsOfBlock } from './hit-blocks.ts';

/** Sorts after every key of a hit. */
const afterAll = '~';

/** The dependencies of a reader, besides the table. */
interface HitReaderDeps {
  now: () => Date;
  /** Called when a rollup could not be written; the next reader tries again. */
  onFailure: (item: unknown, error: unknown) => void;
}

/** Reads hits and their counts from DynamoDB. */
export function hitReader(
  client: DynamoDBDocumentClient,
  table: string,
  { now, onFailure }: HitReaderDeps,
): HitReader & LastOpens {
  return {
    newest: (query) =>
      newestIn(client, table, {
        shards: shardsOf(query.projectId),
        query,
        most: { blocks: Math.max(query.limit, leastBlocks), wholeMinutes: true },
      }),
    async lastOpens(projectIds) {
      const byPartition = new Map(projectIds.map((id) => [shardPartition(id, 0), id]));
      const totals = await totalsIn(client, table, [...byPartition.keys()]);
      return new Map(
        totals.flatMap(({ pk, opens, lastOpenedAt }) => {
          const id = byPartition.get(pk);
          return id === undefined || lastOpenedAt === undefined
            ? []
            : [[id, { opens, lastOpenedAt }]];
        }),
      );
    },
    async summary(projectId, { since, latest }) {
      const { counts, shards, read } = await projectCounts(client, table, { projectId, since });
      const query: HitQuery = { projectId, kind: 'open', before: afterAll, limit: latest };
      const most = { blocks: Math.ceil(latestBlocks / shards.length), wholeMinutes: false };
      const [{ hits }] = await Promise.all([
        newestIn(client, table, { shards, query, most }),
        rollUp(client, table, { read, now: now() }).catch((error: unknown) =>
          onFailure({ kind: 'rollup', projectId }, error),
        ),
      ]);
      return { ...counts, latestOpens: hits };
    },
  };
}

/** How much of one partition is read, because blocks may have no hit that a query is for. */
interface ReadLimit {
  blocks: number;
  /**
   * Whether the rest of the last minute is read too, and at least one minute besides that of
   * `before`, so that a next query can continue after it.
   */
  wholeMinutes: boolean;
}

/** Blocks that a query reads of a partition at least, even for few hits. */
const leastBlocks = 50;
/** Blocks that are read of all partitions together for the latest opens. */
const latestBlocks = 50;

/** The newest hits of partitions, which are read in parallel. */
async function newestIn(
  client: DynamoDBDocumentClient,
  table: string,
  { shards, query, most }: { shards: readonly string[]; query: HitQuery; most: ReadLimit },
): Promise<ReadHits> {
  const parts = await Promise.all(
    shards.map((pk) => newestHits(client, table, pk, { query, most })),
  );
  const readFrom = parts
    .flatMap((part) => part.readFrom ?? [])
    .toSorted()
    .at(-1);
  const hits = parts
    .flatMap((part) => part.hits)
    .filter((hit) => readFrom === undefined || hitKey(hit) >= readFrom)
    .toSorted((a, b) => (hitKey(a) < hitKey(b) ? 1 : -1));
  const last = hits[query.limit - 1];
  if (last === undefined || hits.length === query.limit) return { hits, readFrom };
  return { hits: hits.slice(0, query.limit), readFrom: hitKey(last) };
}

const Block = z.object({ sk: z.string(), hits: z.instanceof(Uint8Array) });

/** The most blocks that are read in one call; a full block has at least 24 hits. */
const maxPageBlocks = 250;

/**
 * The newest hits in the blocks of one partition, and all hits of each minute that was read: at
 * least `limit` if there are that many in the blocks that may be read.
 */
async function newestHits(
  client: DynamoDBDocumentClient,
  TableName: string,
  pk: string,
  { query, most }: { query: HitQuery; most: ReadLimit },
): Promise<ReadHits> {
  const { before, limit } = query;
  const hits: RecordedHit[] = [];
  let minute = '';
  let read = 0;
  for await (const rows of queryPages(client, newestBlocks(TableName, pk, query))) {
    for (const row of rows) {
      const block = Block.parse(row);
      const [, blockMinute = ''] = block.sk.split('#');
      const isNext = blockMinute !== minute;
      const isEnough = read >= most.blocks && (isNext || !most.wholeMinutes);
      // A later block of the same minute may have newer hits.
      if (isEnough || (isNext && hits.length >= limit)) {
        return { hits, readFrom: `${minute}:00.000Z` };
      }
      minute = blockMinute;
      if (!most.wholeMinutes || minute < before.slice(0, 16)) read += 1;
      const found = await hitsOfBlock(block);
      hits.push(...found.filter((hit) => isIn(query, hit)));
    }
  }
  return { hits, readFrom: undefined };
}

function newestBlocks(TableName: string, pk: string, query: HitQuery) {
  const { kind, before, from = '', limit } = query;
  const blockKind = kind === 'visit' ? 'visit' : 'open';
  const between = [
    blockPrefixes[blockKind] + from.slice(0, 16),
    blockSortKey(blockKind, before.slice(0, 16), '~'),
  ] as const;
  return {
    ...partitionQuery(TableName, { pk, between, isNewestFirst: true }),
    // One more block, to know that the last minute is complete.
    Limit: Math.min(limit + 1, query.pageBlocks ?? maxPageBlocks),
  };
}

function isIn({ kind, before, from = '' }: HitQuery, hit: RecordedHit): boolean {
  if (kind === 'open' && hit.reason === 'owner') return false;
  const key = hitKey(hit);
  return key >= from && key < before;
}
