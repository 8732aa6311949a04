import { type DynamoDBDocumentClient, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { Instant } from '../../../contract/fields.ts';
import { type DocumentClient, StoredClient } from '../../../core/oauth/clients/client.ts';
import type { ClientStore } from '../../../core/oauth/ports.ts';
import { tryConditionalWrite } from '../document-client.ts';
import { oauthKeys, ttlOf } from './oauth-rows.ts';
import { readRow } from '../read-rows.ts';

/** Clients of the authorization server in DynamoDB; rows expire by TTL. */
export function oauthClientTable(client: DynamoDBDocumentClient, table: string): ClientStore {
  const change = (clientId: string, { set, remove = '', when, values }: Change) =>
    tryConditionalWrite(
      client.send(
        new UpdateCommand({
          TableName: table,
          Key: oauthKeys.client(clientId),
          UpdateExpression: `SET ${set}${remove}`,
          ConditionExpression: when,
          ...(set.includes('#ttl') && { ExpressionAttributeNames: { '#ttl': 'ttl' } }),
          ExpressionAttributeValues: values,
        }),
      ),
    );
  return {
    async find(clientId) {
      const item = await readRow(client, table, oauthKeys.client(clientId));
      return item === undefined ? undefined : StoredClient.parse(item);
    },
    async register(registered) {
      const ttl = ttlOf(registered.expiresAt);
      const Item = { ...oauthKeys.client(registered.id), ...registered, ttl };
      await client.send(new PutCommand({ TableName: table, Item }));
    },
    async storeDocument(document) {
      const contentChange = documentChange(document);
      const expiryChange = endChange(document.expiresAt);
      const wasExtended = await change(document.id, {
        set: `${contentChange.set}, ${expiryChange.set}`,
        remove: contentChange.remove,
        when: `attribute_not_exists(expiresAt) OR ${expiryChange.when}`,
        values: { ...contentChange.values, ...expiryChange.values },
      });
      if (!wasExtended) await change(document.id, contentChange);
    },
    async extend(clientId, expiresAt) {
      await change(clientId, endChange(expiresAt));
    },
  };
}

interface Change {
  set: string;
  remove?: string;
  when?: string;
  values: Record<string, unknown>;
}

function documentChange({ id, metadata, failure, freshUntil }: DocumentClient) {
  const set = 'kind = :kind, id = :id, freshUntil = :freshUntil';
  const values = { ':kind': 'document', ':id': id, ':freshUntil': freshUntil };
  return failure === undefined
    ? {
        set: `${set}, metadata = :metadata`,
        remove: ' REMOVE failure',
        values: { ...values, ':metadata': metadata },
      }
    : {
        set: `${set}, failure = :failure`,
        remove: '',
        values: { ...values, ':failure': failure },
      };
}

/** Extends the lifetime of a row; never shortens it. */
function endChange(expiresAt: Instant) {
  return {
    set: 'expiresAt = :expiresAt, #ttl = :ttl',
    when: 'expiresAt < :expiresAt',
    values: { ':expiresAt': expiresAt, ':ttl': ttlOf(expiresAt) },
  };
}
