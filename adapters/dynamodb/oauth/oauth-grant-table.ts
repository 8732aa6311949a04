import { DeleteCommand, type DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { AccountId } from '../../../contract/fields.ts';
import { Grant } from '../../../core/oauth/grant.ts';
import type { GrantStore } from '../../../core/oauth/ports.ts';
import { retryOnConflict, tryConditionalWrite } from '../document-client.ts';
import { oauthKeys } from './oauth-rows.ts';
import { queryRows, readRow } from '../read-rows.ts';

/** Grants in DynamoDB; rows expire by TTL with their last refresh token. */
export function oauthGrantTable(client: DynamoDBDocumentClient, table: string): GrantStore {
  /** A refresh may write the same row at the same time. */
  const write = (send: () => Promise<unknown>) =>
    retryOnConflict(() => tryConditionalWrite(send()));
  return {
    async find(key) {
      const item = await readRow(client, table, oauthKeys.grant(key));
      return item === undefined ? undefined : Grant.parse(item);
    },
    list: (accountId) => list(client, table, accountId),
    noteUse: (key, lastUsedAt) => {
      const update = new UpdateCommand({
        TableName: table,
        Key: oauthKeys.grant(key),
        UpdateExpression: 'SET lastUsedAt = :lastUsedAt',
        ConditionExpression: 'attribute_exists(pk)',
        ExpressionAttributeValues: { ':lastUsedAt': lastUsedAt },
      });
      return write(() => client.send(update));
    },
    remove: (key) => {
      const removal = new DeleteCommand({
        TableName: table,
        Key: oauthKeys.grant(key),
        ConditionExpression: 'attribute_exists(pk)',
      });
      return write(() => client.send(removal));
    },
  };
}

async function list(client: DynamoDBDocumentClient, table: string, accountId: AccountId) {
  const rows = await queryRows(client, {
    TableName: table,
    ConsistentRead: true,
    KeyConditionExpression: 'pk = :pk AND begins_with(sk, :grant)',
    ExpressionAttributeValues: { ':pk': `ACCOUNT#${accountId}`, ':grant': 'GRANT#' },
  });
  return rows.map((row) => Grant.parse(row));
}
