import { DeleteCommand, type DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import {
  type ChangeOwner,
  EmailChange,
  type EmailChangeStore,
} from '../../../core/accounts/email-change/email-change.ts';
import { epochSeconds } from '../../../core/instants.ts';
import { tryConditionalWrite } from '../document-client.ts';
import { readRow } from '../read-rows.ts';

/** Pending changes of addresses in DynamoDB, one row for each session; rows expire by TTL. */
export function emailChangeTable(client: DynamoDBDocumentClient, table: string): EmailChangeStore {
  const keyOf = ({ accountId, id }: ChangeOwner) => ({ key: `email-change#${accountId}#${id}` });
  return {
    async read(owner) {
      const row = await readRow(client, table, keyOf(owner));
      return row === undefined ? undefined : EmailChange.parse(row);
    },
    async put(owner, change) {
      const ttl = epochSeconds(new Date(change.expiresAt)) + 3600;
      const Item = { ...keyOf(owner), ...change, ttl };
      await client.send(new PutCommand({ TableName: table, Item }));
    },
    remove: (owner, nonce) =>
      tryConditionalWrite(
        client.send(
          new DeleteCommand({
            TableName: table,
            Key: keyOf(owner),
            ConditionExpression: 'nonce = :nonce',
            ExpressionAttributeValues: { ':nonce': nonce },
          }),
        ),
      ),
  };
}
