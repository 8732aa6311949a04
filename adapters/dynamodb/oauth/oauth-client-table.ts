import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Instant } from '../../../contract/fields.ts';
import { StoredClient } from '../../../core/oauth/clients/client.ts';
import type { ClientStore } from '../../../core/oauth/ports.ts';
import { oauthKeys, ttlOf } from './oauth-rows.ts';
import { findRow } from '../read-rows.ts';
import { type Change, nullsRemoved, put, update, write } from '../writes.ts';

/** Clients of the authorization server in DynamoDB; rows expire by TTL. */
export function oauthClientTable(client: DynamoDBDocumentClient, table: string): ClientStore {
  const change = (clientId: string, changes: Change) =>
    write(client, update(table, oauthKeys.client(clientId), changes));
  return {
    find: (clientId) =>
      findRow(client, table, oauthKeys.client(clientId), (row) => StoredClient.parse(row)),
    async register(registered) {
      const ttl = ttlOf(registered.expiresAt);
      const row = { ...oauthKeys.client(registered.id), ...registered, ttl };
      await write(client, put(table, row));
    },
    async storeDocument({ id, metadata, failure = null, freshUntil, expiresAt }) {
      const { set, remove } = nullsRemoved({ kind: 'document', id, freshUntil, metadata, failure });
      const end = longerUntil(expiresAt);
      const when = `attribute_not_exists(expiresAt) OR ${end.when}`;
      const wasExtended = await change(id, { set: { ...set, ...end.set }, remove, when });
      if (!wasExtended) await change(id, { set, remove });
    },
    async extend(clientId, expiresAt) {
      await change(clientId, longerUntil(expiresAt));
    },
  };
}

/** Extends the lifetime of a row; never shortens it. */
function longerUntil(expiresAt: Instant) {
  return { set: { expiresAt, ttl: ttlOf(expiresAt) }, when: 'expiresAt < :expiresAt' };
}
