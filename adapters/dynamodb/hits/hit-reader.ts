import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import { hitKey } from '../../../core/analytics/join-opens.ts';
import type { HitQuery, HitReader } from '../../../core/analytics/ports.ts';
import type { RecordedHit } from '../../../core/analytics/recorded-hit.ts';
import { rollUp } from './hit-rollups.ts';
import { blockPrefixes, blockSortKey, shardsOf } from './hit-rows.ts';
import { projectCounts } from './project-counts.ts';
import { queryPages } from '../read-rows.ts';
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
): HitReader {
  return {
    newest: (query) => newestIn(client, table, { shards: shardsOf(query.projectId), query }),
    async summary(projectId, { since, latest }) {
      const { counts, shards, read } = await projectCounts(client, table, { projectId, since });
      const query: HitQuery = { projectId, kind: 'open', before: afterAll, limit: latest };
      const [latestOpens] = await Promise.all([
        newestIn(client, table, { shards, query }),
        rollUp(client, table, { read, now: now() }).catch((error: unknown) =>
          onFailure({ kind: 'rollup', projectId }, error),
        ),
      ]);
      return { ...counts, latestOpens };
    },
  };
}

/** The newest hits of partitions, which are read in parallel. */
async function newestIn(
  client: DynamoDBDocumentClient,
  table: string,
  { shards, query }: { shards: readonly string[]; query: HitQuery },
): Promise<RecordedHit[]> {
  if (query.limit === 0) return [];
  const found = await Promise.all(shards.map((pk) => newestHits(client, table, pk, query)));
  return found
    .flat()
    .filter((hit) => hitKey(hit) < query.before)
    .toSorted((a, b) => (hitKey(a) < hitKey(b) ? 1 : -1))
    .slice(0, query.limit);
}

const Block = z.object({ sk: z.string(), hits: z.instanceof(Uint8Array) });

/** The most blocks that are read for one page; a full block has at least 24 hits. */
const maxPageBlocks = 250;

/**
 * The newest hits in the blocks of one partition: at least `limit` if there are that many, and all
 * hits of each minute that was read.
 */
async function newestHits(
  client: DynamoDBDocumentClient,
  TableName: string,
  pk: string,
  query: HitQuery,
): Promise<RecordedHit[]> {
  const { kind, before, from = '', limit } = query;
  const blockKind = kind === 'visit' ? 'visit' : 'open';
  const prefix = blockPrefixes[blockKind];
  const pages = queryPages(client, {
    TableName,
    KeyConditionExpression: 'pk = :pk AND sk BETWEEN :from AND :to',
    ExpressionAttributeValues: {
      ':pk': pk,
      ':from': prefix + from.slice(0, 16),
      ':to': blockSortKey(blockKind, before.slice(0, 16), '~'),
    },
    ScanIndexForward: false,
    ConsistentRead: true,
    // One more block, to know that the last minute is complete.
    Limit: Math.min(limit + 1, maxPageBlocks),
  });
  const found: RecordedHit[] = [];
  let minute = '';
  for await (const rows of pages) {
    for (const row of rows) {
      const block = Block.parse(row);
      const [, blockMinute = ''] = block.sk.split('#');
      // A later block of the same minute may have newer hits.
      if (blockMinute !== minute && found.length >= limit) return found;
      minute = blockMinute;
      const hits = await hitsOfBlock(block);
      found.push(...hits.filter((hit) => isIn(query, hit)));
    }
  }
  return found;
}

function isIn({ kind, before, from = '' }: HitQuery, hit: RecordedHit): boolean {
  if (kind === 'open' && hit.reason === 'owner') return false;
  const key = hitKey(hit);
  return key >= from && key < before;
}
