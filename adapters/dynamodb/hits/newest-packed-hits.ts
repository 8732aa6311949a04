import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import { hitKey } from '../../../core/analytics/join-opens.ts';
import type { HitQuery } from '../../../core/analytics/ports.ts';
import type { RecordedHit } from '../../../core/analytics/recorded-hit.ts';
import { queryPages } from '../read-rows.ts';
import { unpackHits } from './hit-packs.ts';
import { packPrefixes, packSortKey } from './hit-rows.ts';

const Pack = z.object({ sk: z.string(), hits: z.instanceof(Uint8Array) });

/** How many packs are read for one page at most; a full one has 24 hits and more. */
const maxPagePacks = 250;

/**
 * The newest hits in the packs of one partition: at least `limit` of them where there are so many, and
 * all of each minute that was read.
 */
export async function newestPackedHits(
  client: DynamoDBDocumentClient,
  TableName: string,
  pk: string,
  query: HitQuery,
): Promise<RecordedHit[]> {
  const { kind, before, from = '', limit } = query;
  const packKind = kind === 'visit' ? 'visit' : 'open';
  const prefix = packPrefixes[packKind];
  const pages = queryPages(client, {
    TableName,
    KeyConditionExpression: 'pk = :pk AND sk BETWEEN :from AND :to',
    ExpressionAttributeValues: {
      ':pk': pk,
      ':from': prefix + from.slice(0, 16),
      ':to': packSortKey(packKind, before.slice(0, 16), '~'),
    },
    ScanIndexForward: false,
    ConsistentRead: true,
    // One more pack shows that the last minute is complete.
    Limit: Math.min(limit + 1, maxPagePacks),
  });
  const found: RecordedHit[] = [];
  let minute = '';
  for await (const rows of pages) {
    for (const row of rows) {
      const pack = Pack.parse(row);
      const [, packMinute = ''] = pack.sk.split('#');
      // A later pack of the same minute may have newer hits.
      if (packMinute !== minute && found.length >= limit) return found;
      minute = packMinute;
      const hits = await unpackHits(pack);
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
