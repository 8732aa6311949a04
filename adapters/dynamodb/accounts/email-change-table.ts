import { DeleteCommand, type DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import type { AccountId } from '../../../contract/fields.ts';
import {
  EmailChange,
  type EmailChangeStore,
} from '../../../core/accounts/email-change/email-change.ts';
import { epochSeconds } from '../../../core/instants.ts';
import { tryConditionalWrite } from '../document-client.ts';
import { readRow } from '../read-rows.ts';

/** Pending changes of addresses in DynamoDB, one row for each account; rows expire by TTL. */
export function emailChangeTable(client: DynamoDBDocumentClient, table: string): EmailChangeStore {
  const keyOf = (accountId: AccountId) => ({ key: `email-change#${accountId}` });
  return {
    async read(accountId) {
      const row = await readRow(client, table, keyOf(accountId));
      return row === undefined ? undefined : EmailChange.parse(row);
    },
    async put(accountId, change) {
      const ttl = epochSeconds(new Date(change.expiresAt)) + 3600;
      const Item = { ...keyOf(accountId), ...change, ttl };
      await client.send(new PutCommand({ TableName: table, Item }));
    },
    remove: (accountId, nonce) =>
      tryConditionalWrite(
        client.send(
          new DeleteCommand({
            TableName: table,
            Key: keyOf(accountId),
            ConditionExpression: 'nonce = :nonce',
            ExpressionAttributeValues: { ':nonce': nonce },
          }),
        ),
      ),
  };
}
