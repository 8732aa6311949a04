import {
  DeleteCommand,
  type DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import type { SessionStore } from '../core/accounts/ports.ts';
import { StoredSession } from '../core/accounts/session.ts';
import { epochSeconds } from '../core/instants.ts';
import { unlessLost } from './dynamodb.ts';

const sessionKey = (tokenHash: string) => ({ pk: `SESSION#${tokenHash}`, sk: 'SESSION' });

/** Sessions of browsers in DynamoDB. */
export function sessionTable(client: DynamoDBDocumentClient, table: string): SessionStore {
  return {
    async find(tokenHash) {
      const { Item } = await client.send(
        new GetCommand({ TableName: table, Key: sessionKey(tokenHash), ConsistentRead: true }),
      );
      return Item === undefined ? undefined : StoredSession.parse(Item);
    },
    async put(tokenHash, session) {
      const Item = { ...sessionKey(tokenHash), ...session, ttl: ttlOf(session) };
      await client.send(new PutCommand({ TableName: table, Item }));
    },
    renew(tokenHash, session) {
      const update = new UpdateCommand({
        TableName: table,
        Key: sessionKey(tokenHash),
        UpdateExpression: 'SET expiresAt = :expiresAt, #ttl = :ttl',
        ConditionExpression: 'attribute_exists(pk)',
        ExpressionAttributeNames: { '#ttl': 'ttl' },
        ExpressionAttributeValues: { ':expiresAt': session.expiresAt, ':ttl': ttlOf(session) },
      });
      return unlessLost(client.send(update));
    },
    async end(tokenHash) {
      await client.send(new DeleteCommand({ TableName: table, Key: sessionKey(tokenHash) }));
    },
  };
}

function ttlOf({ expiresAt }: StoredSession): number {
  return epochSeconds(new Date(expiresAt));
}
