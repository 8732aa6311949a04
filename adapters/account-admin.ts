import { type DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { AccountAdmin } from '../core/accounts/admin-ports.ts';
import { accountKey } from './account-repository.ts';
import { unlessLost } from './dynamodb.ts';

/** What an operator may change of accounts in DynamoDB. */
export function accountAdmin(client: DynamoDBDocumentClient, table: string): AccountAdmin {
  return {
    async setTier(accountId, tier) {
      const update = new UpdateCommand({
        TableName: table,
        Key: accountKey(accountId),
        UpdateExpression: 'SET tier = :tier',
        // Without it, the plan of an account that has just gone would be a new row.
        ConditionExpression: 'attribute_exists(pk)',
        ExpressionAttributeValues: { ':tier': tier },
      });
      if (!(await unlessLost(client.send(update)))) {
        throw new Error(`There is no account ${accountId}.`);
      }
    },
  };
}
