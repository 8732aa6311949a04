import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { Grant } from '../../../core/oauth/grant.ts';
import type { GrantStore } from '../../../core/oauth/ports.ts';
import { oauthKeys } from './oauth-rows.ts';
import { findRow, partitionRows } from '../read-rows.ts';
import { exists, remove, update, write } from '../writes.ts';

/** Grants in DynamoDB; rows expire by TTL with their last refresh token. */
export function oauthGrantTable(client: DynamoDBDocumentClient, table: string): GrantStore {
  return {
    find: (key) => findRow(client, table, oauthKeys.grant(key), (row) => Grant.parse(row)),
    async list(accountId) {
      const query = { pk: `ACCOUNT#${accountId}`, prefix: 'GRANT#' };
      return (await partitionRows(client, table, query)).map((row) => Grant.parse(row));
    },
    noteUse: (key, lastUsedAt) =>
      write(client, update(table, oauthKeys.grant(key), { set: { lastUsedAt }, ...exists })),
    remove: (key) => write(client, remove(table, oauthKeys.grant(key), exists)),
  };
}
