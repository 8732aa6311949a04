import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import { hitKey } from '../../../core/analytics/join-opens.ts';
import type { HitQuery } from '../../../core/analytics/ports.ts';
import type { RecordedHit } from '../../../core/analytics/recorded-hit.ts';
import { queryPages } from '../read-rows.ts';
import { hitsOfBlock } from './hit-blocks.ts';
import { blockPrefixes, blockSortKey } from './hit-rows.ts';

const Block = z.object({ sk: z.string(), hits: z.instanceof(Uint8Array) });

/** The most blocks that are read for one page; a full block has at least 24 hits. */
const maxPageBlocks = 250;

/**
 * The newest hits in the blocks of one partition: at least `limit` if there are that many, and all
 * hits of each minute that was read.
 */
export async function newestHits(
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
