import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { AccountStore } from '../../../core/accounts/ports.ts';
import { writeTransaction } from '../transaction.ts';
import { accountKey, emailKey } from './account-rows.ts';

/** The change of an account's address: its row and both rows of addresses change together. */
export function accountEmail(
  client: DynamoDBDocumentClient,
  TableName: string,
): Pick<AccountStore, 'changeEmail'> {
  return {
    async changeEmail(accountId, { from, to }) {
      const unmet = await writeTransaction(client, [
        [
          'account',
          {
            Update: {
              TableName,
              Key: accountKey(accountId),
              UpdateExpression: 'SET email = :to',
              ConditionExpression: 'email = :from AND attribute_not_exists(suspendedAt)',
              ExpressionAttributeValues: { ':from': from, ':to': to },
            },
          },
        ],
        [
          'new',
          {
            Put: {
              TableName,
              Item: { ...emailKey(to), accountId },
              ConditionExpression: 'attribute_not_exists(pk)',
            },
          },
        ],
        [
          'former',
          {
            Delete: {
              TableName,
              Key: emailKey(from),
              ConditionExpression: 'accountId = :id',
              ExpressionAttributeValues: { ':id': accountId },
            },
          },
        ],
      ]);
      if (unmet.size === 0) return 'changed';
      return unmet.has('account') || unmet.has('former') ? 'conflict' : 'taken';
    },
  };
}
