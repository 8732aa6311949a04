import { BatchWriteCommand, type DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import type { HitRemoval } from '../../../core/analytics/ports.ts';
import { backOff } from '../../../core/back-off.ts';
import { partitionQuery, queryPages } from '../read-rows.ts';
import { shardsOf } from './hit-rows.ts';

/** Removes the hits of projects from DynamoDB. */
export function hitRemoval(client: DynamoDBDocumentClient, table: string): HitRemoval {
  return {
    async removeHits(projectId) {
      await Promise.all(shardsOf(projectId).map((pk) => removePartition(client, table, pk)));
    },
  };
}

const Keys = z.array(z.object({ pk: z.string(), sk: z.string() }));
/** The limit of one call (DynamoDB quota). */
const batchSize = 25;

/**
 * Removes a partition page by page. If it is interrupted, call it again to remove the remaining
 * rows.
 */
async function removePartition(
  client: DynamoDBDocumentClient,
  TableName: string,
  pk: string,
): Promise<void> {
  const pages = queryPages(client, partitionQuery(TableName, { pk, only: 'pk, sk' }));
  for await (const rows of pages) {
    const keys = Keys.parse(rows);
    for (let at = 0; at < keys.length; at += batchSize) {
      await removeRows(client, TableName, keys.slice(at, at + batchSize));
    }
  }
}

const maxTries = 10;

async function removeRows(
  client: DynamoDBDocumentClient,
  table: string,
  keys: z.infer<typeof Keys>,
): Promise<void> {
  let remaining = keys;
  for (let tries = 1; remaining.length > 0; tries += 1) {
    if (tries > maxTries) throw new Error(`${remaining.length} rows could not be removed`);
    const requests = remaining.map((Key) => ({ DeleteRequest: { Key } }));
    const { UnprocessedItems } = await client.send(
      new BatchWriteCommand({ RequestItems: { [table]: requests } }),
    );
    remaining = Keys.parse((UnprocessedItems?.[table] ?? []).map((one) => one.DeleteRequest?.Key));
    if (remaining.length > 0) await backOff(tries);
  }
}
